package io.weir.cli.perf;

import io.weir.transport.scenario.SizeDistribution;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The messages of a workload: their sizes follow a distribution, and they come at the times of a Poisson process that
 * takes a share of the link. Each goes over a connection that has none, or waits for one.
 *
 * <p>First it sends short messages alone, one after the other: the shortest of their times is what a message takes
 * on an idle link besides its own length.
 *
 * <p>It belongs to one loop, which has all its connections.
 */
final class MessageSource {
    /** Enough for one that meets nothing in its way, on a machine that computes. */
    private static final int PROBES = 200;

    private static final int PROBE_BYTES = 1;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BITS_PER_BYTE = 8;
    /** As many as a second brings at a million messages per second. */
    private static final int BACKLOG_MAX = 1 << 20;
    /** Samples of a day at 100 messages per second; later ones are not kept, and counted. */
    private static final int SAMPLES_MAX = 1 << 23;

    private final SizeDistribution sizes;
    private final double meanGapNanos;
    private final SplittableRandom random;
    private final int streamCount;
    private final Deque<MessageStream> idle = new ArrayDeque<>();
    private final List<MessageStream> streams = new ArrayList<>();
    private final Deque<Message> backlog = new ArrayDeque<>();
    private final IdentityHashMap<MessageStream, Message> underway = new IdentityHashMap<>();
    private final LongRing sampleBytes = new LongRing();
    private final LongRing sampleNanos = new LongRing();
    // Short messages that are sent alone yet, and the least time of those before.
    private int probesLeft = PROBES;
    private long baseNanos = Long.MAX_VALUE;
    /** When the next message comes, by System.nanoTime; exact, so that gaps add up. */
    private double nextNanos;

    // Of all messages until now; and whether no more come, set once.
    private long arrivedCount;
    private long arrivedBytes;
    private int backlogMax;
    private long unkept;
    private boolean isStopping;

    /** A message that is due. */
    private record Message(long bytes, long arrivedNanos) {}

    /**
     * Creates a source.
     *
     * @param sizes of messages
     * @param bps how many bits per second all messages are to have, on average
     * @param seed of sizes and times
     */
    MessageSource(SizeDistribution sizes, double bps, long seed, int streamCount) {
        this.sizes = sizes;
        this.meanGapNanos = sizes.meanBytes() * BITS_PER_BYTE * NANOS_PER_SECOND / bps;
        this.random = new SplittableRandom(seed);
        this.streamCount = streamCount;
    }

    /** A connection is there; messages begin when all are. */
    void start(MessageStream stream) {
        streams.add(stream);
        idle.add(stream);
        if (streams.size() == streamCount) {
            probe();
        }
    }

    private void probe() {
        MessageStream stream = idle.remove();
        underway.put(stream, new Message(PROBE_BYTES, System.nanoTime()));
        stream.send(PROBE_BYTES);
    }

    private void begin(MessageStream first) {
        nextNanos = System.nanoTime();
        draw();
        first.eachCycle(this::arrive);
    }

    private void draw() {
        nextNanos -= StrictMath.log(1 - random.nextDouble()) * meanGapNanos;
    }

    private boolean arrive() {
        long now = System.nanoTime();
        while (!isStopping && nextNanos <= now) {
            Message message = new Message(sizes.bytesAt(random.nextDouble()), (long) nextNanos);
            arrivedCount++;
            arrivedBytes += message.bytes;
            if (backlog.size() < BACKLOG_MAX) {
                backlog.add(message);
            } else {
                unkept++;
            }
            draw();
        }
        dispatch();
        return !isStopping;
    }

    private void dispatch() {
        while (!idle.isEmpty() && !backlog.isEmpty()) {
            MessageStream stream = idle.remove();
            Message message = backlog.remove();
            underway.put(stream, message);
            stream.send(message.bytes);
        }
        backlogMax = Math.max(backlogMax, backlog.size());
    }

    /** A message was answered. */
    void onAnswer(MessageStream stream) {
        Message message = underway.remove(stream);
        long nanos = System.nanoTime() - message.arrivedNanos;
        idle.addFirst(stream);
        if (probesLeft > 0) {
            baseNanos = Math.min(baseNanos, nanos);
            probesLeft--;
            if (isStopping) {
                finish();
            } else if (probesLeft > 0) {
                probe();
            } else {
                begin(stream);
            }
            return;
        }
        if (sampleBytes.size() < SAMPLES_MAX) {
            sampleBytes.add(message.bytes);
            sampleNanos.add(nanos);
        } else {
            unkept++;
        }
        dispatch();
        if (isStopping) {
            finish();
        }
    }

    /** No message comes any more; those that have come are sent. */
    void stop() {
        isStopping = true;
        finish();
    }

    private void finish() {
        if (backlog.isEmpty() && underway.isEmpty()) {
            streams.forEach(MessageStream::finish);
        }
    }

    /** {@return what was found, for a link of this rate, and forgets it} */
    WorkloadReport report(TestDetails details, long linkRateBps, long elapsedNanos) {
        int count = sampleBytes.size();
        long[] bytes = new long[count];
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = sampleBytes.remove();
            nanos[i] = sampleNanos.remove();
        }
        double offeredBps = elapsedNanos <= 0 ? 0 : arrivedBytes * BITS_PER_BYTE * NANOS_PER_SECOND / elapsedNanos;
        return WorkloadReport.of(
                new WorkloadReport.Load(
                        details.workload(),
                        TestOptions.load(details),
                        offeredBps,
                        arrivedCount,
                        backlogMax,
                        unkept,
                        baseNanos == Long.MAX_VALUE ? 0 : baseNanos),
                bytes,
                nanos,
                linkRateBps);
    }
}
