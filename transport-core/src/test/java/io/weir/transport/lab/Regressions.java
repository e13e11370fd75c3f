package io.weir.transport.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The seeds that have failed once, a file each: the seed, a blank, why. All are played first in every run. A seed means
 * what {@link Schedule} makes of it: a change of what is drawn there keeps the bug itself as a conversation or a
 * unit test.
 */
final class Regressions {
    private static final String FOLDER = "regressions";
    private static final Path SOURCES = Path.of("src/test/resources/io/weir/transport/lab", FOLDER);

    private Regressions() {}

    /** {@return for each seed, why it is kept} */
    static Map<Long, String> all() {
        Map<Long, String> seeds = new TreeMap<>();
        var folder = Regressions.class.getResource(FOLDER);
        if (folder == null) {
            return seeds;
        }
        try (Stream<Path> files = Files.list(Path.of(folder.toURI()))) {
            for (Path file : files.toList()) {
                String[] words = Files.readString(file).strip().split(" ", 2);
                seeds.put(Long.parseLong(words[0]), words[1]);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
        return seeds;
    }

    /** Keeps a seed among the sources, if they are here. */
    static void keep(long seed, String reason) {
        if (!Files.isDirectory(Path.of("src/test/java"))) {
            return;
        }
        try {
            Files.createDirectories(SOURCES);
            Path file = SOURCES.resolve("seed-" + seed + ".txt");
            if (!Files.exists(file)) {
                Files.writeString(file, seed + " " + reason + "\n");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
