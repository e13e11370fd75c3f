package io.weir.nic.dpdk;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.DpdkBinding;
import io.weir.nic.ffi.NativeMemory;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameOwner;
import io.weir.transport.frame.FramePool;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortInfo;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device's queues as one port, by DPDK. Owned by one thread. A burst of up to 64 frames is one native call, and so is
 * a poll that finds none; a frame costs tens of nanoseconds, no copy and no allocation.
 *
 * <p>Driver and Java share the pool's slots. A frame that was given to transmit comes back when the driver has freed it
 * and needs no more free slots, or as a received one: until then it counts as {@link FrameOwner#TRANSMIT}.
 */
final class DpdkPort implements NetPort {
    /** Slots that the driver has from the beginning: its rings and some to spare. */
    static final int FILL_FRAMES_MIN = 2048;

    private static final Logger LOG = LoggerFactory.getLogger(DpdkPort.class);
    private static final int BURST_FRAMES = 64;
    /** Fewer are not worth the lock of the driver's stack. */
    private static final int FILL_FRAMES_WORTH = 32;

    private static final long LINK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** How many times the link is found down before the device is started again: meeting its other end takes time. */
    private static final int STARTS_AFTER = 5;

    private static final String MEMIF = "net_memif";

    // The beginning of struct weir_port.
    private static final int DESCRIPTOR_BYTES = 16;
    private static final int RECEIVED_AT = 0;
    private static final int TRANSMIT_AT = BURST_FRAMES * DESCRIPTOR_BYTES;
    private static final int FILL_FRAMES_MAX = 256;
    private static final int FILL_AT = 2 * BURST_FRAMES * DESCRIPTOR_BYTES;
    private static final int BACK_AT = FILL_AT + FILL_FRAMES_MAX * Integer.BYTES;
    private static final int BACK_COUNT_AT = BACK_AT + FILL_FRAMES_MAX * Integer.BYTES;
    private static final int WANT_COUNT_AT = BACK_COUNT_AT + Integer.BYTES;
    private static final int COPIED_COUNT_AT = WANT_COUNT_AT + Integer.BYTES;
    private static final int DROPPED_COUNT_AT = COPIED_COUNT_AT + Long.BYTES;
    private static final int SHARED_BYTES = DROPPED_COUNT_AT + Long.BYTES;
    private static final int INDEX = 0;
    private static final int OFFSET = 4;
    private static final int LENGTH = 8;

    private final DpdkBinding dpdk;
    private final DpdkDevice device;
    private final DpdkPool memory;
    private final FramePool pool;
    private final long address;
    private final UnsafeBuffer shared;
    private final PortInfo info;
    /** Null for a port of a switch, whose Node gets every frame. */
    private final NeighbourProtocol neighbours;
    /** Null with {@link #neighbours}. */
    private final NeighbourTable table;
    /** By which of our addresses a neighbour is asked for; null with {@link #neighbours}. */
    private final Sources sources;
    /** Null where nothing of the kernel's is changed. */
    private final DpdkResidue residue;
    /** Whether the device looks for its other end only when it is started. */
    private final boolean isStartedAgain;

    /** Answers and questions that are not handed to the driver yet. */
    private final FrameQueue replies = new FrameQueue();
    /** Descriptors that are written and that the driver has not taken. */
    private int pendingCount;
    /** When the link is asked for next. */
    private long linkNanos;
    /** How many times in a row the link was found down since the device was started. */
    private int downCount;

    // Counts since the port was opened, for reports; the loop's thread raises them.
    private long nativeCalls;
    private long poolEmptyCount;
    /** Whether the device is given back; set once, by close() on the loop's thread. */
    private boolean closed;
    // Why frames are stuck for now, or null, and who is told of a change; any thread reads the first.
    private volatile String impairment;
    private volatile Runnable linkListener = () -> {};
    /** Told once, by close(); set before the port runs, never null. */
    private Runnable closeListener = () -> {};
    /** What the driver counted until the port was closed; before, the driver is asked. */
    private DpdkStatistics lastStatistics = DpdkStatistics.NONE;

    /** Which of our addresses is the source of a frame to a host. */
    @FunctionalInterface
    interface Sources {
        /** {@return an address of ours of the same family, or null} */
        InetAddress sourceFor(InetAddress target);
    }

    private DpdkPort(
            DpdkBinding dpdk,
            DpdkDevice device,
            DpdkPool memory,
            long address,
            PortInfo info,
            NeighbourProtocol neighbours,
            NeighbourTable table,
            Sources sources,
            DpdkResidue residue,
            boolean isStartedAgain) {
        this.dpdk = dpdk;
        this.device = device;
        this.memory = memory;
        this.pool = memory.frames();
        this.address = address;
        this.shared = new UnsafeBuffer(address, SHARED_BYTES);
        this.info = info;
        this.neighbours = neighbours;
        this.table = table;
        this.sources = sources;
        this.residue = residue;
        this.isStartedAgain = isStartedAgain;
        LOG.info(
                "port opened interface={} backend=dpdk mode={} mtuBytes={} stamps=\"{}\"",
                info.name(),
                info.mode(),
                info.mtuBytes(),
                info.stamps().line());
    }

    /**
     * Opens a port of a device that was attached; with a table it is a host's, which answers for its addresses, and
     * without one of a switch.
     */
    static DpdkPort open(
            DpdkBinding dpdk,
            DpdkDevice device,
            DpdkPool memory,
            DpdkConfig config,
            NeighbourTable table,
            DpdkResidue residue)
            throws NicException {
        device.require(config);
        FramePool pool = memory.frames();
        int fillFrames = FILL_FRAMES_MIN + 1024 * (config.queueCount() - 1);
        if (pool.available() <= 2 * fillFrames) {
            throw new NicException("the pool has " + pool.available() + " frames; a DPDK port of " + config.queueCount()
                    + " queues needs more than " + 2 * fillFrames + ", half of them to receive into; raise frameCount");
        }
        for (int i = 0; i < fillFrames; i++) {
            // A fresh pool gives them in their order, which is what the library takes.
            if (pool.allocate(FrameOwner.FILL).index() != i) {
                throw new IllegalStateException("a DPDK port needs a pool of which nothing was taken");
            }
        }
        long address = dpdk.weir_port_open(
                memory.address(), device.port(), config.queueCount(), device.mtuBytesToSet(config), fillFrames);
        if (address == 0) {
            int error = dpdk.weir_dpdk_error();
            throw new NicException("DPDK does not set up the device " + config.deviceName() + ": "
                    + Errno.describe(error) + Dpdk.said(dpdk) + "; check its arguments, mtu and queues");
        }
        boolean isMemifClient = device.driver().equals(MEMIF) && !"server".equals(config.deviceArgument("role"));
        int started = dpdk.weir_port_start(address);
        // Without its other end the client of such a link does not start. That end may come later.
        if (started < 0 && !isMemifClient) {
            String said = Dpdk.said(dpdk);
            dpdk.weir_port_close(address);
            throw new NicException("DPDK does not start the device " + config.deviceName() + ": "
                    + Errno.describe(-started) + said + "; check its arguments, and that nothing else has it");
        }
        PortInfo info = new PortInfo(
                config.deviceName(),
                DpdkBackend.NAME,
                device.driver() + (config.queueCount() > 1 ? "/" + config.queueCount() + " queues" : ""),
                "asked for",
                device.stamps(),
                device.macAddress(),
                config.mtuBytes(),
                device.linkRateBps());
        if (table == null) {
            dpdk.weir_port_set_promiscuous(address, 1);
            return new DpdkPort(dpdk, device, memory, address, info, null, null, null, residue, isMemifClient);
        }
        dpdk.weir_port_take_groups(address);
        NeighbourProtocol neighbours = new NeighbourProtocol(
                device.macAddress(),
                config.addresses().stream().map(DpdkConfig.Network::address).toList(),
                table);
        return new DpdkPort(
                dpdk, device, memory, address, info, neighbours, table, config::sourceFor, residue, isMemifClient);
    }

    @Override
    public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
        if (closed) {
            return 0;
        }
        if (nowNanos >= linkNanos) {
            linkNanos = nowNanos + LINK_NANOS;
            probeLink();
        }
        nativeCalls++;
        int count = dpdk.weir_port_receive(address, fill(), Math.min(limit, BURST_FRAMES));
        takeBack();
        for (int i = 0; i < count; i++) {
            int at = RECEIVED_AT + i * DESCRIPTOR_BYTES;
            Frame frame = pool.reclaim(shared.getInt(at + INDEX));
            frame.setExtent(shared.getInt(at + OFFSET), shared.getInt(at + LENGTH));
            frame.setIngressPort(portIndex);
            if (neighbours != null && NeighbourProtocol.isOurs(frame)) {
                onNeighbourFrame(frame);
            } else {
                node.onFrame(portIndex, frame, nowNanos);
            }
        }
        return count;
    }

    /** {@return how many slots were written for the driver, of those that it wanted last time} */
    private int fill() {
        int wanted = shared.getInt(WANT_COUNT_AT);
        if (wanted < FILL_FRAMES_WORTH) {
            return 0;
        }
        int count = wanted;
        if (pool.available() < wanted) {
            poolEmptyCount++;
            count = pool.available();
        }
        for (int i = 0; i < count; i++) {
            shared.putInt(
                    FILL_AT + i * Integer.BYTES, pool.allocate(FrameOwner.FILL).index());
        }
        return count;
    }

    private void takeBack() {
        int count = shared.getInt(BACK_COUNT_AT);
        for (int i = 0; i < count; i++) {
            pool.reclaim(shared.getInt(BACK_AT + i * Integer.BYTES)).release();
        }
    }

    private void onNeighbourFrame(Frame frame) {
        if (neighbours.onFrame(frame)) {
            replies.add(frame);
        } else {
            frame.release();
        }
    }

    @Override
    public int transmitCapacity() {
        return closed ? 0 : BURST_FRAMES - pendingCount;
    }

    @Override
    public void transmit(Frame frame) {
        if (closed) {
            frame.release();
            return;
        }
        frame.transfer(FrameOwner.HELD, FrameOwner.TRANSMIT);
        int at = TRANSMIT_AT + pendingCount++ * DESCRIPTOR_BYTES;
        shared.putInt(at + INDEX, frame.index());
        shared.putInt(at + OFFSET, frame.offset());
        shared.putInt(at + LENGTH, frame.length());
    }

    @Override
    public void flush() {
        if (closed) {
            return;
        }
        if (table != null) {
            addNeighbourFrames();
        }
        if (pendingCount == 0) {
            return;
        }
        nativeCalls++;
        int taken = dpdk.weir_port_transmit(address, 0, pendingCount);
        pendingCount -= taken;
        if (pendingCount > 0 && taken > 0) {
            // The rest goes first next time.
            shared.putBytes(
                    TRANSMIT_AT, shared, TRANSMIT_AT + taken * DESCRIPTOR_BYTES, pendingCount * DESCRIPTOR_BYTES);
        }
    }

    private void addNeighbourFrames() {
        while (pendingCount < BURST_FRAMES && !replies.isEmpty()) {
            transmit(replies.poll());
        }
        for (InetAddress wanted = nextQuestion(); wanted != null; wanted = nextQuestion()) {
            InetAddress ours = sources.sourceFor(wanted);
            if (ours != null) {
                Frame question = pool.allocate();
                neighbours.writeQuestion(question, ours, wanted);
                transmit(question);
            }
        }
    }

    private InetAddress nextQuestion() {
        return pendingCount < BURST_FRAMES && pool.available() > 0 ? table.pollQuestion() : null;
    }

    private void probeLink() {
        boolean isUp = dpdk.weir_port_is_up(address) > 0;
        downCount = isUp ? 0 : downCount + 1;
        if (isStartedAgain && downCount >= STARTS_AFTER) {
            downCount = 0;
            dpdk.weir_port_start(address);
        }
        if (isUp == (impairment == null)) {
            return;
        }
        impairment = isUp ? null : "the link of " + info.name() + " is down: the other end is not there, or not up";
        linkListener.run();
    }

    @Override
    public long lostFrames() {
        DpdkStatistics counted = statistics();
        return counted.missedFrames() + counted.erroneousFrames() + counted.droppedFrames();
    }

    @Override
    public PortInfo info() {
        return info;
    }

    @Override
    public String failure() {
        return impairment;
    }

    /** Sets what runs on the port's thread when the link went up or down. */
    void setLinkListener(Runnable listener) {
        linkListener = listener;
    }

    /** Sets what else ends with the port; before it moves any frames. */
    void setCloseListener(Runnable listener) {
        closeListener = listener;
    }

    @Override
    public int pollFileDescriptor() {
        return -1;
    }

    FramePool pool() {
        return pool;
    }

    /** {@return native calls that moved frames, or found none, since the port was opened} */
    long nativeCallCount() {
        return nativeCalls;
    }

    /** {@return how often the driver wanted slots and the pool had too few} */
    long poolEmptyCount() {
        return poolEmptyCount;
    }

    /** {@return what device and port counted; of a closed port, until it was closed. The port's thread.} */
    DpdkStatistics statistics() {
        if (closed) {
            return lastStatistics;
        }
        UnsafeBuffer counts = NativeMemory.allocate(6 * Long.BYTES);
        NativeMemory.call(counts, at -> dpdk.weir_port_statistics(address, at));
        return new DpdkStatistics(
                counts.getLong(0),
                counts.getLong(8),
                counts.getLong(16) + counts.getLong(32),
                counts.getLong(24),
                counts.getLong(40),
                shared.getLong(COPIED_COUNT_AT),
                shared.getLong(DROPPED_COUNT_AT));
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        lastStatistics = statistics();
        closed = true;
        dpdk.weir_port_close(address);
        dpdk.weir_device_detach(device.port());
        replies.releaseAll();
        // The device is gone, and with it every claim to a slot.
        for (int i = 0; i < pool.frameCount(); i++) {
            FrameOwner owner = pool.frame(i).owner();
            if (owner == FrameOwner.FILL || owner == FrameOwner.TRANSMIT) {
                pool.reclaim(i).release();
            }
        }
        memory.close();
        if (residue != null) {
            residue.close();
        }
        closeListener.run();
        LOG.info("port closed interface={} failure={} {}", info.name(), impairment, lastStatistics);
    }
}
