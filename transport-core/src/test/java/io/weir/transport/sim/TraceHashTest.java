package io.weir.transport.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.expresspass.ExpressPassConfig;
import io.weir.transport.testing.BulkFlow;
import io.weir.transport.testing.Golden;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.Payload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link TraceHash}, and with it that a run repeats on any machine. */
class TraceHashTest {
    private static final long MILLISECOND = 1_000_000;

    private static TraceHash hash(long seed, Payload payload, long delayNanos) {
        TraceHash hash = new TraceHash();
        try (TestNetwork network = new TestNetwork(seed, 10_000_000_000L, ExpressPassConfig.weir())
                .hostOptions(builder -> builder.payload(payload))
                .dumbbell(4, 8_000)) {
            network.simulator().setTrace(hash);
            network.host(1).setReceiveDelay(() -> delayNanos);
            for (int i = 1; i <= 4; i++) {
                network.connect(i * 1_000L, i, 4 + i, BulkFlow.sender(), BulkFlow.receiver());
            }
            network.simulator().run(5 * MILLISECOND);
        }
        return hash;
    }

    /** Prints the hash, for a machine of its own. */
    public static void main(String[] arguments) {
        System.out.println(hash(1, Payload.ELIDED, 0));
    }

    @Test
    void run_oneSeed_givesTheGoldenHash() {
        // On JDK 17 and 25 alike: both run this test.
        Golden.requireEqual("TraceHash.txt", hash(1, Payload.ELIDED, 0) + "\n");
    }

    /** A run is a seed and a commit, whoever collects garbage and whether anything is compiled. */
    @ParameterizedTest
    @ValueSource(strings = {"-Xint -XX:+UseSerialGC", "-XX:+UseParallelGC -XX:-TieredCompilation", "-XX:+UseZGC"})
    void run_otherMachine_givesTheSameHash(String options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), TraceHashTest.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(1, TimeUnit.MINUTES), "no end");
        assertTrue(output.endsWith(hash(1, Payload.ELIDED, 0) + System.lineSeparator()), output);
    }

    @Test
    void run_anotherSeedOrDelay_givesAnotherHash() {
        long hash = hash(1, Payload.ELIDED, 0).value();
        assertEquals(hash, hash(1, Payload.ELIDED, 0).value());
        assertNotEquals(hash, hash(2, Payload.ELIDED, 0).value());
        assertNotEquals(hash, hash(1, Payload.ELIDED, 1).value());
    }
}
