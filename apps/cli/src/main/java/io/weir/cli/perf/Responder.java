package io.weir.cli.perf;

import io.weir.cli.perf.carrier.Link;
import io.weir.cli.traffic.StreamSource;
import org.agrona.DirectBuffer;

/** Answers each whole request with a response of the same size. */
final class Responder extends DataStream {
    /** Responses that are due at once leave by one write. */
    static final int CHUNK_BYTES = 1 << 16;

    private final int messageBytes;
    private final StreamSource source;
    /** What all responses until now have; the rest of the latest is written when there is room. */
    private long answeredBytes;

    private int requestBytes;
    private long bytes;

    Responder(int index, TestSpec spec, Owner owner) {
        super(index, false, owner);
        this.messageBytes = spec.lengthBytes();
        this.source = new StreamSource(Math.max(messageBytes, CHUNK_BYTES), null);
    }

    @Override
    public int onData(Link link, DirectBuffer buffer, int index, int length) {
        bytes += length;
        long have = (long) requestBytes + length;
        requestBytes = (int) (have % messageBytes);
        if (have >= messageBytes) {
            answeredBytes += have - requestBytes;
            onWritable(link);
        }
        return length;
    }

    @Override
    public void onEnd(Link link) {
        if (requestBytes != 0) {
            end("the stream ended within a request");
        }
        end(null);
        link.shutdownOutput();
    }

    @Override
    public void onWritable(Link link) {
        source.write(link, answeredBytes - source.writtenBytes());
    }

    @Override
    long bytes() {
        return bytes;
    }
}
