package io.weir.cli.switching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.nic.switching.SwitchInterface;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.RingSizes;
import io.weir.pacer.CreditShape;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.PartSettings;
import io.weir.transport.protocol.PortPart;
import io.weir.transport.protocol.Values;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.credit.CreditPortConfig.Drop;
import io.weir.transport.protocol.peers.RcpPort;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.PortConfig;
import io.weir.transport.runtime.XdpMode;
import io.weir.transport.switching.EcnConfig;
import io.weir.transport.switching.SwitchPortConfig;
import io.weir.transport.switching.SwitchPortConfig.LinkEmulation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests {@link SwitchFile}: what it makes of the examples, and what it says about every kind of mistake. */
class SwitchFileTest {
    static final Path EXAMPLES = Path.of("../../docs/examples");

    private static final long GBPS = 1_000_000_000;

    private static SwitchPlan parse(String text) {
        return SwitchFile.parse("s.yaml", text);
    }

    // ---- what is read

    @Test
    void read_twoHosts_isTheDefaultSwitch() {
        SwitchPlan plan = SwitchFile.read(EXAMPLES.resolve("two-hosts.yaml"));
        assertEquals(
                List.of("sw0", "sw1"), plan.ports().stream().map(PortPlan::name).toList());
        SwitchPortConfig config = plan.ports().get(0).config();
        assertEquals(GBPS, config.linkRateBps());
        assertEquals(375_000, config.dataQueueBytesMax());
        CreditShape shape = CreditShape.permitting(1_538).withWireBytes(84, 92);
        assertEquals(CreditPortConfig.exact(GBPS, shape, 10_000, 2), config.credits());
        assertNull(config.ecn());
        assertEquals(new LinkEmulation(false, 0, 0, 50_000), config.link());
        assertEquals(IdleMode.BACK_OFF, plan.idleMode());
        assertEquals(config, plan.ports().get(1).config());
    }

    @Test
    void parse_onlyInterfacesAndRate_meansWhatTheLibraryDefaultsTo() {
        SwitchPortConfig config = parse("""
                        ports:
                        - {interface: a, rate: 1Gbps, link: {catchUp: 0ns, pauseBudget: 0B}}
                        - {interface: b, rate: 1Gbps}
                        """).ports().get(0).config();
        assertEquals(SwitchPortConfig.builder(GBPS).build(), config);
    }

    @Test
    void read_everyKey_isRead() {
        SwitchPlan plan = SwitchFile.read(EXAMPLES.resolve("every-key.yaml"));
        assertEquals(42, plan.seed());
        assertEquals(65_536, plan.frameCount(new int[] {2, 1, 1}));
        PortPlan first = plan.ports().get(0);
        assertEquals("fabric/sw0", first.name());
        assertEquals(List.of(0x02_00_00_00_00_01L), first.addresses());
        assertEquals(List.of(0, 1), xdp(first).queues());
        assertEquals(XdpMode.NATIVE, xdp(first).mode());
        assertEquals(RingSizes.ofAll(4096), xdp(first).ringSizes());
        assertEquals(true, xdp(first).forceCopy());
        assertNull(xdp(plan.ports().get(1)).ringSizes());
        assertEquals(1_400, first.config().mtuBytes());
        assertEquals(262_144, first.config().dataQueueBytesMax());
        CreditShape shape = CreditShape.permitting(1_438).withWireBytes(84, 92);
        assertEquals(
                CreditPortConfig.exact(GBPS, shape, 20_000, 4)
                        .withRateBps(900_000_000)
                        .withQueueBytesMax(6 * 84)
                        .withDrop(Drop.RANDOM),
                first.config().credits());
        assertEquals(new EcnConfig(5_000, 200_000, 10_000), first.config().ecn());
        assertEquals(
                List.of(
                        settings("phantom", "drain", 950_000L, "threshold", 1_000L),
                        settings("rcp", "alpha", 500_000L, "beta", 250_000L, "interval", 20_000L),
                        settings(
                                "tfc",
                                "rho0",
                                950_000L,
                                "alpha",
                                750_000L,
                                "gain",
                                4L,
                                "rtt",
                                50_000L,
                                "window",
                                1_000_000_000L,
                                "misses",
                                3L,
                                "held",
                                100L,
                                "hold",
                                50_000_000L)),
                first.config().policies());
        assertEquals(
                new LinkEmulation(true, 25_000, 1_000_000, 100_000),
                first.config().link());
    }

    @Test
    void read_everyKey_defaultsHoldUnlessThePortSaysOtherwise() {
        SwitchPlan plan = SwitchFile.read(EXAMPLES.resolve("every-key.yaml"));
        PortPlan second = plan.ports().get(1);
        assertEquals("fabric/sw1", second.name());
        assertEquals(List.of(0), xdp(second).queues());
        assertNull(second.config().ecn());
        assertEquals(List.of(), second.config().policies());
        CreditShape shape = CreditShape.permitting(1_538).withWireBytes(84, 92);
        assertEquals(CreditPortConfig.paper(10 * GBPS, shape), second.config().credits());
        PortPlan third = plan.ports().get(2);
        assertNull(third.config().credits());
        assertEquals(EcnConfig.step(65_000), third.config().ecn());
        assertEquals(List.of(RcpPort.PART.usual()), third.config().policies());
    }

    /** {@return a part of a protocol in which each key has the value behind it} */
    private static PartSettings settings(String word, Object... keysAndValues) {
        PortPart part = Catalogue.portParts().stream()
                .filter(candidate -> candidate.key().equals(word))
                .findFirst()
                .orElseThrow();
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            assertEquals(part.parameters().get(i / 2).key(), keysAndValues[i]);
            values.add(keysAndValues[i + 1]);
        }
        return new PartSettings(part, new Values(word, part.parameters(), values));
    }

    private static AfXdpConfig xdp(PortPlan port) {
        return ((SwitchInterface.Xdp) port.netPort()).config();
    }

    @Test
    void read_backends_openTheInterfaceEachInItsWay() {
        SwitchPlan plan = parse("""
                defaults: {rate: 1Gbps, rings: 1024, dataQueue: 84KB}
                ports:
                - {interface: a}
                - {interface: a, namespace: n, backend: af-packet}
                - {interface: 'device=net_memif0,role=server', backend: dpdk}
                """);
        assertEquals(RingSizes.ofAll(1024), xdp(plan.ports().get(0)).ringSizes());
        assertEquals(new SwitchInterface.Packet("n", "a"), plan.ports().get(1).netPort());
        assertEquals(
                new SwitchInterface.Dpdk(null, "device=net_memif0,role=server"),
                plan.ports().get(2).netPort());
        assertEquals(plan, parse(plan.toYaml()));
        assertEquals(1024 * 3 + 3 * (1_001 + 1), plan.frameCount(new int[] {1, 1, 0}));
    }

    @Test
    void toYaml_everyExample_readsBackAsTheSameSwitch() {
        for (String name : List.of("two-hosts.yaml", "every-key.yaml")) {
            SwitchPlan plan = SwitchFile.read(EXAMPLES.resolve(name));
            assertEquals(plan, parse(plan.toYaml()), name);
        }
    }

    @Test
    void frameCount_auto_fillsRingsAndQueues() {
        SwitchPlan plan = parse("""
                defaults: {rate: 1Gbps, dataQueue: 84KB, rings: 1024}
                ports: [{interface: a}, {interface: b}]
                """);
        assertEquals(1024 * (3 + 5) + 2 * (1_001 + 1), plan.frameCount(new int[] {1, 2}));
    }

    @Test
    void frameCount_manyReceiveQueues_ringsShrinkAndThePoolIsBounded() {
        SwitchPlan plan = parse("""
                defaults: {rate: 1Gbps, dataQueue: 84KB}
                ports: [{interface: a}, {interface: b}]
                """);
        assertEquals(2 * (2 * 2048 + 2048) + 2 * (1_001 + 1), plan.frameCount(new int[] {1, 1}));
        assertEquals(2 * (2 * 64 * 256 + 2048) + 2 * (1_001 + 1), plan.frameCount(new int[] {64, 64}));
    }

    @Test
    void with_chosenOnTheCommandLine_takesThePlaceOfTheFile() {
        PortConfig chosen = new PortConfig(4_096, 512, List.of(3), XdpMode.GENERIC, true);
        SwitchPlan plan = SwitchFile.read(EXAMPLES.resolve("every-key.yaml")).with(chosen);
        assertEquals(4_096, plan.frameCount(new int[] {2, 1, 1}));
        for (PortPlan port : plan.ports()) {
            assertEquals(RingSizes.ofAll(512), xdp(port).ringSizes());
            assertEquals(List.of(3), xdp(port).queues());
            assertEquals(XdpMode.GENERIC, xdp(port).mode());
            assertEquals(true, xdp(port).forceCopy());
        }
        SwitchPlan same = SwitchFile.read(EXAMPLES.resolve("every-key.yaml"));
        assertEquals(same, same.with(PortConfig.DEFAULT));
    }

    @Test
    void frameCount_enormousQueues_isBounded() {
        SwitchPlan plan = parse("""
                defaults: {rate: 1Gbps, dataQueue: 1GiB, rings: 1024}
                ports: [{interface: a}, {interface: b}]
                """);
        assertEquals(1024 * 6 + SwitchPlan.FRAMES_AUTO_MAX, plan.frameCount(new int[] {1, 1}));
    }

    // ---- what is refused

    /**
     * A file that must be refused.
     *
     * @param text the file
     * @param message what is said
     * @param isShape whether the published schema can see it too
     */
    record Bad(String text, String message, boolean isShape) {
        @Override
        public String toString() {
            return message;
        }
    }

    static List<Bad> files() throws IOException {
        List<Bad> files = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        boolean isShape = false;
        for (String line : table().lines().toList()) {
            if (line.startsWith("=== ")) {
                text.setLength(0);
                isShape = line.equals("=== shape");
            } else if (line.startsWith("--- ")) {
                files.add(new Bad(text.toString(), line.substring(4), isShape));
            } else {
                text.append(line).append('\n');
            }
        }
        return files;
    }

    private static String table() throws IOException {
        try (InputStream input = SwitchFileTest.class.getResourceAsStream("bad-files.txt")) {
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void parse_mistake_isNamedWithItsPlaceAndRemedy(Bad bad) {
        assertEquals(
                bad.message(),
                assertThrows(ConfigException.class, () -> parse(bad.text())).getMessage());
    }
}
