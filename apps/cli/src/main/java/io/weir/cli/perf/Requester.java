package io.weir.cli.perf;

import io.weir.cli.traffic.StreamSource;
import io.weir.transport.host.Connection;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;

/** Sends a request, waits for the whole response, notes how long it took, and begins again. */
final class Requester extends DataStream {
    private final int messageBytes;
    private final StreamSource source;
    private final Histogram latencies = Latency.newHistogram();
    /** What all requests until now have; the rest of the latest is written when there is room. */
    private long askedBytes;
    /** What is missing of the response. */
    private int awaitedBytes;

    /** When the latest request was written, by System.nanoTime. */
    private long sentNanos;
    /** Of all responses; only onData raises it. */
    private long bytes;
    /** Whether the time is over: no request follows the response that is due. */
    private boolean isStopping;

    Requester(int index, TestSpec spec, Owner owner) {
        super(index, true, owner);
        this.messageBytes = spec.lengthBytes();
        this.source = new StreamSource(messageBytes, null);
    }

    @Override
    void start() {
        super.start();
        request();
    }

    private void request() {
        awaitedBytes = messageBytes;
        sentNanos = System.nanoTime();
        askedBytes += messageBytes;
        onWritable(connection());
    }

    @Override
    void stop() {
        isStopping = true;
        if (awaitedBytes == 0 && isConnected()) {
            connection().shutdownOutput();
        }
    }

    @Override
    public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
        if (length > awaitedBytes) {
            end("the response is longer than the request");
            connection.abort();
            return length;
        }
        bytes += length;
        awaitedBytes -= length;
        if (awaitedBytes == 0) {
            Latency.record(latencies, System.nanoTime() - sentNanos);
            if (isStopping) {
                connection.shutdownOutput();
            } else {
                request();
            }
        }
        return length;
    }

    @Override
    public void onWritable(Connection connection) {
        source.write(connection, askedBytes - source.writtenBytes());
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
