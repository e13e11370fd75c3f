package io.weir.cli.perf;

import io.weir.cli.perf.carrier.Link;
import io.weir.cli.traffic.PayloadCheck;
import java.io.IOException;
import java.io.OutputStream;
import org.agrona.DirectBuffer;

/** Counts what a {@link BulkSender} sends, and checks it if it was made from a seed. */
final class BulkReceiver extends DataStream {
    private final PayloadCheck check;
    private final OutputStream file;
    private byte[] chunk = new byte[0];
    private long bytes;

    /**
     * Creates a receiver.
     *
     * @param check what to hold the payload against, or null
     * @param file where to write it, or null
     */
    BulkReceiver(int index, PayloadCheck check, OutputStream file, Owner owner) {
        super(index, false, owner);
        this.check = check;
        this.file = file;
    }

    @Override
    public int onData(Link link, DirectBuffer buffer, int index, int length) {
        bytes += length;
        if (check != null) {
            check.onBytes(buffer, index, length);
        }
        if (file != null) {
            write(link, buffer, index, length);
        }
        return length;
    }

    private void write(Link link, DirectBuffer buffer, int index, int length) {
        if (chunk.length < length) {
            chunk = new byte[length];
        }
        buffer.getBytes(index, chunk, 0, length);
        try {
            file.write(chunk, 0, length);
        } catch (IOException e) {
            end("what came could not be written to the file: " + e.getMessage());
            link.abort();
        }
    }

    @Override
    public void onEnd(Link link) {
        end(null);
        link.shutdownOutput();
    }

    @Override
    public void onWritable(Link link) {
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
