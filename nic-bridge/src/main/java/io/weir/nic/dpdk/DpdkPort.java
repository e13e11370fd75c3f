package io.weir.nic.dpdk;

import io.weir.nic.NicException;
import io.weir.nic.ffi.DpdkBinding;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameOwner;
import io.weir.transport.frame.FramePool;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortInfo;
import java.net.InetAddress;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Some of a device's queues as a port, by DPDK. Owned by one thread; what it shares with the device's other ports is in
 * {@link DpdkLink}. A burst of up to 64 frames is one native call, and so is a poll that finds none; a frame costs tens
 * of nanoseconds, no copy and no allocation.
 *
 * <p>It answers the neighbours' questions that come by its queues. Each comes by one queue, so one port answers.
 *
 * <p>Driver and Java share the pool's slots. A frame that was given to transmit comes back when the driver has freed it
 * and needs no more free slots, or as a received one: until then it counts as {@link FrameOwner#TRANSMIT}.
 */
final class DpdkPort implements NetPort {
    /** Slots that the driver has from the beginning: its rings and some to spare. */
    static final int FILL_FRAMES_MIN = 2048;
    /** Slots for each further queue's ring. */
    private static final int FILL_FRAMES_MORE = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(DpdkPort.class);
    private static final int BURST_FRAMES = 64;
    /** Fewer are not worth the lock of the driver's stack. */
    private static final int FILL_FRAMES_WORTH = 32;

    // The beginning of struct weir_port.
    private static final int DESCRIPTOR_BYTES = 24;
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
    /** Not 0 for a received frame whose UDP checksum the device found right. */
    private static final int IS_CHECKED = 12;
    /** When a received frame came by the device's clock, or 0. */
    private static final int STAMP_TICKS = 16;

    private final DpdkBinding dpdk;
    private final DpdkLink link;
    /** Its number among the link's ports. */
    private final int index;

    private final FramePool pool;
    private final long address;
    private final UnsafeBuffer shared;
    private final PortInfo info;
    /** Null where nothing but the loop stamps frames. */
    private final DpdkStamps stamps;
    /** Null for a port of a switch, whose Node gets every frame. */
    private final NeighbourProtocol neighbours;
    /** Null with {@link #neighbours}. */
    private final NeighbourTable table;
    /** By which of our addresses a neighbour is asked for; null with {@link #neighbours}. */
    private final Sources sources;
    /** Answers and questions that are not handed to the driver yet. */
    private final FrameQueue replies = new FrameQueue();
    /** Descriptors that are written and that the driver has not taken. */
    private int pendingCount;
    /** Whether the link is being started again, and the driver must not be called; set by each poll. */
    private boolean isHeld;

    // Counts since the port was opened, for reports; the loop's thread raises them.
    private long nativeCalls;
    private long poolEmptyCount;
    /** Whether the port is given back; set once, by close() on the loop's thread. */
    private boolean closed;
    /** What the driver counted until the port was closed; before, the driver is asked. */
    private DpdkStatistics lastStatistics = DpdkStatistics.NONE;

    /** Which of our addresses is the source of a frame to a host. */
    @FunctionalInterface
    interface Sources {
        /** {@return an address of ours of the same family, or null} */
        InetAddress sourceFor(InetAddress target);
    }

    /**
     * The resources that a port uses.
     *
     * @param link what it shares with other ports of the device
     * @param index its number among them
     * @param address where the library's part is
     * @param pool the frames, of which {@link #takeFillFrames} took those to receive into
     * @param stamps when frames came, or null where nothing but the loop stamps them
     */
    record Resources(DpdkLink link, int index, long address, FramePool pool, DpdkStamps stamps) {}

    /** Creates a port that runs; with a table it is a host's, which answers for its addresses, else of a switch. */
    DpdkPort(DpdkBinding dpdk, Resources resources, PortInfo info, DpdkConfig config, NeighbourTable table) {
        this.dpdk = dpdk;
        this.link = resources.link();
        this.index = resources.index();
        this.address = resources.address();
        this.pool = resources.pool();
        this.stamps = resources.stamps();
        this.shared = new UnsafeBuffer(address, SHARED_BYTES);
        this.info = info;
        this.table = table;
        this.neighbours = table == null
                ? null
                : new NeighbourProtocol(
                        info.macAddress(),
                        config.addresses().stream()
                                .map(DpdkConfig.Network::address)
                                .toList(),
                        table);
        this.sources = table == null ? null : config::sourceFor;
        LOG.info(
                "port opened interface={} index={} backend=dpdk mode={} mtuBytes={} stamps=\"{}\"",
                info.name(),
                index,
                info.mode(),
                info.mtuBytes(),
                info.stamps().line());
    }

    /**
     * Takes the slots that the driver has from the beginning, from a pool that nobody else uses.
     *
     * @return how many: the first ones
     */
    static int takeFillFrames(FramePool pool, int queueCount) throws NicException {
        int fillFrames = FILL_FRAMES_MIN + FILL_FRAMES_MORE * (queueCount - 1);
        if (pool.available() <= 2 * fillFrames) {
            throw new NicException("the pool has " + pool.available() + " frames; a DPDK port of " + queueCount
                    + " queues needs more than " + 2 * fillFrames + ", half of them to receive into; raise frameCount");
        }
        for (int i = 0; i < fillFrames; i++) {
            // A fresh pool gives them in their order, which is what the library takes.
            if (pool.allocate(FrameOwner.FILL).index() != i) {
                throw new IllegalStateException("a DPDK port needs a pool of which nothing was taken");
            }
        }
        return fillFrames;
    }

    @Override
    public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
        if (closed) {
            return 0;
        }
        isHeld = !link.tend(index, nowNanos);
        if (isHeld) {
            return 0;
        }
        nativeCalls++;
        int count = dpdk.weir_port_receive(address, fill(), Math.min(limit, BURST_FRAMES));
        takeBack();
        for (int i = 0; i < count; i++) {
            int at = RECEIVED_AT + i * DESCRIPTOR_BYTES;
            Frame frame = pool.reclaim(shared.getInt(at + INDEX));
            frame.setExtent(shared.getInt(at + OFFSET), shared.getInt(at + LENGTH));
            frame.setIngressPort(portIndex);
            if (shared.getInt(at + IS_CHECKED) != 0) {
                frame.setUdpChecked();
            }
            if (stamps != null) {
                stamps.onReceived(frame, shared.getLong(at + STAMP_TICKS), nowNanos);
            }
            if (neighbours != null) {
                PriorityTag.drop(frame);
            }
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
        if (closed || isHeld) {
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
        return link.impairment();
    }

    DpdkLink link() {
        return link;
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

    /** {@return received frames with a stamp of the device or its driver} */
    long stampedCount() {
        return stamps == null ? 0 : stamps.stampedCount();
    }

    /** {@return received frames that should have had one} */
    long unstampedCount() {
        return stamps == null ? 0 : stamps.unstampedCount();
    }

    /** {@return how often the driver wanted slots and the pool had too few} */
    long poolEmptyCount() {
        return poolEmptyCount;
    }

    /**
     * {@return what the port counted, and for the first of a device's ports also what the device did; of a closed port,
     * until it was closed. The port's thread.}
     */
    DpdkStatistics statistics() {
        return closed
                ? lastStatistics
                : link.statistics(index, shared.getLong(COPIED_COUNT_AT), shared.getLong(DROPPED_COUNT_AT));
    }

    /** The last of a device's ports to be closed gives the device and all pools back. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        lastStatistics = statistics();
        closed = true;
        dpdk.weir_port_close(address);
        replies.releaseAll();
        // Until the device is gone its driver may touch these slots. Their memory stays until then, and nobody else
        // uses it.
        for (int i = 0; i < pool.frameCount(); i++) {
            FrameOwner owner = pool.frame(i).owner();
            if (owner == FrameOwner.FILL || owner == FrameOwner.TRANSMIT) {
                pool.reclaim(i).release();
            }
        }
        LOG.info("port closed interface={} index={} {} stamps=\"{}\"", info.name(), index, lastStatistics, stamps);
        link.close(index, pool.available() == pool.frameCount());
    }
}
