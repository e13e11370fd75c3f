package io.weir.cli.perf;

import io.weir.cli.traffic.SeededPayload;
import io.weir.cli.traffic.StreamSource;
import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import org.agrona.DirectBuffer;

/** Sends as fast as the transport takes it, or as a rate allows, until a number of bytes or a call to stop. */
final class BulkSender implements DataStream {
    private static final double BITS_PER_BYTE = 8;
    private static final double NANOS_PER_SECOND = 1e9;

    private final StreamTally tally;
    private final TestSpec spec;
    private final long bytesMax;
    private final StreamSource source;
    private long baseBytes;
    private boolean isSending;

    /**
     * Creates a sender.
     *
     * @param payload where the bytes come from, or null to send zeros that nobody looks at
     */
    BulkSender(StreamTally tally, TestSpec spec, SeededPayload payload) {
        this.tally = tally;
        this.spec = spec;
        this.bytesMax = spec.streamBytes(tally.stream());
        this.source = new StreamSource(spec.lengthBytes(), payload);
    }

    @Override
    public void onConnected(Connection connection) {
        // What was written before, to say which stream this is, is no payload.
        baseBytes = connection.sendBuffer().endOffset();
        tally.connected(connection);
    }

    @Override
    public void start() {
        tally.started();
        isSending = true;
        send();
    }

    @Override
    public void onTick() {
        send();
    }

    @Override
    public void onWritable(Connection connection) {
        send();
    }

    private void send() {
        if (isSending) {
            source.write(tally.connection(), allowedBytes());
            if (source.writtenBytes() == bytesMax) {
                stop();
            }
        }
    }

    /** {@return how much may be written now: a rate limit counts from the start, so that a late call catches up} */
    private long allowedBytes() {
        long left = bytesMax - source.writtenBytes();
        if (spec.bitrateBps() == 0) {
            return left;
        }
        double due = spec.bitrateBps() / BITS_PER_BYTE * (tally.nanos() / NANOS_PER_SECOND);
        return Math.min(left, (long) due - source.writtenBytes());
    }

    @Override
    public void stop() {
        if (isSending) {
            isSending = false;
            tally.connection().shutdownOutput();
        }
    }

    @Override
    public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
        tally.failed("the receiver sent payload of its own");
        connection.abort();
        return length;
    }

    @Override
    public void onClosed(Connection connection, CloseReason reason) {
        isSending = false;
        tally.closed(reason);
    }

    @Override
    public StreamTally tally() {
        return tally;
    }

    @Override
    public long bytes() {
        return tally.isConnected() ? Math.max(0, tally.connection().acknowledgedBytes() - baseBytes) : 0;
    }

    @Override
    public StreamReport report() {
        return StreamReport.of(this, source.sha256(), null);
    }
}
