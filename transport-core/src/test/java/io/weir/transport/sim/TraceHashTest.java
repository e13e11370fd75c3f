package io.weir.transport.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.protocol.peers.Dcqcn;
import io.weir.transport.protocol.peers.PhantomQueue;
import io.weir.transport.protocol.peers.RcpPort;
import io.weir.transport.protocol.tfc.TfcPort;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.switching.EcnConfig;
import io.weir.transport.testing.BulkFlow;
import io.weir.transport.testing.Golden;
import io.weir.transport.testing.SharedLink;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.Payload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link TraceHash}, and with it that a run repeats on any machine. */
class TraceHashTest {
    private static final long MILLISECOND = 1_000_000;

    private static TraceHash hash(long seed, Payload payload, long delayNanos) {
        TraceHash hash = new TraceHash();
        try (TestNetwork network = new TestNetwork(seed, 10_000_000_000L, ExpressPass.weir())
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

    /** {@return the port that a protocol asks for, which also marks} */
    private static PortSpec port(ProtocolId protocol) {
        CreditSettings credits = CreditSettings.DEFAULT.withModel(CreditModel.PAPER);
        PortSpec port = new PortSpec(100_000, credits, new EcnConfig(5_000, 80_000, 10_000));
        return switch (protocol.name()) {
            case "tfc" -> port.withPolicies(TfcPort.PART.usual());
            case "rcp" -> port.withPolicies(RcpPort.PART.usual());
            case "hull" -> port.withPolicies(PhantomQueue.PART.usual().with(PhantomQueue.THRESHOLD, 5_000));
            default -> port;
        };
    }

    /**
     * {@return the hash of two flows that share a link with two of DCQCN, so that there are queues, marks and drops to
     * react to}
     */
    private static String besideDcqcn(ProtocolConfig protocol) {
        SharedLink link = new SharedLink(10_000_000_000L, 5_000, port(protocol.id()));
        link.flows(Dcqcn.KIND.usual(), 2, 10_000).flows(protocol, 2, 10_000);
        return link.run(MILLISECOND, 0, 0).run().traceHash();
    }

    /** {@return a line for ExpressPass alone, and one for every protocol next to DCQCN} */
    private static String hashes() {
        StringBuilder lines = new StringBuilder("expresspass alone: " + hash(1, Payload.ELIDED, 0));
        Catalogue.KINDS.stream().map(ProtocolKind::usual).forEach(protocol -> lines.append(System.lineSeparator())
                .append(protocol.id().name())
                .append(" next to dcqcn: ")
                .append(besideDcqcn(protocol)));
        return lines.toString();
    }

    /** Prints the hashes, for its own machine. */
    public static void main(String[] arguments) {
        System.out.println(hashes());
    }

    @Test
    void run_oneSeed_givesTheGoldenHashOfEachProtocol() {
        // On JDK 17 and 25 alike: both run this test.
        Golden.requireEqual("TraceHash.txt", hashes().replace(System.lineSeparator(), "\n") + "\n");
    }

    /** A run is a seed and a commit, whichever collector runs and whether anything is compiled. */
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
        assertEquals(0, process.waitFor(), output);
        assertTrue(output.endsWith(hashes() + System.lineSeparator()), output);
    }

    @Test
    void run_anotherSeedOrDelay_givesAnotherHash() {
        long hash = hash(1, Payload.ELIDED, 0).value();
        assertEquals(hash, hash(1, Payload.ELIDED, 0).value());
        assertNotEquals(hash, hash(2, Payload.ELIDED, 0).value());
        assertNotEquals(hash, hash(1, Payload.ELIDED, 1).value());
    }
}
