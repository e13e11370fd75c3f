package io.weir.cli.perf;

import io.weir.transport.host.Connection;
import org.agrona.DirectBuffer;

/** Answers each whole request with a response of the same size. */
final class Responder implements DataStream {
    private final StreamTally tally;
    private final int messageBytes;
    private final Filler filler;
    private int requestBytes;
    private long bytes;

    Responder(StreamTally tally, TestSpec spec) {
        this.tally = tally;
        this.messageBytes = spec.lengthBytes();
        this.filler = new Filler(messageBytes);
    }

    @Override
    public void start() {
        tally.started();
    }

    @Override
    public void stop() {
        // The requester ends the stream.
    }

    @Override
    public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
        int taken = Math.min(length, messageBytes - requestBytes);
        requestBytes += taken;
        bytes += taken;
        if (requestBytes == messageBytes) {
            requestBytes = 0;
            filler.send(connection, messageBytes);
        }
        return taken;
    }

    @Override
    public void onEnd(Connection connection) {
        if (requestBytes != 0) {
            tally.failed("the stream ended within a request");
        }
        tally.done();
        connection.shutdownOutput();
    }

    @Override
    public void onWritable(Connection connection) {
        filler.onWritable(connection);
    }

    @Override
    public StreamTally tally() {
        return tally;
    }

    @Override
    public long bytes() {
        return bytes;
    }
}
