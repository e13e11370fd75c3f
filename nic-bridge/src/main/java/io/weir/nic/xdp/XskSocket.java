package io.weir.nic.xdp;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import io.weir.transport.frame.FramePool;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An AF_XDP socket and its four rings, mapped: everything about it but the moving of frames.
 *
 * <p>The mappings keep the socket alive, so closing takes them away first; after that no ring may be touched.
 */
final class XskSocket implements AutoCloseable {
    static final int BIND_COPY = 1 << 1;
    /** Fails where the driver copies, instead of copying. */
    static final int BIND_ZERO_COPY = 1 << 2;

    static final int BIND_NEED_WAKEUP = 1 << 3;
    /** Frames may be several descriptors. */
    static final int BIND_SCATTER = 1 << 4;

    private static final int BIND_SHARED_UMEM = 1;
    private static final int NO_DESCRIPTOR = -1;
    private static final int SOL_XDP = 283;
    private static final int XDP_MMAP_OFFSETS = 1;
    private static final int XDP_RX_RING = 2;
    private static final int XDP_TX_RING = 3;
    private static final int XDP_UMEM_REG = 4;
    private static final int XDP_UMEM_FILL_RING = 5;
    private static final int XDP_UMEM_COMPLETION_RING = 6;
    private static final int XDP_STATISTICS = 7;
    private static final int XDP_OPTIONS = 8;
    private static final int XDP_MAX_TX_SKB_BUDGET = 9;
    private static final int OPTION_ZERO_COPY = 1;
    private static final int UMEM_TRANSMIT_METADATA = 1 << 2;
    private static final long PAGE_OFFSET_RECEIVE = 0;
    private static final long PAGE_OFFSET_TRANSMIT = 0x8000_0000L;
    private static final long PAGE_OFFSET_FILL = 0x1_0000_0000L;
    private static final long PAGE_OFFSET_COMPLETION = 0x1_8000_0000L;
    private static final int SO_SNDBUF = 7;
    private static final int SO_BUSY_POLL = 46;
    private static final int SO_PREFER_BUSY_POLL = 69;
    private static final int SO_BUSY_POLL_BUDGET = 70;
    private static final int VETH_FRAMES_MAX = 192;
    private static final int FRAME_COST_BYTES_MIN = 768;
    /** Of each ring: producer, consumer, entries, flags, eight bytes each. */
    private static final int OFFSETS_BYTES = 32;

    private final int fd;
    private final List<Mapping> mappings = new ArrayList<>();
    private ProducerRing fill;
    private ProducerRing transmit;
    private ConsumerRing receive;
    private ConsumerRing completion;

    /** A ring's memory in this process. */
    private record Mapping(long address, long lengthBytes, UnsafeBuffer memory) {}

    private XskSocket(int fd) {
        this.fd = fd;
    }

    /** {@return a socket with rings, not bound yet, in the network namespace of the calling thread} */
    static XskSocket open(AfXdpConfig config) throws NicException {
        XskSocket socket = new XskSocket(openDescriptor());
        try {
            socket.createRings(config.ringSizes());
            socket.setOptions(config);
            return socket;
        } catch (NicException e) {
            socket.close();
            throw e;
        }
    }

    /** {@return a socket that the kernel does not know: somebody else has the other ends of its rings; for tests} */
    static XskSocket over(ProducerRing fill, ProducerRing transmit, ConsumerRing receive, ConsumerRing completion) {
        XskSocket socket = new XskSocket(NO_DESCRIPTOR);
        socket.fill = fill;
        socket.transmit = transmit;
        socket.receive = receive;
        socket.completion = completion;
        return socket;
    }

    /**
     * {@return whether the kernel takes frames of several descriptors, which it does since 6.6} It looks at the flags
     * of a binding before it looks for the interface, and no interface has the number 0.
     */
    static boolean knowsScatter() throws NicException {
        int fd = openDescriptor();
        try {
            return Libc.bind(fd, address(0, 0, BIND_SCATTER, 0)) == -Errno.ENODEV.number();
        } finally {
            Libc.close(fd);
        }
    }

    int fd() {
        return fd;
    }

    ProducerRing fill() {
        return fill;
    }

    ProducerRing transmit() {
        return transmit;
    }

    ConsumerRing receive() {
        return receive;
    }

    ConsumerRing completion() {
        return completion;
    }

    /**
     * Registers the pool's memory with the kernel as this socket's own UMEM.
     *
     * @param chunkBytes the parts in which it knows the memory
     * @param metadataBytes what stands before frames to transmit that ask for something, or 0
     */
    void registerUmem(FramePool pool, int chunkBytes, int metadataBytes) throws NicException {
        UnsafeBuffer registration = NativeMemory.allocate(32);
        registration.putLong(0, Libc.addressOf(pool.memory()));
        registration.putLong(8, pool.memory().capacity());
        registration.putInt(16, chunkBytes);
        registration.putInt(24, metadataBytes > 0 ? UMEM_TRANSMIT_METADATA : 0);
        registration.putInt(28, metadataBytes);
        int result = Libc.setsockopt(fd, SOL_XDP, XDP_UMEM_REG, registration);
        if (result == -Errno.ENOBUFS.number() && Libc.raiseLockedMemoryLimit() == 0) {
            result = Libc.setsockopt(fd, SOL_XDP, XDP_UMEM_REG, registration);
        }
        if (result < 0) {
            throw refused(-result, registration);
        }
    }

    /** {@return why the kernel does not take the memory that this registration describes} */
    static NicException refused(int errno, UnsafeBuffer registration) {
        long address = registration.getLong(0);
        long bytes = registration.getLong(8);
        String attempt = "register " + bytes + " bytes of frames with the kernel";
        if (errno == Errno.EINVAL.number()) {
            return new NicException(
                    errno,
                    attempt,
                    "it takes no memory of this shape: chunks of " + registration.getInt(16) + " bytes from address 0x"
                            + Long.toHexString(address) + " on, flags " + registration.getInt(24)
                            + ", with pages of " + UnsafeApi.pageSize()
                            + " bytes; the memory must begin with a page, and a chunk be a power of two from 2048 to a"
                            + " page");
        }
        return new NicException(
                errno,
                attempt,
                "grant CAP_IPC_LOCK, raise the limit of locked memory (LimitMEMLOCK= of a systemd unit, ulimit -l), or use"
                        + " fewer frames (--frames, frameCount)");
    }

    /**
     * Limits what the kernel has in hand for a veth, which holds 256 frames between its ends and silently drops more.
     * Each counts 768 bytes at least, so that at most 192 are on their way; the rest waits in the transmit ring.
     */
    void limitFramesOnVeth() {
        // The kernel doubles what it is told.
        Libc.setsockopt(fd, Libc.SOL_SOCKET, SO_SNDBUF, VETH_FRAMES_MAX * FRAME_COST_BYTES_MIN / 2);
    }

    /** Binds to a queue with a separate UMEM. {@code 0}, or minus the error number. */
    int bind(int interfaceIndex, int queue, int flags) {
        return Libc.bind(fd, address(interfaceIndex, queue, flags, 0));
    }

    /** Binds to a queue, sharing the UMEM (and the flags) of {@code sibling}. {@code 0}, or minus the error number. */
    int bindShared(int interfaceIndex, int queue, XskSocket sibling) {
        return Libc.bind(fd, address(interfaceIndex, queue, BIND_SHARED_UMEM, sibling.fd));
    }

    /** {@return whether the driver moves frames without copying them} */
    boolean isZeroCopy() {
        UnsafeBuffer options = NativeMemory.allocate(Integer.BYTES);
        return Libc.getsockopt(fd, SOL_XDP, XDP_OPTIONS, options) > 0 && (options.getInt(0) & OPTION_ZERO_COPY) != 0;
    }

    /** {@return what the kernel counted} */
    XdpStatistics statistics() {
        UnsafeBuffer counts = NativeMemory.allocate(6 * Long.BYTES);
        if (Libc.getsockopt(fd, SOL_XDP, XDP_STATISTICS, counts) < 0) {
            return XdpStatistics.NONE;
        }
        return new XdpStatistics(
                counts.getLong(0),
                counts.getLong(8),
                counts.getLong(16),
                counts.getLong(24),
                counts.getLong(32),
                counts.getLong(40));
    }

    @Override
    public void close() {
        for (Mapping mapping : mappings) {
            // A use after this is caught by the bounds check instead of by the memory protection.
            mapping.memory().wrap(0, 0);
            Libc.munmap(mapping.address(), mapping.lengthBytes());
        }
        mappings.clear();
        Libc.close(fd);
    }

    private static int openDescriptor() throws NicException {
        int fd = Libc.socket(Libc.AF_XDP, Libc.SOCK_RAW, 0);
        if (fd < 0) {
            String remedy = fd == -Errno.EPERM.number()
                    ? "CAP_NET_RAW missing: run as root or grant it"
                    : "the kernel must be built with CONFIG_XDP_SOCKETS";
            throw new NicException(-fd, "open an AF_XDP socket", remedy);
        }
        return fd;
    }

    private void createRings(RingSizes sizes) throws NicException {
        setRing(XDP_UMEM_FILL_RING, sizes.fillFrames());
        setRing(XDP_UMEM_COMPLETION_RING, sizes.completionFrames());
        setRing(XDP_RX_RING, sizes.receiveFrames());
        setRing(XDP_TX_RING, sizes.transmitFrames());
        UnsafeBuffer offsets = NativeMemory.allocate(4 * OFFSETS_BYTES);
        int length = Libc.getsockopt(fd, SOL_XDP, XDP_MMAP_OFFSETS, offsets);
        if (length != 4 * OFFSETS_BYTES) {
            throw new NicException("the kernel describes AF_XDP rings in " + length + " bytes instead of "
                    + 4 * OFFSETS_BYTES + "; Weir needs Linux 5.4 or newer");
        }
        int descriptor = RingLayout.DESCRIPTOR_BYTES;
        int address = RingLayout.ADDRESS_BYTES;
        RingLayout layout = layout(offsets, 0, sizes.receiveFrames(), descriptor);
        receive = new ConsumerRing(map(PAGE_OFFSET_RECEIVE, layout), layout);
        layout = layout(offsets, 1, sizes.transmitFrames(), descriptor);
        transmit = new ProducerRing(map(PAGE_OFFSET_TRANSMIT, layout), layout);
        layout = layout(offsets, 2, sizes.fillFrames(), address);
        fill = new ProducerRing(map(PAGE_OFFSET_FILL, layout), layout);
        layout = layout(offsets, 3, sizes.completionFrames(), address);
        completion = new ConsumerRing(map(PAGE_OFFSET_COMPLETION, layout), layout);
    }

    private void setRing(int option, int entryCount) throws NicException {
        int result = Libc.setsockopt(fd, SOL_XDP, option, entryCount);
        if (result < 0) {
            throw new NicException(-result, "create an AF_XDP ring of " + entryCount + " entries", "use smaller rings");
        }
    }

    private static RingLayout layout(UnsafeBuffer offsets, int ringIndex, int entryCount, int entryBytes) {
        int at = ringIndex * OFFSETS_BYTES;
        return new RingLayout(
                (int) offsets.getLong(at),
                (int) offsets.getLong(at + 8),
                (int) offsets.getLong(at + 24),
                (int) offsets.getLong(at + 16),
                entryCount,
                entryBytes);
    }

    private UnsafeBuffer map(long pageOffset, RingLayout layout) throws NicException {
        int lengthBytes = layout.memoryBytes();
        long address = Libc.mmap(fd, lengthBytes, pageOffset);
        if (address < 0) {
            throw new NicException(
                    (int) -address, "map an AF_XDP ring of " + lengthBytes + " bytes", "free some memory");
        }
        UnsafeBuffer memory = new UnsafeBuffer(address, lengthBytes);
        mappings.add(new Mapping(address, lengthBytes, memory));
        return memory;
    }

    private void setOptions(AfXdpConfig config) throws NicException {
        // Only a newer kernel has this option; without it a call transmits 32 frames, and the next flush goes on.
        Libc.setsockopt(fd, SOL_XDP, XDP_MAX_TX_SKB_BUDGET, config.transmitBudgetFrames());
        BusyPoll busyPoll = config.busyPoll();
        if (!busyPoll.isAlways()) {
            return;
        }
        int result = Libc.setsockopt(fd, Libc.SOL_SOCKET, SO_PREFER_BUSY_POLL, 1);
        result = result < 0 ? result : Libc.setsockopt(fd, Libc.SOL_SOCKET, SO_BUSY_POLL, busyPoll.microseconds());
        result = result < 0
                ? result
                : Libc.setsockopt(fd, Libc.SOL_SOCKET, SO_BUSY_POLL_BUDGET, busyPoll.budgetFrames());
        if (result < 0) {
            throw new NicException(
                    -result,
                    "turn on busy polling (" + busyPoll + ")",
                    "needs Linux 5.11 and CAP_NET_ADMIN; or turn it off");
        }
    }

    private static UnsafeBuffer address(int interfaceIndex, int queue, int flags, int sharedFd) {
        UnsafeBuffer address = NativeMemory.allocate(16);
        address.putShort(0, (short) Libc.AF_XDP);
        address.putShort(2, (short) flags);
        address.putInt(4, interfaceIndex);
        address.putInt(8, queue);
        address.putInt(12, sharedFd);
        return address;
    }
}
