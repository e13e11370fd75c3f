package io.weir.transport.testing;

import io.weir.transport.frame.Frame;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes frames to a capture file that Wireshark reads: the classic format, with times in nanoseconds. */
public final class PcapFile implements AutoCloseable {
    private static final int MAGIC_NANOS = 0xA1B23C4D;
    private static final int LINKTYPE_ETHERNET = 1;
    private static final int SNAP_BYTES = 65_535;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final DataOutputStream out;

    /** Creates the file. */
    public PcapFile(Path file) {
        try {
            out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)));
            out.writeInt(MAGIC_NANOS);
            out.writeShort(2);
            out.writeShort(4);
            out.writeLong(0);
            out.writeInt(SNAP_BYTES);
            out.writeInt(LINKTYPE_ETHERNET);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Appends a frame, which stays its owner's. */
    public void write(Frame frame, long nanos) {
        byte[] bytes = new byte[frame.length()];
        frame.buffer().getBytes(frame.offset(), bytes);
        try {
            out.writeInt((int) (nanos / NANOS_PER_SECOND));
            out.writeInt((int) (nanos % NANOS_PER_SECOND));
            out.writeInt(bytes.length);
            out.writeInt(bytes.length);
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
