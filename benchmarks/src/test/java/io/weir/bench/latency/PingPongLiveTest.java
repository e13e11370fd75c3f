package io.weir.bench.latency;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.transport.runtime.XdpMode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the benchmark for a moment: that it works, not what it finds. */
@LiveTest
@Tag("slow")
class PingPongLiveTest {
    @Test
    void run_everyContestForAMoment_reportsBothSides() throws Exception {
        PingPongOptions options = new PingPongOptions(List.of(Contest.values()), 64, 1, 0.2, XdpMode.NATIVE, false, 0);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            assertTrue(PingPong.run(options, out));
        }
        String report = bytes.toString(StandardCharsets.UTF_8);
        for (Contest contest : Contest.values()) {
            String figures = " +p50 +[0-9.]*[1-9].* us .*\\R";
            assertTrue(
                    Pattern.compile(contest.label() + ".*\\R +kernel UDP.*" + figures + " +Weir .*" + figures)
                            .matcher(report)
                            .find(),
                    report);
        }
    }
}
