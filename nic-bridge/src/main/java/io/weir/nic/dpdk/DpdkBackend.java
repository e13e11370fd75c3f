package io.weir.nic.dpdk;

import io.weir.nic.NicException;
import io.weir.nic.host.CopyingPort;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.PortConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;

/**
 * DPDK, for {@link io.weir.transport.socket.Transport#open(String)}. The interface's name is the path of a file that
 * describes the device, or that description on one line: see docs/DPDK.md.
 */
public final class DpdkBackend implements Backend {
    /** By what the backend is asked for. */
    public static final String NAME = "dpdk";

    /** Rings, and some to spare. */
    private static final int QUEUE_FRAMES_FIRST = PortConfig.FRAME_COUNT_DEFAULT;

    private static final int QUEUE_FRAMES_MORE = 4096;

    /** For the service loader. */
    public DpdkBackend() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Opened open(String interfaceName, PortConfig config, List<InetAddress> furtherAddresses) throws IOException {
        config.requireNoXdp(NAME);
        DpdkConfig device = DpdkConfig.parse(interfaceName).withAddresses(furtherAddresses);
        return DpdkInterface.open(NetNamespace.own(), device, frameCount(config, device.queueCountFor(1)));
    }

    @Override
    public List<Opened> openQueues(
            String interfaceName, int loopCount, PortConfig config, List<InetAddress> furtherAddresses)
            throws IOException {
        config.requireNoXdp(NAME);
        DpdkConfig device = DpdkConfig.parse(interfaceName).withAddresses(furtherAddresses);
        int queuesEachMax = (device.queueCountFor(loopCount) + loopCount - 1) / loopCount;
        return DpdkInterface.openQueues(NetNamespace.own(), device, loopCount, frameCount(config, queuesEachMax));
    }

    /** {@return the frames of a loop's pool: what was asked for, or as many as its queues need} */
    private static int frameCount(PortConfig config, int queueCount) {
        return config.frameCount() != 0 ? config.frameCount() : frameCount(queueCount);
    }

    private static int frameCount(int queueCount) {
        return QUEUE_FRAMES_FIRST + QUEUE_FRAMES_MORE * (queueCount - 1);
    }

    /**
     * {@return a device opened in a network namespace, for drivers that take over an interface of the kernel's there}
     *
     * @param device the path of a file that describes it, or that description on one line
     */
    public static Opened open(NetNamespace namespace, String device, int frameCount) throws NicException {
        return DpdkInterface.open(namespace, DpdkConfig.parse(device), frameCount);
    }

    /**
     * {@return a device opened in a network namespace for so many loops, each with some of its queues and a pool}
     *
     * @param device the path of a file that describes it, or that description on one line
     * @param frameCount frames of each pool
     */
    public static List<Opened> openQueues(NetNamespace namespace, String device, int queueCount, int frameCount)
            throws NicException {
        return DpdkInterface.openQueues(namespace, DpdkConfig.parse(device), queueCount, frameCount);
    }

    /**
     * {@return a device opened as the port of a switch whose frames are of {@code pool}} It takes every frame. DPDK has
     * its frames in separate memory, so each is copied on its way in and out.
     *
     * @param device the path of a file that describes it, or that description on one line
     */
    public static NetPort openForSwitch(NetNamespace namespace, String device, FramePool pool) throws NicException {
        DpdkConfig config = DpdkConfig.parse(device);
        int frameCount = frameCount(config.queueCountFor(1));
        DpdkPort port =
                namespace.call(() -> DpdkLink.open(config, 1, frameCount, null)).get(0);
        return new CopyingPort(port, port.pool(), pool);
    }

    /** {@return the largest IP packet of a device, as its description says} */
    public static int mtuBytes(String device) throws NicException {
        return DpdkConfig.parse(device).mtuBytes();
    }

    @Override
    public NetInterface open(
            String interfaceName, FramePool pool, PortConfig config, List<InetAddress> furtherAddresses) {
        throw new UnsupportedOperationException(
                "frames of a DPDK device lie in DPDK's memory; open it with a number of frames in place of a pool");
    }

    @Override
    public int frameCapacityBytes(String interfaceName) throws IOException {
        return DpdkPool.capacityBytes(DpdkConfig.parse(interfaceName).mtuBytes());
    }
}
