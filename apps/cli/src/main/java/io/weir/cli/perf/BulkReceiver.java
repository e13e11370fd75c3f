package io.weir.cli.perf;

import io.weir.cli.traffic.PayloadCheck;
import io.weir.transport.host.Connection;
import org.agrona.DirectBuffer;

/** Counts what a {@link BulkSender} sends, and checks it if it was made from a seed. */
final class BulkReceiver implements DataStream {
    private final StreamTally tally;
    private final PayloadCheck check;
    private long bytes;

    /**
     * Creates a receiver.
     *
     * @param check what to hold the payload against, or null
     */
    BulkReceiver(StreamTally tally, PayloadCheck check) {
        this.tally = tally;
        this.check = check;
    }

    @Override
    public int onData(Connection connection, DirectBuffer buffer, int index, int length) {
        bytes += length;
        if (check != null) {
            check.onBytes(buffer, index, length);
        }
        return length;
    }

    @Override
    public void onEnd(Connection connection) {
        tally.done();
        connection.shutdownOutput();
    }

    @Override
    public void onWritable(Connection connection) {
        // Nothing is written.
    }

    @Override
    public StreamTally tally() {
        return tally;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public StreamReport report() {
        if (check == null) {
            return StreamReport.of(this, null, null);
        }
        long wrong = check.firstWrongOffset();
        return StreamReport.of(this, check.sha256(), wrong == PayloadCheck.NOTHING_WRONG ? null : wrong);
    }
}
