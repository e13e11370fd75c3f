package io.weir.cli.perf;

import io.weir.cli.traffic.PayloadCheck;
import io.weir.transport.host.Connection;
import org.agrona.DirectBuffer;

/** Counts what a {@link BulkSender} sends, and checks it if it was made from a seed. */
final class BulkReceiver extends DataStream {
    private final PayloadCheck check;
    private long bytes;

    /**
     * Creates a receiver.
     *
     * @param check what to hold the payload against, or null
     */
    BulkReceiver(int index, PayloadCheck check, Owner owner) {
        super(index, false, owner);
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
        end(null);
        connection.shutdownOutput();
    }

    @Override
    public void onWritable(Connection connection) {
        // Nothing is written.
    }

    @Override
    long bytes() {
        return bytes;
    }

    @Override
    StreamReport report() {
        if (check == null) {
            return super.report();
        }
        long wrong = check.firstWrongOffset();
        return report(check.sha256(), wrong == PayloadCheck.NOTHING_WRONG ? null : wrong);
    }
}
