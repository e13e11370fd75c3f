package io.weir.transport.threads;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.weir.transport.lab.Change;
import io.weir.transport.lab.PlantedFault;
import io.weir.transport.testing.Jcstress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the tests of pieces are worth: each of these mistakes makes one of them fail within the normal lane's time. */
@Tag("slow")
class PieceFaultsTest {
    private static final int MILLISECONDS = 1_000;
    private static final String RING = "transport.runtime.FrameRing";

    @TempDir
    private Path folder;

    private static Stream<PlantedFault> faults() {
        return Stream.of(
                fault(
                        "returns a ring's slot before it is copied",
                        RING,
                        "readInto",
                        Slip.movedBefore("putRelease", "putBytes")),
                fault(
                        "publishes a frame before it is written",
                        RING,
                        "write(Lio/weir/transport/frame/Frame;J)V",
                        Slip.movedBefore("putRelease", "putBytes")),
                fault(
                        "takes the lock of cycles in two steps",
                        "transport.runtime.CycleLock",
                        "tryTake",
                        Slip.torn("compareAndSet")),
                fault(
                        "stands by without looking whether a helper is left",
                        "transport.runtime.LoopSleep",
                        "standBy",
                        Change.withResult("get", 1)));
    }

    private static PlantedFault fault(String what, String type, String method, Change change) {
        return new PlantedFault(what, type, method, 0, change);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void run_pieceWithAFault_fails(PlantedFault fault) throws IOException, InterruptedException {
        Path classes = folder.resolve("classes");
        String file = fault.className().replace('.', '/') + ".class";
        Path planted = classes.resolve(file);
        Files.createDirectories(planted.getParent());
        try (InputStream sound = PieceFaultsTest.class.getClassLoader().getResourceAsStream(file)) {
            Files.write(planted, fault.plantForGood(sound.readAllBytes()));
        }
        assertNotEquals("", Jcstress.failuresOf(PiecesTest.ALL, folder, MILLISECONDS, classes), fault.what());
    }
}
