package io.weir.nic.broker;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One end of what wakes the other side: a pair of connected sockets. Its descriptor is readable after the other side
 * has rung, and when the other side is gone.
 *
 * <p>Design notes: an event descriptor costs less, but both sides have the same file, so that a hostile one can make
 * it block. Here no call ever blocks, and the kernel tells at once when the other process ends.
 */
public final class Bell implements AutoCloseable {
    private static final int DRAIN_BYTES = 256;

    private final int fd;
    private final UnsafeBuffer strike = NativeMemory.allocate(1);
    private final UnsafeBuffer drained = NativeMemory.allocate(DRAIN_BYTES);
    private boolean isClosed;

    /** Takes over the descriptor of one end. */
    public Bell(int fd) {
        this.fd = fd;
    }

    /** {@return the descriptors of both ends, which the caller closes or hands over} */
    public static int[] pair() throws NicException {
        UnsafeBuffer descriptors = NativeMemory.allocate(2 * Integer.BYTES);
        int result = Libc.socketpair(descriptors);
        if (result < 0) {
            throw new NicException(-result, "create a pair of sockets", "raise the limit of open files (ulimit -n)");
        }
        return new int[] {descriptors.getInt(0), descriptors.getInt(Integer.BYTES)};
    }

    int fileDescriptor() {
        return fd;
    }

    /** Wakes the other side. Where it has been rung so often that there is no room it will wake anyway. */
    void ring() {
        Libc.send(fd, strike, 1, Libc.MSG_DONTWAIT | Libc.MSG_NOSIGNAL);
    }

    /**
     * {@return more than 0 if the other side has rung, which is forgotten now; 0 if it has not, and less if it is gone}
     * Any thread, before close.
     */
    int drain() {
        int result = Libc.receive(fd, drained, Libc.MSG_DONTWAIT);
        if (result == -Errno.EAGAIN.number() || result == -Errno.EINTR.number()) {
            return 0;
        }
        return result > 0 ? result : -1;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            Libc.close(fd);
        }
    }
}
