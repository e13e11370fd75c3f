package io.weir.transport.testing;

import io.weir.transport.host.ConnectionTimers;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.switching.EcnConfig;
import io.weir.transport.switching.QueueMeter;
import io.weir.transport.switching.SwitchPort;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * N hosts that send to one, over one switch whose port to it is the bottleneck: what reactive protocols are measured
 * by. Windows, queues and bytes are read between steps of virtual time.
 */
public final class Bottleneck implements AutoCloseable {
    /** Payload of a full segment over IPv4. */
    public static final int SEGMENT_BYTES = 1424;
    /** What such a segment occupies on a link. */
    public static final int WIRE_BYTES = 1538;

    private static final int STREAM_BYTES = 1 << 23;
    private static final int FRAMES_IN_FLIGHT_MAX = 1 << 13;
    private static final int GAPS_MAX = 1 << 10;
    private static final int FRAMES = 1 << 15;
    private static final int ALWAYS = 1_000_000;

    private final int flowCount;
    private final long rateBps;
    private final TestNetwork network;
    private final List<BulkFlow> senders = new ArrayList<>();
    private final List<BulkFlow> receivers = new ArrayList<>();

    /**
     * The shape of a network.
     *
     * @param flows how many hosts send
     * @param edgeRateBps the rate of their links
     * @param rateBps the rate of the bottleneck
     * @param rttNanos the round trip by propagation alone
     * @param queueFrames what the bottleneck's queue holds
     * @param markFrames from how many waiting frames on everything is marked, or 0 for no marks
     */
    public record Shape(int flows, long edgeRateBps, long rateBps, long rttNanos, int queueFrames, int markFrames) {
        /** {@return full segments that fill the round trip, without a queue} */
        public double pipeSegments() {
            return rateBps * (rttNanos / 1e9) / 8 / WIRE_BYTES;
        }
    }

    /** Builds the network; flows start with {@link #start}. */
    public Bottleneck(Shape shape, ProtocolConfig protocol, long seed) {
        flowCount = shape.flows();
        rateBps = shape.rateBps();
        EcnConfig ecn = shape.markFrames() == 0
                ? null
                : new EcnConfig((long) shape.markFrames() * WIRE_BYTES, (long) shape.markFrames() * WIRE_BYTES, ALWAYS);
        network = new TestNetwork(seed, shape.edgeRateBps(), protocol, FRAMES)
                .lastLinkRate(shape.rateBps())
                .hostOptions(host -> withRoom(host, shape.rttNanos()))
                .star(flowCount + 1, shape.rttNanos() / 4, port -> port.dataQueueBytesMax(
                                (long) shape.queueFrames() * WIRE_BYTES)
                        .ecn(ecn));
    }

    private static HostConfig.Builder withRoom(HostConfig.Builder host, long rttNanos) {
        StreamLimits usual = StreamLimits.DEFAULT;
        ConnectionTimers timers = ConnectionTimers.DEFAULT;
        return host.payload(Payload.ELIDED)
                .timers(timers.toBuilder()
                        .retransmitNanosInitial(Math.max(timers.retransmitNanosInitial(), 3 * rttNanos))
                        .retransmitNanosMin(Math.max(timers.retransmitNanosMin(), rttNanos))
                        .build())
                .streams(StreamLimits.fixed(STREAM_BYTES, STREAM_BYTES)
                        .withGapsMax(GAPS_MAX)
                        .withFramesInFlightMax(FRAMES_IN_FLIGHT_MAX)
                        .withAckFrames(usual.ackFrames()));
    }

    /** Starts the next flow at {@code atNanos}; it has always something to send. */
    public void start(long atNanos) {
        BulkFlow sender = BulkFlow.sender();
        BulkFlow receiver = BulkFlow.receiver();
        senders.add(sender);
        receivers.add(receiver);
        network.connect(atNanos, senders.size(), flowCount + 1, sender, receiver);
    }

    /** Starts all flows, {@code staggerNanos} apart. */
    public Bottleneck startAll(long staggerNanos) {
        for (int i = 0; i < flowCount; i++) {
            start(i * staggerNanos);
        }
        return this;
    }

    /** Loses {@code count} data frames of the first flow, every other one, from {@code fromNanos} on. */
    public void loseEveryOther(int count, long fromNanos) {
        int[] seen = new int[1];
        network.host(1).link(0).setFilter((frame, now) -> {
            boolean counts = now >= fromNanos && frame.wireBytes() == WIRE_BYTES && seen[0] < 2 * count;
            return !counts || seen[0]++ % 2 == 1;
        });
    }

    /** Runs until {@code untilNanos}. */
    public void run(long untilNanos) {
        network.simulator().run(untilNanos);
    }

    /** Runs until {@code untilNanos}, and after each {@code stepNanos} looks. */
    public void run(long untilNanos, long stepNanos, LongConsumer look) {
        for (long now = network.simulator().nowNanos() + stepNanos; now <= untilNanos; now += stepNanos) {
            network.simulator().run(now);
            look.accept(now);
        }
    }

    /** {@return the window of flow {@code index}, in segments; 0 before it stands} */
    public double window(int index) {
        BulkFlow sender = senders.get(index);
        return sender.connection() == null ? 0 : (double) sender.connection().congestionWindowBytes() / SEGMENT_BYTES;
    }

    /** {@return payload that has come from each flow} */
    public long[] received() {
        return receivers.stream().mapToLong(BulkFlow::receivedBytes).toArray();
    }

    /** {@return bytes that flow {@code index} has retransmitted} */
    public long repeatedBytes(int index) {
        return senders.get(index).connection().retransmittedBytes();
    }

    /** {@return retransmission time-outs of flow {@code index}'s host} */
    public long timeouts(int index) {
        return network.stack(index + 1).counters().get(CounterId.RETRANSMISSION_TIMEOUTS);
    }

    /** {@return full frames in the bottleneck's queue} */
    public double queue() {
        return (double) port().dataQueueBytes() / WIRE_BYTES;
    }

    /** {@return a meter of the bottleneck's queue from now on} */
    public QueueMeter meter() {
        QueueMeter meter =
                new QueueMeter(port().dataQueueBytes(), network.simulator().nowNanos());
        port().setQueueMeter(meter);
        return meter;
    }

    /** {@return frames dropped at the bottleneck} */
    public long drops() {
        return port().counters().get(CounterId.DROP_DATA_QUEUE);
    }

    /** {@return bytes that the bottleneck has sent} */
    public long sentBytes() {
        return port().counters().get(CounterId.WIRE_BYTES_SENT);
    }

    /** {@return {@code bytes} in {@code nanos} as a share of the bottleneck} */
    public double share(long bytes, long nanos) {
        return bytes * 8e9 / nanos / rateBps;
    }

    /** {@return Jain's index of what came since {@code before}} */
    public double jain(long[] before) {
        long[] now = received();
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < now.length; i++) {
            double bytes = now[i] - before[i];
            sum += bytes;
            squares += bytes * bytes;
        }
        return squares == 0 ? 0 : sum * sum / (now.length * squares);
    }

    private SwitchPort port() {
        return network.pipeline().port(flowCount);
    }

    /** {@return the network} */
    public TestNetwork network() {
        return network;
    }

    @Override
    public void close() {
        network.close();
    }
}
