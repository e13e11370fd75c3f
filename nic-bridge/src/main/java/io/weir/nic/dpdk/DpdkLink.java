package io.weir.nic.dpdk;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.DpdkBinding;
import io.weir.nic.ffi.NativeMemory;
import io.weir.transport.node.PortInfo;
import io.weir.transport.node.StampSources.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device that runs, with what its ports share. Each port has some of its queues, a pool and a thread. The first port
 * looks after the device; the last one to close gives it back.
 *
 * <p>No port waits for another. A device that must be stopped to find its other end is started again once every port
 * has said, in its own poll, that it leaves the queues alone.
 */
final class DpdkLink {
    /** The port that looks after the device. */
    private static final int FIRST = 0;

    private static final Logger LOG = LoggerFactory.getLogger(DpdkLink.class);
    private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** How many times the link is found down before the device is started again: meeting its other end takes time. */
    private static final int STARTS_AFTER = 5;

    private static final int RUNNING = 0;
    private static final int HELD = 1;
    private static final int CLOSED = 2;

    private final DpdkBinding dpdk;
    private final DpdkDevice device;
    private final String name;
    private final long address;
    /** Null where nothing of the kernel's is changed. */
    private final DpdkResidue residue;
    /** Whether the device looks for its other end only when it is started. */
    private final boolean isStartedAgain;

    /** The pool of each port; freed when the last port is closed. */
    private final List<DpdkPool> pools;
    /** What each port does: {@link #RUNNING}, {@link #HELD} or {@link #CLOSED}; each written by its port's thread. */
    private final AtomicIntegerArray portStates;

    /** When the link is asked for next. The first port's thread. */
    private long probeNanos;
    /** How many times in a row the link was found down since the device was started. The first port's thread. */
    private int downCount;
    /** Whether ports are to leave the device alone; written by the first port's thread. */
    private volatile boolean isHolding;
    /** Why frames are stuck for now, or null; written by the first port's thread. */
    private volatile String impairment;
    /** Told of a change of the link, on the first port's thread. */
    private volatile Runnable linkListener = () -> {};
    /** Told once, by the last port to close; set before any port runs. */
    private volatile Runnable closeListener = () -> {};
    /** Whether a port has taken it on itself to give the device back. */
    private final AtomicBoolean isGivenBack = new AtomicBoolean();

    private DpdkLink(DpdkBinding dpdk, DpdkDevice device, DpdkConfig config, Resources resources) {
        this.dpdk = dpdk;
        this.device = device;
        this.name = config.deviceName();
        this.address = resources.link;
        this.residue = resources.residue;
        this.isStartedAgain = device.looksForItsPeerWhenStarted(config);
        this.pools = List.copyOf(resources.pools);
        this.portStates = new AtomicIntegerArray(pools.size());
    }

    /**
     * {@return the ports of a device that was set up and started, each with some of its queues}
     *
     * @param portCount how many
     * @param frameCount frames of each port's pool
     * @param table what a host's ports know of their neighbours, or null for ports of a switch, which take every frame
     */
    static List<DpdkPort> open(DpdkConfig config, int portCount, int frameCount, NeighbourTable table)
            throws NicException {
        DpdkBinding dpdk = Dpdk.start(config);
        DpdkResidue.cleanSocket(config);
        Resources resources = new Resources(dpdk);
        resources.residue = DpdkResidue.note(config);
        try {
            resources.device = DpdkDevice.attach(dpdk, config);
            List<DpdkPort> ports = open(dpdk, config, resources, new Wanted(portCount, frameCount, table));
            resources.areKept = true;
            return ports;
        } finally {
            if (!resources.areKept) {
                resources.giveBack();
            }
        }
    }

    /** What is asked for: see {@link #open(DpdkConfig, int, int, NeighbourTable)}. */
    private record Wanted(int portCount, int frameCount, NeighbourTable table) {}

    private static List<DpdkPort> open(DpdkBinding dpdk, DpdkConfig config, Resources resources, Wanted wanted)
            throws NicException {
        DpdkDevice device = resources.device;
        int portCount = wanted.portCount();
        int queueCount = config.queueCountFor(portCount);
        device.require(config, portCount);
        // A switch measures no delays.
        boolean wantsStamps =
                wanted.table() != null && DpdkStamps.sources(device).receive() != Source.SOFTWARE;
        resources.link =
                dpdk.weir_link_open(device.port(), queueCount, device.mtuBytesToSet(config), wantsStamps ? 1 : 0);
        if (resources.link == 0) {
            throw notSetUp(dpdk, config);
        }
        for (int i = 0; i < portCount; i++) {
            resources.pools.add(DpdkPool.create(dpdk, wanted.frameCount(), config.mtuBytes()));
        }
        for (int i = 0; i < portCount; i++) {
            DpdkPool pool = resources.pools.get(i);
            int queuesOfPort = (queueCount - i + portCount - 1) / portCount;
            int fillFrames = DpdkPort.takeFillFrames(pool.frames(), queuesOfPort);
            long port = dpdk.weir_port_open(resources.link, pool.address(), i, portCount, fillFrames);
            if (port == 0) {
                throw notSetUp(dpdk, config);
            }
            resources.ports.add(port);
        }
        start(dpdk, device, config, resources.link);
        if (wanted.table() == null) {
            dpdk.weir_link_set_promiscuous(resources.link, 1);
        } else {
            dpdk.weir_link_take_groups(resources.link);
        }
        DpdkLink link = new DpdkLink(dpdk, device, config, resources);
        List<DpdkPort> ports = new ArrayList<>();
        for (int i = 0; i < portCount; i++) {
            DpdkPort.Resources parts = new DpdkPort.Resources(
                    link,
                    i,
                    resources.ports.get(i),
                    resources.pools.get(i).frames(),
                    wantsStamps ? new DpdkStamps(dpdk, resources.link) : null);
            PortInfo info = device.info(config, queueCount, wanted.table() == null);
            ports.add(new DpdkPort(dpdk, parts, info, config, wanted.table()));
        }
        return List.copyOf(ports);
    }

    private static NicException notSetUp(DpdkBinding dpdk, DpdkConfig config) {
        int error = dpdk.weir_dpdk_error();
        return new NicException("DPDK does not set up the device " + config.deviceName() + ": " + Errno.describe(error)
                + Dpdk.said(dpdk) + "; check its arguments, mtu and queues");
    }

    private static void start(DpdkBinding dpdk, DpdkDevice device, DpdkConfig config, long link) throws NicException {
        int started = dpdk.weir_link_start(link);
        // Without its other end such a link does not start. That end may come later.
        if (started < 0 && !device.looksForItsPeerWhenStarted(config)) {
            throw new NicException("DPDK does not start the device " + config.deviceName() + ": "
                    + Errno.describe(-started) + Dpdk.said(dpdk)
                    + "; check its arguments, and that nothing else has it");
        }
    }

    /**
     * Looks after the device, if this is the first port. Called with each poll, before it; costs one read of a variable
     * for other ports.
     *
     * @return whether the port may move frames until the next poll
     */
    boolean tend(int portIndex, long nowNanos) {
        if (portIndex == FIRST && nowNanos >= probeNanos) {
            probeNanos = nowNanos + PROBE_NANOS;
            probe();
        }
        if (!isHolding && (portStates.getPlain(portIndex) == RUNNING || canRun(portIndex))) {
            return true;
        }
        portStates.set(portIndex, HELD);
        if (portIndex == FIRST && areAllHeld()) {
            dpdk.weir_link_start(address);
            isHolding = false;
        }
        return false;
    }

    /** Says so first: then either this port sees that it is to hold again, or the first port that this one runs. */
    private boolean canRun(int portIndex) {
        portStates.set(portIndex, RUNNING);
        return !isHolding;
    }

    private void probe() {
        boolean isUp = dpdk.weir_link_is_up(address) > 0;
        downCount = isUp || isHolding ? 0 : downCount + 1;
        if (isStartedAgain && downCount >= STARTS_AFTER) {
            downCount = 0;
            isHolding = true;
        }
        if (isUp == (impairment == null)) {
            return;
        }
        impairment = isUp ? null : "the link of " + name + " is down: the other end is not there, or not up";
        linkListener.run();
    }

    private boolean areAllHeld() {
        for (int i = 0; i < portStates.length(); i++) {
            if (portStates.get(i) == RUNNING) {
                return false;
            }
        }
        return true;
    }

    /** {@return why frames are stuck for now, or null} Any thread. */
    String impairment() {
        return impairment;
    }

    /** Sets what runs on the first port's thread when the link went up or down. */
    void setLinkListener(Runnable listener) {
        linkListener = listener;
    }

    /** Sets what else ends with the last port; before any moves frames. */
    void setCloseListener(Runnable listener) {
        closeListener = listener;
    }

    /**
     * {@return what the device counted, and of its ports what this one copied and dropped} The device's counts are for
     * the first port, so that a sum over the ports is right. The port's thread, until it closes the port.
     */
    DpdkStatistics statistics(int portIndex, long copiedFrames, long droppedFrames) {
        UnsafeBuffer counts = NativeMemory.allocate(6 * Long.BYTES);
        if (portIndex == FIRST) {
            NativeMemory.call(counts, at -> dpdk.weir_link_statistics(address, at));
        }
        return new DpdkStatistics(
                counts.getLong(0),
                counts.getLong(8),
                counts.getLong(16) + counts.getLong(32),
                counts.getLong(24),
                counts.getLong(40),
                copiedFrames,
                droppedFrames);
    }

    /** A port moves no frames any more. The last one stops the device and gives it back, on its thread. */
    void close(int portIndex, boolean isPoolUnused) {
        if (!isPoolUnused) {
            pools.get(portIndex).keep();
        }
        portStates.set(portIndex, CLOSED);
        for (int i = 0; i < portStates.length(); i++) {
            if (portStates.get(i) != CLOSED) {
                return;
            }
        }
        if (!isGivenBack.compareAndSet(false, true)) {
            return;
        }
        dpdk.weir_link_close(address);
        dpdk.weir_device_detach(device.port());
        pools.forEach(DpdkPool::close);
        if (residue != null) {
            residue.close();
        }
        closeListener.run();
        LOG.info("device closed interface={} failure={}", name, impairment);
    }

    /** What an attempt to open has so far. */
    private static final class Resources {
        private final DpdkBinding dpdk;
        private final List<DpdkPool> pools = new ArrayList<>();
        /** Addresses of ports. */
        private final List<Long> ports = new ArrayList<>();
        /** Null where nothing of the kernel's is changed. */
        private DpdkResidue residue;
        /** Null until it is attached. */
        private DpdkDevice device;
        /** The link's address, or 0 until there is one. */
        private long link;
        /** Whether the attempt succeeded. */
        private boolean areKept;

        Resources(DpdkBinding dpdk) {
            this.dpdk = dpdk;
        }

        void giveBack() {
            ports.forEach(dpdk::weir_port_close);
            if (link != 0) {
                dpdk.weir_link_close(link);
            }
            if (device != null) {
                dpdk.weir_device_detach(device.port());
            }
            pools.forEach(DpdkPool::close);
            if (residue != null) {
                residue.close();
            }
        }
    }
}
