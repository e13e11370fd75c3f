package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.Errno;
import org.junit.jupiter.api.Test;

/** Tests what {@link Umem} says about sockets that copy. */
class UmemTest {
    @Test
    void copyReason_zeroCopyRefused_namesDriverAndTheKernelsError() {
        assertEquals(
                "zero-copy refused by driver virtio_net: EINVAL (invalid argument)",
                new Umem.Binding(false, null, Errno.EINVAL.number()).copyReason("virtio_net"));
        assertEquals(
                "zero-copy refused by this driver: EOPNOTSUPP (operation not supported)",
                new Umem.Binding(false, null, Errno.EOPNOTSUPP.number()).copyReason(""));
    }

    @Test
    void copyReason_sharedMemory_namesTheInterfaceThatItIsSharedWith() {
        assertEquals(
                "copying, as eth1 does, with which it shares its memory",
                new Umem.Binding(false, "eth1", 0).copyReason("virtio_net"));
    }
}
