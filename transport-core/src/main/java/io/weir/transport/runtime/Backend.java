package io.weir.transport.runtime;

import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;

/**
 * A way to reach a network, found by {@link java.util.ServiceLoader}: a module that is on the class path offers its
 * own.
 */
public interface Backend {
    /** {@return the name by which it is asked for, such as {@code afxdp}} */
    String name();

    /**
     * {@return whether somebody on this host offers the interface to its processes by this backend} Then a transport
     * that names no backend uses this one, since who offers it has the interface's queues.
     */
    default boolean isOffered(String interfaceName) {
        return false;
    }

    /**
     * Checks what can be known of an interface without opening it, such as that it exists and that this process has the
     * rights. A transport asks before it spends time on anything else; opening checks again.
     *
     * @throws IOException as {@link #open(String, FramePool, PortConfig, List)}
     */
    default void requireOpenable(String interfaceName) throws IOException {
        // What a backend cannot know yet is told by its open.
    }

    /**
     * Opens an interface of this host, after checking everything that can be checked without changing anything.
     *
     * @param interfaceName the interface's name, such as {@code eth0}
     * @param pool where the port's frames come from
     * @param config what else there is to choose; what the backend has no choice of is refused
     * @param furtherAddresses addresses that are ours next to the interface's own
     * @throws IOException if it cannot be opened; the message has the reason and the remedy
     */
    NetInterface open(String interfaceName, FramePool pool, PortConfig config, List<InetAddress> furtherAddresses)
            throws IOException;

    /**
     * An interface with the pool that its frames come from.
     *
     * @param netInterface the interface, whose port has the pool
     * @param pool its pool
     */
    record Opened(NetInterface netInterface, FramePool pool) {}

    /**
     * Opens an interface with a pool for it alone. A backend whose frames lie in the backend's memory makes the pool
     * there.
     *
     * @param config its frames; what the backend has no choice of is refused
     * @throws IOException as {@link #open(String, FramePool, PortConfig, List)}
     */
    default Opened open(String interfaceName, PortConfig config, List<InetAddress> furtherAddresses)
            throws IOException {
        config.requireNoXdp(name());
        FramePool pool = new FramePool(config.frameCountOrDefault(), frameCapacityBytes(interfaceName));
        return new Opened(open(interfaceName, pool, config, furtherAddresses), pool);
    }

    /**
     * Opens an interface for several loops: each has some of its queues, a port for these, and a pool. What is asked of
     * the interface as a whole (ways, claims, changes) is asked of the first.
     *
     * @param loopCount how many loops; at least 2
     * @param config the frames of each pool, and what else there is to choose
     * @throws IOException as {@link #open(String, FramePool, PortConfig, List)}, and if the interface has fewer queues
     */
    default List<Opened> openQueues(
            String interfaceName, int loopCount, PortConfig config, List<InetAddress> furtherAddresses)
            throws IOException {
        throw oneLoopOnly(loopCount);
    }

    /**
     * As {@link #openQueues(String, int, PortConfig, List)}, with a pool for each loop that there is already: for an
     * interface that is opened again.
     *
     * @throws IOException as {@link #open(String, FramePool, PortConfig, List)}, and if the interface has fewer queues
     */
    default List<NetInterface> openQueues(
            String interfaceName, List<FramePool> pools, PortConfig config, List<InetAddress> furtherAddresses)
            throws IOException {
        throw oneLoopOnly(pools.size());
    }

    private ConfigException oneLoopOnly(int loopCount) {
        return new ConfigException("queueCount=" + loopCount + " is more than the 1 that backend " + name()
                + " has of an interface; leave it 1, or use afxdp");
    }

    /**
     * {@return the bytes of a frame slot that an interface needs}
     *
     * @throws IOException if there is no such interface, or its MTU is beyond what the backend can do
     */
    int frameCapacityBytes(String interfaceName) throws IOException;
}
