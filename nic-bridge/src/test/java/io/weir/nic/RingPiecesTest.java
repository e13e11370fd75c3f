package io.weir.nic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.testing.Jcstress;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs what a broker and its clients share on two cores at once: rings and bells. */
class RingPiecesTest {
    static final String ALL = "RegionStress";
    private static final int MILLISECONDS = Integer.getInteger("weir.stress.milliseconds", 1_000);

    @TempDir
    private Path folder;

    @Test
    @Tag("slow")
    void run_allPieces_nothingForbiddenIsSeen() throws Exception {
        assertEquals("", Jcstress.failuresOf(ALL, folder, MILLISECONDS, null));
    }
}
