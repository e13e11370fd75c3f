package io.weir.nic.broker;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory of two processes with a ring for each direction. Its file is sealed at its length, so that no side can take
 * pages away from the other.
 */
public final class SharedRegion implements AutoCloseable {
    private final RegionLayout layout;
    private final long address;
    private final UnsafeBuffer[] rings = new UnsafeBuffer[2];
    private boolean isClosed;

    private SharedRegion(RegionLayout layout, long address) {
        this.layout = layout;
        this.address = address;
        for (int i = 0; i < rings.length; i++) {
            rings[i] = new UnsafeBuffer(address + (long) i * layout.ringBytes(), layout.ringBytes());
        }
    }

    /** {@return the descriptor of new memory for a region, filled with zeros, which the caller closes} */
    public static int create(RegionLayout layout) throws NicException {
        int fd = Libc.memfd("weir-rings", layout.regionBytes());
        if (fd < 0) {
            throw new NicException(
                    -fd,
                    "create " + layout.regionBytes() + " bytes of shared memory",
                    "free memory, or raise the limit of open files (ulimit -n)");
        }
        return fd;
    }

    /** {@return the region in the memory of a descriptor, which may be closed after; all of its pages are made} */
    public static SharedRegion map(RegionLayout layout, int fd) throws NicException {
        requireSealed(layout, fd);
        return of(layout, Libc.mmap(fd, layout.regionBytes(), 0));
    }

    /**
     * {@return the region as by {@link #map}, but each page is made when it is first touched} For a side that did not
     * ask for the region: to make its pages takes milliseconds, which are for who asked to spend.
     */
    static SharedRegion mapUnpopulated(RegionLayout layout, int fd) throws NicException {
        requireSealed(layout, fd);
        return of(layout, Libc.mmapUnpopulated(fd, layout.regionBytes()));
    }

    private static void requireSealed(RegionLayout layout, int fd) throws NicException {
        if (!Libc.isSealed(fd, layout.regionBytes())) {
            throw new NicException("the shared memory has not " + layout.regionBytes()
                    + " bytes, or can be made shorter; both processes must run the same version of Weir");
        }
    }

    private static SharedRegion of(RegionLayout layout, long address) throws NicException {
        if (address < 0) {
            throw new NicException(
                    (int) -address, "map " + layout.regionBytes() + " bytes of shared memory", "free memory");
        }
        return new SharedRegion(layout, address);
    }

    RegionLayout layout() {
        return layout;
    }

    /** {@return what one side writes to; {@code side} is 0 or 1, and the other side has the other number} */
    RingWriter writer(int side) {
        return new RingWriter(layout, rings[side]);
    }

    /** {@return what one side reads from} */
    RingReader reader(int side) {
        return new RingReader(layout, rings[1 - side]);
    }

    /** Takes the memory away from this process; nothing may use the rings after. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            for (UnsafeBuffer ring : rings) {
                ring.wrap(0, 0);
            }
            Libc.munmap(address, layout.regionBytes());
        }
    }
}
