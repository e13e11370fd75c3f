package io.weir.cli.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.yaml.YamlOverride;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.protocol.peers.PhantomQueue;
import io.weir.transport.protocol.peers.RcpPort;
import io.weir.transport.scenario.Fault;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.PauseTrace;
import io.weir.transport.scenario.Pauses;
import io.weir.transport.scenario.ProcessingDelay;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.Traffic.Times;
import io.weir.transport.switching.EcnConfig;
import io.weir.transport.time.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests {@link ScenarioFile} and the blocks that it reads: what they make of files, and what they say about every
 * mistake.
 */
class ScenarioFileTest {
    private static final long GBPS = 1_000_000_000;
    private static final long MILLIS = 1_000_000;

    @TempDir
    private Path folder;

    private static Scenario parse(String text, YamlOverride... overrides) {
        return ScenarioFile.parse("s.yaml", text, overrides).scenario();
    }

    private static LinkSpec link(Network network, String left, String right) {
        return network.links().stream()
                .filter(link -> link.left().equals(left) && link.right().equals(right))
                .findFirst()
                .orElseThrow();
    }

    // ---- what is read

    @Test
    void read_dumbbell_isWhatItSays() {
        ScenarioPlan plan = Scenarios.example("dumbbell.yaml");
        Scenario scenario = plan.scenario();
        assertEquals("dumbbell", scenario.name());
        assertEquals(1, scenario.seed());
        assertEquals(20 * MILLIS, scenario.durationNanos());
        assertFalse(scenario.endsWhenDone());
        assertTrue(scenario.tokens());
        assertEquals(32, scenario.network().hosts().size());
        assertEquals(33, scenario.network().links().size());
        LinkSpec trunk = link(scenario.network(), "left", "right");
        assertEquals(10 * GBPS, trunk.rateBps());
        assertEquals(8_000, trunk.propagationNanos());
        assertEquals(384_500, trunk.leftPort().dataQueueBytesMax());
        Traffic.Flows flows = (Traffic.Flows) scenario.traffic().get(0);
        assertEquals(List.of("h1", "h2"), flows.from().subList(0, 2));
        assertEquals(16, flows.to().size());
        assertEquals(new Times(0, 1_000, 0), flows.start());
        assertEquals(Times.NEVER, flows.stop());
        assertEquals(Traffic.UNLIMITED_BYTES, flows.bytes());
        assertEquals(ExpressPass.weir(), flows.protocol());
        assertEquals(new Measurement(MILLIS, 10 * MILLIS, false, false), scenario.measurement());
        assertEquals(3, plan.criteria().size());
    }

    @Test
    void read_anyNetwork_hasEachHostSwitchAndLink() {
        Network network = Scenarios.example("any-network.yaml").scenario().network();
        assertEquals(
                List.of("web1", "web2", "web3", "web4", "store", "slow"),
                network.hosts().stream().map(HostSpec::name).toList());
        assertEquals(ProcessingDelay.constant(500), network.hosts().get(0).delay());
        assertNull(network.hosts().get(0).streams());
        assertEquals(ProcessingDelay.EXPRESSPASS_TESTBED, network.hosts().get(4).delay());
        assertEquals(1_000_000, network.hosts().get(4).streams().receiveBufferBytes());
        assertEquals(
                new ProcessingDelay.Point(10_000, 999_000),
                network.hosts().get(5).delay().points().get(2));
        assertEquals(9, network.links().size());
        assertEquals(40 * GBPS, link(network, "store", "right").rateBps());
        LinkSpec trunk = link(network, "left", "right");
        assertEquals(250_000, trunk.leftPort().dataQueueBytesMax());
        assertEquals(CreditModel.PAPER, trunk.leftPort().credits().model());
        assertEquals(EcnConfig.step(65_000), trunk.leftPort().ecn());
        assertEquals(List.of(RcpPort.PART.usual()), trunk.leftPort().policies());
        assertEquals(
                List.of(PhantomQueue.PART.usual().with(PhantomQueue.THRESHOLD, 15_000)),
                trunk.rightPort().policies());
        assertEquals(new EcnConfig(5_000, 200_000, 10_000), trunk.rightPort().ecn());
        assertEquals(CreditModel.EXACT, trunk.rightPort().credits().model());
        assertEquals(2_000, link(network, "top", "right").propagationNanos());
    }

    @Test
    void read_anyNetwork_hasFlowsAndMessages() {
        Scenario scenario = Scenarios.example("any-network.yaml").scenario();
        Traffic.Flows upload = (Traffic.Flows) scenario.traffic().get(0);
        assertEquals(new Times(9 * MILLIS, 0, 0), upload.stop());
        Traffic.Flows download = (Traffic.Flows) scenario.traffic().get(1);
        assertEquals(List.of("web3", "web4", "slow"), download.to());
        assertEquals(2_000_000, download.bytes());
        assertEquals(new Times(MILLIS, 500_000, 50_000), download.start());
        assertEquals("authors", download.protocol().preset());
        Traffic.Exchange lookup = (Traffic.Exchange) scenario.traffic().get(2);
        assertEquals("web1", lookup.client());
        assertEquals(64, lookup.requestBytes());
        assertEquals(20, lookup.rounds());
        assertEquals(100_000, lookup.gapNanos());
    }

    @Test
    void read_mix_hasRandomTrafficAndSpray() {
        Scenario scenario = Scenarios.example("mix.yaml").scenario();
        Network network = scenario.network();
        assertEquals(Network.Multipath.SPRAY, network.multipath());
        assertEquals(32, network.hosts().size());
        assertEquals(2_000, link(network, "h1", "tor1").propagationNanos());
        assertEquals(200_000, link(network, "h1", "tor1").rightPort().dataQueueBytesMax());
        assertEquals(
                EcnConfig.step(100_000),
                link(network, "agg1", "core1").leftPort().ecn());
        assertNull(link(network, "agg1", "core1").rightPort().ecn());
        Traffic.Poisson web = (Traffic.Poisson) scenario.traffic().get(0);
        assertEquals(320 * GBPS, web.capacityBps());
        assertEquals(0.3, web.load());
        assertEquals(4 * MILLIS, web.untilNanos());
        assertEquals("xpass_webserver", web.sizes().name());
        Settings protocol = (Settings) web.protocol();
        assertEquals(1.0 / 16, protocol.fraction(ExpressPass.ALPHA));
        assertEquals("weir-1/16", protocol.preset());
        Traffic.Flows bursts = (Traffic.Flows) scenario.traffic().get(1);
        assertEquals(200_000, bursts.onNanos());
        assertEquals(800_000, bursts.offNanos());
        Traffic.Shuffle sort = (Traffic.Shuffle) scenario.traffic().get(2);
        assertEquals(2, sort.tasksPerHost());
    }

    @Test
    void read_threeTier_loadIsOfTheUplinks() {
        Traffic.Poisson web = (Traffic.Poisson)
                Scenarios.example("three-tier.yaml").scenario().traffic().get(0);
        assertEquals(32L * 2 * 10 * GBPS, web.capacityBps());
    }

    @Test
    void read_faults_knowTheDirectionAsTheNetworkHasIt() {
        List<Fault> faults = Scenarios.example("faults.yaml").scenario().faults();
        Fault.BadLink both = (Fault.BadLink) faults.get(0);
        assertEquals(
                Fault.Impairment.NONE
                        .withLoss(5_000)
                        .withBursts(100, 200_000)
                        .withDuplicates(1_000)
                        .withCorruption(1_000),
                both.impairment());
        assertEquals(400 * MILLIS, both.untilNanos());
        Fault.BadLink forward = (Fault.BadLink) faults.get(1);
        assertEquals("h2", forward.left());
        assertEquals(Fault.Direction.LEFT_TO_RIGHT, forward.direction());
        assertEquals(20_000, forward.impairment().reorderNanosMax());
        Fault.LinkDown down = (Fault.LinkDown) faults.get(2);
        assertEquals("h3", down.left());
        assertEquals(300_000, down.downNanos());
        assertEquals(2 * MILLIS, down.everyNanos());
        assertEquals(Fault.HostPause.of("h4", 200_000).withTime(4 * MILLIS, 400 * MILLIS), faults.get(3));
    }

    @Test
    void parse_faultNamedBackwards_turnsTheDirection() {
        String text = """
                duration: 1ms
                topology: {kind: star, hosts: 2, rate: 1Gbps}
                traffic: [{kind: flows, from: h1, to: h2}]
                faults: [{kind: bad-link, link: [switch, h1..h2], direction: forward, loss: 1%}]
                """;
        List<Fault> faults = parse(text).faults();
        assertEquals(2, faults.size());
        assertEquals(Fault.Direction.RIGHT_TO_LEFT, ((Fault.BadLink) faults.get(0)).direction());
    }

    @Test
    void read_allPairs_hasEachParameterOfTheProtocol() {
        Scenario scenario = Scenarios.example("all-pairs.yaml").scenario();
        Settings written = (Settings) scenario.traffic().get(0).protocol();
        assertEquals(
                ExpressPass.paper()
                        .named("paper-with-16")
                        .with(ExpressPass.W_INIT, 1.0 / 16)
                        .with(ExpressPass.CURRENT_RATE_ONLY, true)
                        .with(ExpressPass.ALPHA, 1.0 / 16),
                written);
        assertEquals(ExpressPass.weir(), scenario.traffic().get(1).protocol());
        assertEquals(ExpressPass.authors(), scenario.traffic().get(2).protocol());
        assertEquals(ExpressPass.naive(), scenario.traffic().get(3).protocol());
    }

    @Test
    void parse_protocolOfTraffic_startsFromTheScenarios() {
        Scenario scenario = parse("""
                duration: 1ms
                topology: {kind: star, hosts: 2, rate: 1Gbps}
                protocol: {preset: paper, wInit: 1/8}
                traffic:
                  - {kind: flows, from: h1, to: h2, protocol: {alpha: 1/4}}
                  - {kind: flows, from: h2, to: h1, protocol: {feedback: loss-price}}
                """);
        Settings first = (Settings) scenario.traffic().get(0).protocol();
        assertEquals(0.25, first.fraction(ExpressPass.ALPHA));
        assertEquals(0.125, first.fraction(ExpressPass.W_INIT));
        assertEquals(ExpressPass.Rule.ALGORITHM1, first.get(ExpressPass.FEEDBACK));
        assertEquals("flows", scenario.traffic().get(0).id());
        assertEquals("flows-2", scenario.traffic().get(1).id());
        Settings second = (Settings) scenario.traffic().get(1).protocol();
        assertEquals(ExpressPass.Rule.LOSS_PRICE, second.get(ExpressPass.FEEDBACK));
    }

    @Test
    void parse_exchange_serversMayHaveSeveralConnections() {
        Scenario scenario = parse("""
                duration: 1ms
                topology: {kind: star, hosts: 3, rate: 1Gbps}
                traffic: [{kind: exchange, client: h1, servers: all, perServer: 2, request: 1B, response: 1KB}]
                """);
        Traffic.Exchange exchange = (Traffic.Exchange) scenario.traffic().get(0);
        assertEquals(List.of("h2", "h3", "h2", "h3"), exchange.servers());
        assertEquals(1, exchange.rounds());
    }

    @Test
    void parse_neverStopping_isNever() {
        Scenario scenario = parse(
                "duration: 1ms\ntopology: {kind: star, hosts: 2, rate: 1Gbps}\ntraffic: [{kind: flows, from: h1, to: h2}]\n");
        assertEquals(
                Deadline.NO_DEADLINE,
                ((Traffic.Flows) scenario.traffic().get(0)).stop().atNanos());
        assertEquals(Measurement.SUMMARY, scenario.measurement());
    }

    @Test
    void read_sizesBesideTheScenario_areFoundAndNamed() throws IOException {
        Files.writeString(folder.resolve("sizes.csv"), "100,0\n200,1\n");
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, """
                duration: 1ms
                topology: {kind: star, hosts: 2, rate: 1Gbps}
                traffic: [{kind: poisson, sizes: ./sizes.csv, load: 10%}]
                """);
        ScenarioPlan plan = ScenarioFile.read(file, List.of());
        assertEquals("mine", plan.scenario().name());
        Traffic.Poisson poisson = (Traffic.Poisson) plan.scenario().traffic().get(0);
        assertEquals(150, poisson.sizes().meanBytes());
        assertEquals(List.of(folder.toAbsolutePath().resolve("sizes.csv")), plan.files());
    }

    @Test
    void read_pauses_areThoseOfEachNode() throws IOException {
        Files.writeString(folder.resolve("mine.csv"), "1000,0\n");
        Path file = folder.resolve("pausing.yaml");
        Files.writeString(file, """
                duration: 1ms
                network:
                  defaults: {rate: 1Gbps, host: {pauses: spinner}, switch: {pauses: {trace: idle, work: 1us}}}
                  hosts: [h1, {name: h2..h3, pauses: off}]
                  switches: [s1, {name: s2, pauses: {trace: ./mine.csv, ring: 64, catchUp: 0ns, pauseBudget: 1KB}}]
                  links: [{between: [h1..h2, s1]}, {between: [h3, s2]}, {between: [s1, s2]}]
                traffic: [{kind: flows, from: h1, to: h3}]
                """);
        ScenarioPlan plan = ScenarioFile.read(file, List.of());
        Network network = plan.scenario().network();
        assertEquals("spinner", network.hosts().get(0).pauses().trace().name());
        assertEquals(
                Pauses.of(network.hosts().get(0).pauses().trace()),
                network.hosts().get(0).pauses());
        assertEquals(Pauses.NONE, network.hosts().get(2).pauses());
        assertEquals(1_000, network.switches().get(0).pauses().workNanos());
        PauseTrace mine = new PauseTrace("./mine.csv", "", List.of(new PauseTrace.Span(1_000, 0)));
        assertEquals(
                Pauses.NONE.withTrace(mine).withRingFrames(64).withBudgetBytes(1_000),
                network.switches().get(1).pauses());
        assertEquals(List.of(folder.toAbsolutePath().resolve("mine.csv")), plan.files());
    }

    @Test
    void read_traceWithAMistake_isRefusedWithItsLine() throws IOException {
        Files.writeString(folder.resolve("bad.csv"), "1000,5\n0,1\n");
        Path file = folder.resolve("pausing.yaml");
        Files.writeString(file, """
                duration: 1ms
                topology: {kind: star, hosts: 2, rate: 1Gbps, host: {pauses: ./bad.csv}}
                traffic: [{kind: flows, from: h1, to: h2}]
                """);
        String message = assertThrows(ConfigException.class, () -> ScenarioFile.read(file, List.of()))
                .getMessage();
        assertTrue(
                message.endsWith("./bad.csv, line 2: awakeNanos=0 is outside 1..10000000000; join pauses without time"
                        + " between them into one"),
                message);
    }

    // ---- the catalogue and the examples

    @ParameterizedTest
    @MethodSource("io.weir.cli.scenario.Scenarios#all")
    void read_fileOfTheRepository_isAScenario(Path file) {
        Scenario scenario = ScenarioFile.read(file, List.of()).scenario();
        assertFalse(scenario.traffic().isEmpty());
    }

    @Test
    void files_together_showEverythingThatAScenarioCanSay() {
        Set<String> shown = new TreeSet<>();
        for (Path file : Scenarios.all()) {
            Shown.in(ScenarioFile.read(file, List.of()), shown);
        }
        Set<String> missing = Shown.everything().stream()
                .filter(thing -> !shown.contains(thing))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(Set.of(), missing);
    }

    // ---- what the command line changes

    @Test
    void overrides_scalar_isReplaced() {
        Path file = Scenarios.EXAMPLES.resolve("dumbbell.yaml");
        Scenario scenario = ScenarioFile.read(
                        file,
                        List.of(
                                YamlOverride.parse("--set", "topology.pairs=2"),
                                YamlOverride.parse("--set", "traffic[0].from=h1..h2"),
                                YamlOverride.parse("--set", "traffic[long].to=h3..h4"),
                                YamlOverride.of("--seed", "seed", "9")))
                .scenario();
        assertEquals(4, scenario.network().hosts().size());
        assertEquals(9, scenario.seed());
    }

    // ---- what is refused

    @ParameterizedTest
    @MethodSource("io.weir.cli.scenario.BadFiles#all")
    void parse_mistake_isNamedWithItsPlaceAndRemedy(BadFiles.Bad bad) throws IOException {
        Path file = folder.resolve("s.yaml");
        Files.writeString(file, bad.text());
        Files.writeString(folder.resolve("half.csv"), "size_bytes,cdf\n100,0\n200,0.5\n");
        String message = assertThrows(ConfigException.class, () -> ScenarioFile.read(file, List.of()))
                .getMessage();
        String plain = message.replace(file.toString(), "s.yaml")
                .replace(folder.toString(), "FOLDER")
                .replace(String.join(", ", Catalogue.names()), "PROTOCOLS")
                .replace(String.join(", ", Catalogue.protocolNames()), "WORDS");
        assertEquals(bad.message(), plain);
    }
}
