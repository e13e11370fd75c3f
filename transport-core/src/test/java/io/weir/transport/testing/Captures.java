package io.weir.transport.testing;

import io.weir.transport.frame.Frame;
import io.weir.transport.observation.PcapngWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A capture of whole frames, for tests that have them at hand. */
public final class Captures implements AutoCloseable {
    private final PcapngWriter writer;

    /** Creates the file. */
    public Captures(Path file) {
        try {
            writer = new PcapngWriter(new BufferedOutputStream(Files.newOutputStream(file)));
            writer.addInterface("test", null, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Appends a frame, which stays its owner's. */
    public void write(Frame frame, long nanos) {
        try {
            writer.frame(
                    new PcapngWriter.About(0, nanos, frame.length(), PcapngWriter.Direction.UNKNOWN, 0, null),
                    frame.buffer(),
                    frame.offset(),
                    frame.length());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            writer.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
