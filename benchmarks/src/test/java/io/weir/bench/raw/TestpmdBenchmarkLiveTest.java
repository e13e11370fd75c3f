package io.weir.bench.raw;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.nic.lab.LiveTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the benchmark for a moment: that it works, not what it finds. */
@LiveTest
@Tag("slow")
class TestpmdBenchmarkLiveTest {
    /** Who had the core for less than a tenth of a moment may have moved nothing: that pair is run again. */
    private static final double OFF_CORE_PERCENT_MAX = 90;

    @BeforeEach
    void requireDpdk() {
        try {
            Testpmd.require();
            if (Testpmd.class.getResource("/io/weir/nic/dpdk/libweir_dpdk.so") == null) {
                throw new IOException("this build has no DPDK port: apt-get install dpdk dpdk-dev, and build again");
            }
        } catch (IOException e) {
            assertFalse(LiveTest.Rule.isRequired(), "WEIR_REQUIRE_LIVE=1 but " + e.getMessage());
            assumeTrue(false, e.getMessage());
        }
    }

    @Test
    void run_memifForAMoment_reportsBothSides() throws Exception {
        String report = report(DpdkVdev.MEMIF, TestpmdJob.RECEIVE, TestpmdJob.FORWARD);
        assertMoved(report, TestpmdJob.RECEIVE);
        assertMoved(report, TestpmdJob.FORWARD);
    }

    @Test
    void run_overVeth_reportsBothSides() throws Exception {
        assertMoved(report(DpdkVdev.AF_PACKET, TestpmdJob.TRANSMIT), TestpmdJob.TRANSMIT);
        assertMoved(report(DpdkVdev.AF_XDP, TestpmdJob.CIRCULATE), TestpmdJob.CIRCULATE);
    }

    private static String report(DpdkVdev vdev, TestpmdJob... jobs) throws Exception {
        RawOptions.Dpdk dpdk = new RawOptions.Dpdk(List.of(vdev), List.of(jobs), "--no-huge -m 512");
        RawOptions options = new RawOptions(List.of(), List.of(64), 1, 0.2, OFF_CORE_PERCENT_MAX, false, 0, 0, 1, dpdk);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            assertTrue(TestpmdBenchmark.run(options, out));
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static void assertMoved(String report, TestpmdJob job) {
        String moved = "(?!0\\.000)[0-9.]+ Mpps";
        Pattern line = Pattern.compile(job.label() + " +64 B   testpmd " + moved + " +Java " + moved + " +ratio [0-9]");
        assertTrue(line.matcher(report).find(), report);
    }
}
