package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.nic.net.KernelVersion;
import io.weir.transport.frame.FramePool;
import java.util.ArrayList;
import java.util.List;

/**
 * The AF_XDP ports that share one frame pool, so that a frame received by one may be transmitted by another without
 * being copied. One for each event loop; owned, like the pool, by that loop's thread, or by the thread that sets it up
 * before.
 */
public final class AfXdp implements AutoCloseable {
    /** The largest MTU whose frames fit the largest slots that the kernel takes. */
    public static final int MTU_BYTES_MAX = Chunks.LARGEST_MTU_BYTES;
    /** The largest MTU whose frames come in one piece from every driver. */
    public static final int ONE_PIECE_MTU_BYTES_MAX = Chunks.PAGE_MTU_BYTES_MAX;

    private final Umem umem;
    private final List<AfXdpPort> ports = new ArrayList<>();

    /** Takes a pool whose slots have 2048 bytes, or one to three times 4096: the kernel takes no others. */
    public AfXdp(FramePool pool) {
        umem = new Umem(pool);
    }

    /**
     * Opens a port. Nothing is changed unless the interface, its limits and the process's rights fit; what was changed
     * is undone when the kernel refuses a later step.
     */
    public AfXdpPort open(AfXdpConfig config) throws NicException {
        AfXdpPort port =
                new PortOpener(config, List.of(umem), ports::remove).open().get(0);
        ports.add(port);
        return port;
    }

    /**
     * {@return a port for each pool, which share the queues and the program of one interface} Queue i is the port's of
     * number i modulo their count, and each transmits by the first of its queues.
     */
    static List<AfXdpPort> openQueues(AfXdpConfig config, List<FramePool> pools) throws NicException {
        return new PortOpener(config, pools.stream().map(Umem::new).toList(), port -> {}).open();
    }

    /**
     * {@return why ports on this driver run their program behind it, or copy, although it could do better; null where
     * nothing is known against it}
     */
    public static String driverProblem(String driver, KernelVersion kernel) {
        String problem = UnsafeNative.problem(driver);
        return problem == null ? UnsafeZeroCopy.problem(driver, kernel) : problem;
    }

    /** {@return the pool that all ports share} */
    public FramePool pool() {
        return umem.pool();
    }

    /** Closes every port that is still open. */
    @Override
    public void close() {
        for (AfXdpPort port : List.copyOf(ports)) {
            port.close();
        }
    }
}
