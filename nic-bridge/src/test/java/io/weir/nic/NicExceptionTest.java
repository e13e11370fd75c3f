package io.weir.nic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests {@link NicException}. */
class NicExceptionTest {
    @Test
    void message_refusedCall_saysAttemptErrorAndRemedy() {
        NicException e = new NicException(Errno.EPERM.number(), "open an AF_XDP socket", "run as root");
        assertEquals("open an AF_XDP socket: EPERM (operation not permitted); run as root", e.getMessage());
        assertTrue(e.is(Errno.EPERM));
        assertFalse(e.is(Errno.EBUSY));
        assertEquals(1, e.errno());
    }

    @Test
    void errno_refusalWithoutNumber_isZero() {
        assertEquals(0, new NicException("interface eth9 not found").errno());
    }
}
