package io.weir.cli.lab;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.environment.EnvironmentException;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.PauseTrace;
import io.weir.transport.scenario.Pauses;
import io.weir.transport.scenario.ProcessingDelay;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.StampNoise;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.scenario.topology.Wiring;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link LabLimits}. */
class LabLimitsTest {
    /** One data frame on the wire: 12,304 bits. */
    private static final long FRAMES_PER_SECOND_AT_100_MBPS = 8_127;

    private static final HostSpec HOST = HostSpec.named("");

    private static LinkTemplate link(long rateBps) {
        return new LinkTemplate(rateBps, 25_000);
    }

    private static Network dumbbell(int pairs, long edgeBps, long trunkBps) {
        return Lines.dumbbell(pairs, HOST, link(edgeBps), link(trunkBps));
    }

    private static Scenario scenario(Network network) {
        return scenario(network, ExpressPass.weir());
    }

    private static Scenario scenario(Network network, ProtocolConfig protocol) {
        List<String> names = network.hosts().stream().map(HostSpec::name).toList();
        int half = names.size() / 2;
        Traffic flows = Traffic.Flows.of("f", names.subList(0, half), names.subList(half, 2 * half), protocol);
        return new Scenario("s", "", 1, 1_000_000_000, false, network, List.of(flows), List.of(), Measurement.SUMMARY);
    }

    private static LabLimits limits(Network network) {
        return limits(scenario(network));
    }

    private static LabLimits limits(Scenario scenario) {
        return new LabLimits(scenario, new Wiring(scenario.network()));
    }

    @Test
    void check_protocolOfSimulationsOnly_isRefusedEvenByForceWithTheReason() {
        ProtocolKind oracle = new ProtocolKind(new ProtocolId(15, "oracle"), "nowhere", List.of(), (s, r) -> null)
                .simulatedOnly("it knows every flow of the network");
        LabLimits limits = limits(scenario(dumbbell(1, 100_000_000, 100_000_000), oracle.usual()));
        assertEquals(
                "traffic 'f' has protocol oracle, which cannot run on real ports: it knows every flow of the network; run the"
                        + " scenario with weir sim, or choose another protocol",
                assertThrows(ConfigException.class, () -> limits.check(true)).getMessage());
    }

    @Test
    void framesPerSecond_trunkNarrowerThanEdges_countsTheTrunkOnceAndEveryReceiversCredits() {
        long frames = limits(dumbbell(3, 200_000_000, 100_000_000)).framesPerSecond();
        assertEquals(7 * FRAMES_PER_SECOND_AT_100_MBPS, frames / 7 * 7);
    }

    @Test
    void framesPerSecond_edgesNarrower_countsEachPair() {
        long frames = limits(dumbbell(3, 100_000_000, 1_000_000_000)).framesPerSecond();
        assertEquals(6 * FRAMES_PER_SECOND_AT_100_MBPS, frames);
    }

    @Test
    void check_moreThanALoopCarries_isRefusedUnlessForced() {
        LabLimits limits = limits(dumbbell(1, 10_000_000_000L, 10_000_000_000L));
        String message = assertThrows(EnvironmentException.class, () -> limits.check(false))
                .getMessage();
        assertTrue(message.contains("1,625,4"), message);
        assertTrue(message.contains("130,000") && message.contains("1/13 ") && message.contains("--force"), message);
        assertDoesNotThrow(() -> limits.check(true));
        assertDoesNotThrow(() -> limits(dumbbell(1, 750_000_000, 750_000_000)).check(false));
    }

    @Test
    void check_tooManyHosts_areRefused() {
        LabLimits limits = limits(dumbbell(33, 1_000_000, 1_000_000));
        assertTrue(assertThrows(EnvironmentException.class, () -> limits.check(true))
                .getMessage()
                .contains("66 hosts"));
    }

    @Test
    void notes_processingDelays_areSaid() {
        assertEquals(List.of(), limits(dumbbell(1, 1_000_000, 1_000_000)).notes());
        HostSpec slow = new HostSpec("", ProcessingDelay.constant(1_000), HOST.stampNoise(), null, HOST.timers());
        Network network = Lines.dumbbell(2, slow, link(1_000_000), link(1_000_000));
        List<String> notes = limits(network).notes();
        assertEquals(1, notes.size());
        assertTrue(notes.get(0).startsWith("4 hosts have a processing delay"), notes.get(0));
    }

    @Test
    void check_pauses_areRefused() {
        Pauses pauses = Pauses.of(PauseTrace.NONE);
        Network network =
                Lines.dumbbell(1, HOST, link(1_000_000), link(1_000_000)).withSwitchPauses(pauses);
        String message = assertThrows(
                        ConfigException.class, () -> limits(network).check(true))
                .getMessage();
        assertTrue(
                message.startsWith("left and others have a trace of pauses") && message.contains("weir sim"), message);
    }

    @Test
    void check_noiseOfStamps_isRefused() {
        HostSpec noisy = new HostSpec("", HOST.delay(), new StampNoise(1_200), null, HOST.timers());
        Network network = Lines.dumbbell(1, noisy, link(1_000_000), link(1_000_000));
        String message = assertThrows(
                        ConfigException.class, () -> limits(network).check(true))
                .getMessage();
        assertTrue(message.contains("stampNoise=1200ns") && message.contains("weir sim"), message);
    }
}
