package io.weir.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.bench.compare.end.SchedulingChoice;
import io.weir.bench.compare.end.Task;
import io.weir.transport.protocol.catalogue.Catalogue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link CompareOptions}, {@link Rival}. */
class CompareOptionsTest {
    @Test
    void parse_nothing_ninePairsOfEverything() {
        CompareOptions options = parse();
        assertEquals(9, options.pairs());
        assertEquals(List.of(0), options.spinners());
        assertEquals(List.of("tcp-xdp"), options.bases());
        assertEquals(Rival.all(), options.rivals());
        assertEquals(
                List.of(
                        new Job(Task.BULK, 0, 1),
                        new Job(Task.ROUND_TRIPS, 64, 1),
                        new Job(Task.ROUND_TRIPS, 1500, 1),
                        new Job(Task.CONNECTS, 1, 1),
                        new Job(Task.MANY, 0, 1),
                        new Job(Task.MANY, 0, 100),
                        new Job(Task.MANY, 0, 1000),
                        new Job(Task.MANY, 0, 10000),
                        new Job(Task.IDLE, 0, 1)),
                options.jobs());
    }

    @Test
    void parse_nothing_everyProtocolForRealPortsTakesPart() {
        List<String> protocols = Catalogue.forRealPorts().stream()
                .map(protocol -> protocol.id().name())
                .distinct()
                .toList();
        List<String> named = Rival.parse("weir").stream().map(Rival::protocol).toList();
        assertEquals(protocols, named);
        assertEquals("expresspass", named.get(0));
    }

    @Test
    void parse_rpc_streamsOfItsPayloadComeFirst() {
        CompareOptions options =
                parse("--workloads", "rpc", "--sizes", "64,131072", "--connections", "1,8", "--outstanding", "1,16");
        assertEquals(
                List.of(
                        new Job(Task.BULK, 0, 1),
                        new Job(Task.DUPLEX, 0, 1),
                        new Job(Task.CALLS, 64, 1, 1),
                        new Job(Task.CALLS, 64, 1, 16),
                        new Job(Task.CALLS, 64, 8, 1),
                        new Job(Task.CALLS, 64, 8, 16),
                        new Job(Task.CALLS, 131_072, 1, 1),
                        new Job(Task.CALLS, 131_072, 1, 16),
                        new Job(Task.CALLS, 131_072, 8, 1),
                        new Job(Task.CALLS, 131_072, 8, 16)),
                options.jobs());
        assertEquals(42, parse("--workloads", "rpc").jobs().size());
        assertThrows(IllegalArgumentException.class, () -> parse("--workloads", "rpc", "--sizes", "131073"));
        assertThrows(IllegalArgumentException.class, () -> parse("--workloads", "rpc", "--outstanding", "0"));
    }

    @Test
    void parse_everything_isTaken() {
        CompareOptions options =
                parse(("--subjects weir-dctcp,weir-dctcp@none,weir-dctcp@slices,tcp-plain --workloads rr,many "
                                + "--base tcp-plain,udp --pairs 3 --warm 0.5 --seconds 2 --spinners 0,2,2 --sizes 100 "
                                + "--connections 7 --mtu 9000 --rate 1G --archive --out a.json --page b.html --into c.md")
                        .split(" ", -1));
        assertEquals(
                new CompareOptions(
                        List.of(new Job(Task.ROUND_TRIPS, 100, 1), new Job(Task.MANY, 0, 7)),
                        List.of(Rival.named("weir-dctcp"), Rival.named("weir-dctcp@none"), Rival.named("tcp-plain")),
                        List.of("tcp-plain", "udp"),
                        3,
                        0.5,
                        2,
                        List.of(0, 2),
                        9000,
                        1_000_000_000L,
                        true,
                        "a.json",
                        "b.html",
                        "c.md"),
                options);
    }

    @Test
    void parse_quick_isShort() {
        CompareOptions options = parse("--quick", "--pairs", "2");
        assertEquals(2, options.pairs());
        assertEquals(1, options.seconds());
        assertTrue(options.jobs().stream().allMatch(job -> job.connections() <= 100));
    }

    @Test
    void parse_nonsense_isRefusedWithValueAndLimit() {
        assertRefused("unknown option --frobnicate", "--frobnicate");
        assertRefused("--pairs lacks its value", "--pairs");
        assertRefused("--pairs 0 is outside 1..1000", "--pairs", "0");
        assertRefused("--pairs many is not a number", "--pairs", "many");
        assertRefused("--seconds 0.1 is outside 0.2..600", "--seconds", "0.1");
        assertRefused("--seconds NaN is outside 0.2..600", "--seconds", "NaN");
        assertRefused("--warm -1 is outside 0..600", "--warm", "-1");
        assertRefused("--mtu 9001 is outside 576..9000", "--mtu", "9001");
        assertRefused("--spinners -1 is outside 0..1024", "--spinners", "0,-1");
        assertRefused("--sizes 0 is outside 1..65000", "--sizes", "0");
        assertRefused("--connections 50001 is outside 1..50000", "--connections", "50001");
        assertRefused("there is no workload juggle; there are bulk, rr, connects, many, idle", "--workloads", "juggle");
        assertRefused("there is no subject weir-nobody; there are weir (all", "--subjects", "weir-nobody");
        assertRefused("there is no @fast; there are slices, none,", "--subjects", "weir-dctcp@fast");
        assertRefused("tcp-plain has no loops of Weir's; leave out @none", "--subjects", "tcp-plain@none");
        assertRefused("weir-netty runs on Netty's threads", "--subjects", "weir-netty@realtime");
        assertRefused("weir-grpc runs on Netty's threads", "--subjects", "weir-grpc@realtime");
        assertRefused("weir-memory has both ends in one process", "--subjects", "weir-memory@pinned");
        assertRefused("there is no subject kernel; there are weir (all", "--base", "kernel");
        assertRefused("", "--rate", "fast");
    }

    @Test
    void named_scheduling_isPartOfNameAndLabel() {
        Rival rival = Rival.named("weir-tfc@realtime");
        assertEquals("weir-tfc@realtime", rival.name());
        assertEquals("Weir, tfc, real-time class", rival.label());
        assertEquals(SchedulingChoice.REALTIME, rival.scheduling());
        assertEquals(SchedulingChoice.SLICES, Rival.named("weir-tfc").scheduling());
    }

    @Test
    void obstacle_whatHasNoConnections_isNotAskedForThem() {
        assertEquals(
                "UDP has no connections",
                Rival.named("udp").obstacle(Task.CONNECTS).orElseThrow());
        assertTrue(Rival.named("aeron-ipc").obstacle(Task.MANY).isPresent());
        assertTrue(Rival.named("netty").obstacle(Task.MANY).isEmpty());
        assertTrue(Rival.named("udp").obstacle(Task.BULK).isEmpty());
    }

    private static CompareOptions parse(String... arguments) {
        return CompareOptions.parse(arguments);
    }

    private static void assertRefused(String message, String... arguments) {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> parse(arguments));
        assertTrue(refusal.getMessage().startsWith(message), refusal.getMessage());
    }
}
