package io.weir.cli.trace;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A stream that knows whether it was what failed: who reads a pipe may end first, which is no fault of a trace. */
final class PipeOutput extends FilterOutputStream {
    /** Whether a write has failed. */
    private boolean isBroken;

    PipeOutput(OutputStream out) {
        super(out);
    }

    boolean isBroken() {
        return isBroken;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            isBroken = true;
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            isBroken = true;
            throw e;
        }
    }
}
