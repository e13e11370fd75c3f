package io.weir.nic;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads files that people write, and nothing that does not end. */
public final class SmallFile {
    /** The most bytes: thousands of lines. */
    public static final int BYTES_MAX = 1 << 20;

    private SmallFile() {}

    /**
     * {@return what is in a file}
     *
     * @throws IOException if it cannot be read, or is longer than {@link #BYTES_MAX}
     */
    public static String read(Path file) throws IOException {
        byte[] bytes;
        try (InputStream input = Files.newInputStream(file)) {
            bytes = input.readNBytes(BYTES_MAX + 1);
        }
        if (bytes.length > BYTES_MAX) {
            throw new IOException("it has more than " + BYTES_MAX + " bytes; make it shorter");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
