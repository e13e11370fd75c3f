package io.weir.cli.perf;

import io.weir.cli.traffic.StreamSource;
import io.weir.transport.host.Connection;
import org.agrona.DirectBuffer;

/** Answers each whole request with a response of the same size. */
final class Responder extends DataStream {
    private final int messageBytes;
    private final StreamSource source;
    /** What all responses until now have; the rest of the latest is written when there is room. */
    private long answeredBytes;

    private int requestBytes;
    private long bytes;

    Responder(int index, TestSpec spec, Owner owner) {
        super(index, false, owner);
        this.messageBytes = spec.lengthBytes();
        this.source = new StreamSource(messageBytes, null);
    }

    @Override
    public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
        int taken = Math.min(length, messageBytes - requestBytes);
        requestBytes += taken;
        bytes += taken;
        if (requestBytes == messageBytes) {
            requestBytes = 0;
            answeredBytes += messageBytes;
            onWritable(connection);
        }
        return taken;
    }

    @Override
    public void onEnd(Connection connection) {
        if (requestBytes != 0) {
            end("the stream ended within a request");
        }
        end(null);
        connection.shutdownOutput();
    }

    @Override
    public void onWritable(Connection connection) {
        source.write(connection, answeredBytes - source.writtenBytes());
    }

    @Override
    long bytes() {
        return bytes;
    }
}
