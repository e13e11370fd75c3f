package io.weir.transport.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.testing.Jcstress;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the pieces that threads share on two cores at once: rings, wake-ups, locks, budgets. */
class PiecesTest {
    static final String ALL = "(Loop|Flow)Stress";
    private static final int MILLISECONDS = Integer.getInteger("weir.stress.milliseconds", 1_000);

    @TempDir
    private Path folder;

    @Test
    void run_allPieces_nothingForbiddenIsSeen() throws Exception {
        assertEquals("", Jcstress.failuresOf(ALL, folder, MILLISECONDS, null));
    }
}
