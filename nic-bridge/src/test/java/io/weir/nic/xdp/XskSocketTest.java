package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.Errno;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests what {@link XskSocket} says of memory that the kernel does not take. */
class XskSocketTest {
    private static UnsafeBuffer registration() {
        UnsafeBuffer registration = new UnsafeBuffer(new byte[32]);
        registration.putLong(0, 0x7f00_0000_1000L);
        registration.putLong(8, 1 << 20);
        registration.putInt(16, 4096);
        return registration;
    }

    @Test
    void refused_shape_namesItAndNotLockedMemory() {
        String message =
                XskSocket.refused(Errno.EINVAL.number(), registration()).getMessage();
        assertTrue(
                message.contains("chunks of 4096 bytes from address 0x7f0000001000 on, flags 0, with pages of "
                        + UnsafeApi.pageSize() + " bytes"),
                message);
        assertFalse(message.contains("locked"), message);
    }

    @Test
    void refused_noBuffers_namesTheLimitOfLockedMemory() {
        String message =
                XskSocket.refused(Errno.ENOBUFS.number(), registration()).getMessage();
        assertTrue(message.contains("LimitMEMLOCK="), message);
        assertEquals(
                Errno.ENOBUFS.number(),
                XskSocket.refused(Errno.ENOBUFS.number(), registration()).errno());
    }
}
