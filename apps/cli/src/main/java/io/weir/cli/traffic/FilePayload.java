package io.weir.cli.traffic;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The bytes of a file, to its end. What reads it waits for the disk. */
public final class FilePayload implements PayloadMaker {
    private final InputStream file;

    /** Creates one that reads on from where the file is. */
    public FilePayload(InputStream file) {
        this.file = file;
    }

    @Override
    public int next(byte[] target, int offset, int length) {
        try {
            return file.readNBytes(target, offset, length);
        } catch (IOException e) {
            throw new UncheckedIOException("the file cannot be read: " + e.getMessage(), e);
        }
    }
}
