package io.weir.transport.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Golden files: {@code src/test/resources/<name>} of the module under test. Run the tests with {@code
 * -Dweir.golden=write} to rewrite them, and say in the commit why they changed.
 */
public final class Golden {
    private static final boolean WRITES = "write".equals(System.getProperty("weir.golden"));

    private Golden() {}

    /** Fails unless the golden file has exactly this text. */
    public static void requireEqual(String name, String actual) {
        if (WRITES) {
            write(name, actual);
            return;
        }
        String expected = read(name);
        if (!expected.equals(actual)) {
            throw new AssertionError(name + " has\n" + expected + "\nbut now it is\n" + actual);
        }
    }

    private static String read(String name) {
        try (InputStream in = Golden.class.getResourceAsStream("/" + name)) {
            if (in == null) {
                throw new AssertionError("there is no golden file " + name + "; run with -Dweir.golden=write");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(String name, String text) {
        try {
            Path file = Path.of("src", "test", "resources", name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
