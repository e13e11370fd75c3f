package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.WeirCommand;
import io.weir.cli.environment.ExitCode;
import io.weir.nic.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The command on a machine whose cores are taken by another process: it takes longer, and nothing else happens. */
class BusyMachineTest {
    /** So many threads of others for each core: thirty on two. */
    private static final int RIVALS_PER_CORE = 15;

    private static final int SLOW_RUNS = 20;

    private static final Path INSTALLED = Path.of("/usr/lib/jvm");

    /** The oldest and the newest JDK that the program is for, as far as they are installed, and the test's own. */
    static List<Path> javaHomes() throws IOException {
        List<Path> homes = new ArrayList<>();
        for (String version : List.of("17", "25")) {
            if (System.getProperty("java.specification.version").equals(version)) {
                homes.add(Path.of(System.getProperty("java.home")));
            } else {
                find(version).ifPresent(homes::add);
            }
        }
        return homes;
    }

    private static Optional<Path> find(String version) throws IOException {
        if (!Files.isDirectory(INSTALLED)) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(INSTALLED)) {
            return homes.filter(home -> Files.isExecutable(home.resolve("bin/java")) && isOf(version, home))
                    .sorted()
                    .findFirst();
        }
    }

    private static boolean isOf(String version, Path home) {
        try {
            return Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"" + version);
        } catch (IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @MethodSource("javaHomes")
    void perf_nextToThirtySpinningThreads_beginsAndEnds(Path javaHome) throws Exception {
        run(javaHome, 1);
    }

    @ParameterizedTest
    @MethodSource("javaHomes")
    @Tag("slow")
    void perf_nextToThirtySpinningThreadsTwentyTimes_beginsAndEndsEachTime(Path javaHome) throws Exception {
        run(javaHome, SLOW_RUNS);
    }

    private static void run(Path javaHome, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            // Others for each run: a child that lives for long is taken for one that hangs.
            try (ChildJvm rivals = ChildJvm.start(List.of(), Rivals.class)) {
                assertEquals(Rivals.READY, rivals.awaitLine(Rivals.READY));
                try (ChildJvm perf =
                        ChildJvm.startOn(javaHome, WeirCommand.class, "perf", "--backend", "memory", "-t", "1")) {
                    String output = perf.awaitLine("(a line that is never there: all of them)");
                    assertEquals(ExitCode.DONE, perf.awaitEnd(), "run " + (i + 1) + ":\n" + output);
                }
                assertTrue(rivals.isAlive());
            }
        }
    }

    /** Takes all cores until its parent ends. */
    public static final class Rivals {
        static final String READY = "spinning";

        private Rivals() {}

        /** Spins. */
        public static void main(String[] arguments) throws IOException {
            int count = RIVALS_PER_CORE * Runtime.getRuntime().availableProcessors();
            for (int i = 0; i < count; i++) {
                Thread thread = new Thread(Rivals::spin, "rival-" + i);
                thread.setDaemon(true);
                thread.start();
            }
            System.out.println(READY);
            while (System.in.read() >= 0) {
                // Until the pipe to the parent is closed, however that ends.
            }
        }

        private static void spin() {
            while (true) {
                Thread.onSpinWait();
            }
        }
    }
}
