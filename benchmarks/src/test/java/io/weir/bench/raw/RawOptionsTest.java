package io.weir.bench.raw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link RawOptions}. */
class RawOptionsTest {
    @Test
    void parse_nothing_measuresEverything() {
        RawOptions options = RawOptions.parse(new String[0]);
        assertEquals(List.of(RawJob.values()), options.workloads());
        assertEquals(List.of(64, 1500), options.sizesBytes());
        assertEquals(5, options.pairCount());
    }

    @Test
    void parse_allOptions_areTaken() {
        RawOptions options = RawOptions.parse(
                "--workloads forward,ping --sizes 128 --pairs 3 --seconds 0.5 --generic --require 0.95".split(" ", -1));
        assertEquals(List.of(RawJob.FORWARD, RawJob.PING), options.workloads());
        assertEquals(List.of(128), options.sizesBytes());
        assertEquals(3, options.pairCount());
        assertEquals(0.5, options.seconds());
        assertTrue(options.generic());
        assertEquals(0.95, options.ratioMin());
    }

    @Test
    void parse_dpdk_namesDevicesAndJobs() {
        assertNull(RawOptions.parse(new String[0]).dpdk());
        RawOptions all = RawOptions.parse("--backend dpdk".split(" ", -1));
        assertEquals(List.of(DpdkVdev.values()), all.dpdk().devices());
        assertEquals(List.of(TestpmdJob.values()), all.dpdk().jobs());
        assertEquals("--no-huge -m 512", all.dpdk().eal());
        RawOptions some = RawOptions.parse(new String[] {
            "--backend", "dpdk", "--vdev", "memif,af_xdp", "--workloads", "circulate", "--eal", "-m 64"
        });
        assertEquals(List.of(DpdkVdev.MEMIF, DpdkVdev.AF_XDP), some.dpdk().devices());
        assertEquals(List.of(TestpmdJob.CIRCULATE), some.dpdk().jobs());
        assertEquals("-m 64", some.dpdk().eal());
    }

    @ParameterizedTest
    @CsvSource({
        "--backend pcap,--backend pcap is neither afxdp nor dpdk",
        "--vdev memif,--vdev and --eal are for --backend dpdk",
        "--backend dpdk --generic,--generic is for --backend afxdp",
        "--backend dpdk --workloads ping,--workloads ping is none of",
        "--backend dpdk --vdev pcap,--vdev pcap is none of",
        "--workloads circulate,--workloads circulate is none of",
    })
    void parse_mixedBackends_saysWhich(String arguments, String message) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> RawOptions.parse(arguments.split(" ", -1)));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    @Test
    void parse_unknownOptionOrMissingValue_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> RawOptions.parse(new String[] {"--frobnicate", "1"}));
        assertThrows(IllegalArgumentException.class, () -> RawOptions.parse(new String[] {"--pairs"}));
        assertThrows(IllegalArgumentException.class, () -> RawOptions.parse(new String[] {"--workloads", "juggle"}));
    }
}
