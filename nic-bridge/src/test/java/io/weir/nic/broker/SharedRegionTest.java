package io.weir.nic.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests {@link SharedRegion}: who makes the pages. */
@EnabledOnOs(OS.LINUX)
class SharedRegionTest {
    private static final RegionLayout LAYOUT = new RegionLayout(64, 1_514);

    private int memory;

    @BeforeEach
    void create() throws NicException {
        memory = SharedRegion.create(LAYOUT);
    }

    @AfterEach
    void close() {
        Libc.close(memory);
    }

    /** {@return kibibytes of the memory that this process has touched, by all of its mappings} */
    private long touchedKibibytes() throws IOException {
        long inode = (Long) Files.getAttribute(Path.of("/proc/self/fd/" + memory), "unix:ino");
        List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
        long kibibytes = -1;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(" " + inode + " ") && lines.get(i).contains("weir-rings")) {
                int at = i;
                while (!lines.get(at).startsWith("Rss:")) {
                    at++;
                }
                kibibytes =
                        Math.max(kibibytes, 0) + Long.parseLong(lines.get(at).replaceAll("\\D", ""));
            }
        }
        return kibibytes;
    }

    @Test
    void map_ofWhoAskedForIt_makesAllPages() throws IOException {
        try (SharedRegion region = SharedRegion.map(LAYOUT, memory)) {
            assertEquals(LAYOUT.regionBytes() / 1024, touchedKibibytes(), region.layout()::toString);
        }
    }

    @Test
    void mapUnpopulated_ofTheOtherSide_makesNoPageBeforeItIsUsed() throws IOException {
        try (SharedRegion region = SharedRegion.mapUnpopulated(LAYOUT, memory)) {
            assertEquals(0, touchedKibibytes());
            region.reader(0).hasNext();
            long kibibytes = touchedKibibytes();
            assertTrue(kibibytes > 0 && kibibytes <= 64, () -> kibibytes + " KiB");
        }
    }
}
