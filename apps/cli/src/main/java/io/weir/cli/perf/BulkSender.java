package io.weir.cli.perf;

import io.weir.cli.traffic.SeededPayload;
import io.weir.cli.traffic.StreamSource;
import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.protocol.ProtocolConfig;
import org.agrona.DirectBuffer;

/** Sends as fast as the transport takes it, or as a rate allows, until a number of bytes or a call to stop. */
final class BulkSender extends DataStream {
    private static final double BITS_PER_BYTE = 8;
    private static final double NANOS_PER_SECOND = 1e9;

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
    BulkSender(int index, TestSpec spec, SeededPayload payload, Owner owner) {
        super(index, true, owner);
        this.spec = spec;
        this.bytesMax = spec.streamBytes(index);
        this.source = new StreamSource(spec.lengthBytes(), payload);
    }

    @Override
    void attach(Connection opened, ProtocolConfig parameters) {
        // What was written before, to say which stream this is, is no payload.
        baseBytes = opened.sendBuffer().endOffset();
        super.attach(opened, parameters);
    }

    @Override
    void start() {
        super.start();
        isSending = true;
        send();
    }

    @Override
    void onTick() {
        send();
    }

    @Override
    public void onWritable(Connection connection) {
        send();
    }

    private void send() {
        if (isSending) {
            source.write(connection(), allowedBytes());
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
        double due = spec.bitrateBps() / BITS_PER_BYTE * (nanos() / NANOS_PER_SECOND);
        return Math.min(left, (long) due - source.writtenBytes());
    }

    @Override
    void stop() {
        if (isSending) {
            isSending = false;
            connection().shutdownOutput();
        }
    }

    @Override
    public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
        end("the receiver sent payload");
        connection.abort();
        return length;
    }

    @Override
    public void onClosed(Connection connection, CloseReason reason) {
        isSending = false;
        super.onClosed(connection, reason);
    }

    @Override
    long bytes() {
        return isConnected() ? Math.max(0, connection().acknowledgedBytes() - baseBytes) : 0;
    }

    @Override
    StreamReport report() {
        return report(source.sha256(), null);
    }
}
