package io.weir.cli.perf;

import io.weir.cli.perf.carrier.Link;
import io.weir.cli.traffic.PayloadMaker;
import io.weir.cli.traffic.StreamSource;
import io.weir.transport.host.CloseReason;
import org.agrona.DirectBuffer;

/** Sends as fast as the transport takes it, or as a rate allows, until a number of bytes or a call to stop. */
final class BulkSender extends DataStream {
    private static final double BITS_PER_BYTE = 8;
    private static final double NANOS_PER_SECOND = 1e9;

    private final TestSpec spec;
    /** What it is to send from the measurement's begin on. */
    private final long limitBytes;

    private final StreamSource source;
    /** How much it writes in all; known once the measurement begins. */
    private long bytesMax;

    private long baseBytes;
    /** What was written before the measurement, from which on a rate counts. */
    private long restBytes;

    private boolean isSending;

    /**
     * Creates a sender.
     *
     * @param payload where the bytes come from, or null to send zeros that nobody looks at
     */
    BulkSender(int index, TestSpec spec, PayloadMaker payload, Owner owner) {
        super(index, true, owner);
        this.spec = spec;
        this.limitBytes = spec.streamBytes(index);
        this.bytesMax = spec.details().omitNanos() > 0 ? Long.MAX_VALUE : limitBytes;
        this.source = new StreamSource(spec.lengthBytes(), payload);
    }

    @Override
    void attach(Link opened) {
        // What was written before, to say which stream this is, is no payload.
        baseBytes = opened.writtenBytes();
        super.attach(opened);
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
    public void onWritable(Link link) {
        send();
    }

    private void send() {
        if (isSending) {
            source.write(link(), allowedBytes());
            if (source.writtenBytes() == bytesMax || source.isAtEnd()) {
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
        long dueBytes = (long) due;
        int burstBlocks = spec.details().burstBlocks();
        if (burstBlocks > 0) {
            // A burst is due with its first byte, and goes whole.
            long burstBytes = (long) burstBlocks * spec.lengthBytes();
            dueBytes = (dueBytes / burstBytes + 1) * burstBytes;
        }
        return Math.min(left, dueBytes + restBytes - source.writtenBytes());
    }

    @Override
    void omit() {
        super.omit();
        restBytes = source.writtenBytes();
        bytesMax = limitBytes == Long.MAX_VALUE ? limitBytes : restBytes + limitBytes;
    }

    @Override
    void stop() {
        if (isSending) {
            isSending = false;
            link().shutdownOutput();
        }
    }

    @Override
    public int onData(Link link, DirectBuffer buffer, int index, int length) {
        end("the receiver sent payload");
        link.abort();
        return length;
    }

    @Override
    public void onClosed(Link link, CloseReason reason) {
        isSending = false;
        super.onClosed(link, reason);
    }

    @Override
    long bytes() {
        return isConnected() ? Math.max(0, link().acknowledgedBytes() - baseBytes) : 0;
    }

    @Override
    StreamReport report() {
        return report(source.sha256(), null);
    }
}
