package io.weir.cli.perf;

import io.weir.cli.perf.carrier.Link;
import io.weir.cli.traffic.StreamSource;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;

/**
 * Sends requests, and notes how long each takes until its whole response is there. The next one begins when one is
 * answered, so that a number of them wait; or at a rate, whether earlier ones were answered or not.
 *
 * <p>Design notes: at a rate a request's latency counts from when it should have begun. To count from when it did would
 * leave out the wait of all that a pause keeps from beginning ("coordinated omission").
 */
final class Requester extends DataStream {
    private static final double NANOS_PER_SECOND = 1e9;
    /** A second of silence at a million requests per second. */
    private static final int WAITING_MAX = 1 << 20;

    private final int messageBytes;
    private final int outstanding;
    /** Between the requests of this stream, or 0 where responses have them begin. */
    private final double gapNanos;
    /** By how much this stream's requests begin after those of the first. */
    private final double phaseNanos;

    private final StreamSource source;
    private final Histogram latencies = Latency.newHistogram();
    private final LongRing beginnings = new LongRing();
    /** What all requests until now have; the rest of the latest is written when there is room. */
    private long askedBytes;
    /** What has come of the response that is due. */
    private int responseBytes;
    // When the stream began, by System.nanoTime, and how many requests a rate had begin since.
    private long beganNanos;
    private long begunCount;
    /** Of all responses; only onData raises it. */
    private long bytes;
    /** Whether the time is over: no request follows the responses that are due. */
    private boolean isStopping;

    Requester(int index, TestSpec spec, Owner owner) {
        super(index, true, owner);
        TestDetails details = spec.details();
        this.messageBytes = spec.lengthBytes();
        this.outstanding = details.outstanding();
        this.source = new StreamSource(Math.max(messageBytes, Responder.CHUNK_BYTES), null);
        double rate = details.requestsPerSecond();
        this.gapNanos = rate == 0 ? 0 : NANOS_PER_SECOND * spec.parallel() / rate;
        this.phaseNanos = rate == 0 ? 0 : index * NANOS_PER_SECOND / rate;
    }

    @Override
    void start() {
        super.start();
        beganNanos = System.nanoTime();
        if (gapNanos > 0) {
            eachCycle(this::begin);
            return;
        }
        for (int i = 0; i < outstanding; i++) {
            request(beganNanos);
        }
        onWritable(link());
    }

    /** Begins what is due by now. */
    private boolean begin() {
        long now = System.nanoTime();
        long due = dueNanos();
        boolean isAny = false;
        while (!isStopping && due <= now) {
            if (beginnings.size() == WAITING_MAX) {
                end("the peer is behind by " + WAITING_MAX + " requests; give a lower --rate");
                link().abort();
                return false;
            }
            request(due);
            begunCount++;
            due = dueNanos();
            isAny = true;
        }
        if (isAny) {
            onWritable(link());
        }
        return !isStopping;
    }

    private long dueNanos() {
        return beganNanos + (long) (phaseNanos + begunCount * gapNanos);
    }

    private void request(long beginningNanos) {
        beginnings.add(beginningNanos);
        askedBytes += messageBytes;
    }

    @Override
    void stop() {
        isStopping = true;
        if (beginnings.size() == 0 && isConnected()) {
            link().shutdownOutput();
        }
    }

    @Override
    public int onData(Link link, DirectBuffer buffer, int index, int length) {
        bytes += length;
        int left = length;
        while (left > 0) {
            if (beginnings.size() == 0) {
                end("there is more in responses than in requests");
                link.abort();
                return length;
            }
            int taken = Math.min(left, messageBytes - responseBytes);
            responseBytes += taken;
            left -= taken;
            if (responseBytes == messageBytes) {
                responseBytes = 0;
                onResponse();
            }
        }
        onWritable(link);
        if (isStopping && beginnings.size() == 0) {
            link.shutdownOutput();
        }
        return length;
    }

    private void onResponse() {
        long now = System.nanoTime();
        Latency.record(latencies, now - beginnings.remove());
        if (gapNanos == 0 && !isStopping) {
            request(now);
        }
    }

    @Override
    public void onWritable(Link link) {
        source.write(link, askedBytes - source.writtenBytes());
    }

    @Override
    void omit() {
        super.omit();
        latencies.reset();
    }

    /** Adds the latencies since the last call to {@code target}, and forgets them. */
    void drainLatencies(Histogram target) {
        target.add(latencies);
        latencies.reset();
    }

    @Override
    long bytes() {
        return bytes;
    }
}
