package io.weir.transport.testing;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortInfo;
import io.weir.transport.node.StampSources;
import io.weir.transport.time.DeviceClock;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A port whose device stamps what it receives and what it transmits by its own clock. A frame waits in the device
 * for up to {@link #DELAY_NANOS_MAX} after it was handed over, as behind a transfer of memory that is under way.
 */
public final class StampingDevice implements NetPort {
    /** The longest that a frame waits in the device. */
    public static final int DELAY_NANOS_MAX = 40_000;

    private static final long PROPAGATION_NANOS = 10_000;

    private final FramePool pool;
    private final SeededRandom random;
    private final long skewNanos;
    private final boolean stamps;
    private final DeviceClock clock = new DeviceClock();
    private final Queue<Passage> incoming = new ArrayDeque<>();
    private final Queue<Passage> departed = new ArrayDeque<>();
    private StampingDevice peer;
    private long nowNanos;
    private long wireNanos;

    /** A frame on its way: when it left, and its bytes. */
    private record Passage(long departedNanos, long ticket, UnsafeBuffer bytes) {}

    /**
     * Creates a device whose clock is {@code skewNanos} ahead; {@code stamps} says whether it tells its driver
     * anything.
     */
    public StampingDevice(FramePool pool, long seed, long skewNanos, boolean stamps) {
        this.pool = pool;
        this.random = new SeededRandom(seed);
        this.skewNanos = skewNanos;
        this.stamps = stamps;
    }

    /** Joins two devices by a wire. */
    public void connect(StampingDevice other) {
        peer = other;
        other.peer = this;
    }

    /** Sets the time before {@link #transmit}. */
    public void tick(long now) {
        nowNanos = now;
    }

    @Override
    public int pollReceive(Node node, int portIndex, int limit, long now) {
        nowNanos = now;
        while (stamps
                && clock.isKnown()
                && !departed.isEmpty()
                && departed.peek().departedNanos() <= now) {
            Passage passage = departed.poll();
            node.onDeparted(portIndex, passage.ticket(), clock.toDriverNanos(passage.departedNanos() + skewNanos));
        }
        int count = 0;
        while (count < limit && !incoming.isEmpty() && incoming.peek().departedNanos() + PROPAGATION_NANOS <= now) {
            receive(node, portIndex, incoming.poll());
            count++;
        }
        return count;
    }

    private void receive(Node node, int portIndex, Passage passage) {
        Frame frame = pool.allocate();
        frame.setExtent(0, passage.bytes().capacity());
        frame.buffer().putBytes(0, passage.bytes(), 0, passage.bytes().capacity());
        if (stamps) {
            long deviceNanos = passage.departedNanos() + PROPAGATION_NANOS + skewNanos;
            frame.setStampNanos(clock.arrivalNanos(deviceNanos, nowNanos));
        }
        node.onFrame(portIndex, frame, nowNanos);
    }

    @Override
    public int transmitCapacity() {
        return Integer.MAX_VALUE;
    }

    @Override
    public void transmit(Frame frame) {
        UnsafeBuffer bytes = new UnsafeBuffer(ByteBuffer.allocateDirect(frame.length()));
        bytes.putBytes(0, frame.buffer(), frame.offset(), frame.length());
        wireNanos = Math.max(wireNanos + bytes.capacity(), nowNanos + random.nextInt(DELAY_NANOS_MAX));
        Passage passage = new Passage(wireNanos, frame.ticket(), bytes);
        if (frame.ticket() != Frame.NO_TICKET) {
            departed.add(passage);
        }
        peer.incoming.add(passage);
        frame.release();
    }

    @Override
    public void flush() {}

    @Override
    public PortInfo info() {
        StampSources.Source source = stamps ? StampSources.Source.HARDWARE : StampSources.Source.SOFTWARE;
        return new PortInfo("fake", "fake", "fake", "a test", new StampSources(source, source, "a test"), 1, 1500, 0);
    }

    @Override
    public String failure() {
        return null;
    }

    @Override
    public int pollFileDescriptor() {
        return -1;
    }

    @Override
    public void close() {}
}
