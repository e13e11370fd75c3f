package io.weir.cli.perf;

import io.weir.cli.perf.carrier.Link;
import io.weir.cli.traffic.StreamSource;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/** Takes the messages of a workload, and answers each when all of it is there. */
final class MessageSink extends DataStream {
    private final StreamSource source = new StreamSource(1, null);
    /** What is missing of the message at hand; 0 between messages. */
    private long missingBytes;
    /** Messages that have come whole; each is answered by a byte. */
    private long messages;

    private long bytes;

    MessageSink(int index, Owner owner) {
        super(index, false, owner);
    }

    @Override
    public int onData(Link link, DirectBuffer buffer, int index, int length) {
        int at = 0;
        while (at < length) {
            if (missingBytes == 0) {
                if (length - at < MessageFormat.HEADER_BYTES) {
                    break;
                }
                missingBytes = buffer.getInt(index + at, ByteOrder.BIG_ENDIAN);
                at += MessageFormat.HEADER_BYTES;
                if (missingBytes <= 0) {
                    end("a message of " + missingBytes + " bytes came");
                    link.abort();
                    return length;
                }
            }
            int taken = (int) Math.min(length - at, missingBytes);
            at += taken;
            bytes += taken;
            missingBytes -= taken;
            messages += missingBytes == 0 && taken > 0 ? 1 : 0;
        }
        onWritable(link);
        return at;
    }

    @Override
    public void onEnd(Link link) {
        end(missingBytes == 0 ? null : "the stream ended within a message");
        link.shutdownOutput();
    }

    @Override
    public void onWritable(Link link) {
        source.write(link, messages - source.writtenBytes());
    }

    @Override
    long bytes() {
        return bytes;
    }
}
