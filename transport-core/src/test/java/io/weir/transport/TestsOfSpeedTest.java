package io.weir.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Document;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Looks in the sources of all tests for what makes an outcome depend on how busy the machine is: waits of a fixed time,
 * limits of the wall clock, floors of speed on real ports, repetition until a test passes. Floors belong to {@code
 * benchmarks} and to virtual time, ends to counts; what guards against a hang has minutes.
 */
class TestsOfSpeedTest {
    /**
     * By what is wrong with it. A short time that must pass without something happening is no limit: it has no pattern.
     */
    private static final Map<String, Pattern> EVERYWHERE = Map.of(
            "waits for a fixed time", Pattern.compile("\\bThread\\.sleep\\(|TimeUnit\\.\\w+\\.sleep\\("),
            "limits the time of a test", Pattern.compile("\\bassertTimeout|@Timeout\\b"),
            "fails where the machine is slow", Pattern.compile("(?i)\"[^\"\n]*\\btoo slow\\b"),
            "is repeated", Pattern.compile("@RepeatedTest|@RetryingTest|\\brerunFailing"),
            "gives up on a thread or process after seconds",
                    Pattern.compile(
                            "\\b(?:get|waitFor|awaitTermination|await)\\([^()\n]*\\b(?:TimeUnit\\.)?(?:MILLISECONDS|SECONDS)\\)"),
            "gives up on what is to happen after seconds",
                    Pattern.compile("\\b(?:PATIENCE|TIMEOUT)\\w* = [^;]*(?:ofSeconds|SECONDS)\\b"),
            "measures time for an upper bound",
                    Pattern.compile("(?:assert\\w+|while) ?\\([^;{]*System\\.nanoTime\\(\\) - \\w+ <[^;{]*"));

    private static final Map<String, Pattern> IN_LIVE_TESTS = Map.of(
            "has a floor of speed",
                    Pattern.compile(
                            "(?i)(?:goodput|throughput|mbps|gbps|bps|mpps|perSecond)\\w*(?:\\(\\))? *>=? *[\\d\\w]"),
            "has a named floor of speed", Pattern.compile("\\b\\w*(?:BPS|MBPS|MPPS|PER_SECOND|GOODPUT)\\w*_MIN\\b"),
            "compares shares of a core", Pattern.compile("getThreadCpuTime|getCurrentThreadCpuTime"));

    /** What has to look at a clock to do its work: that guard against hangs, and this test with its canaries. */
    private static final List<String> EXEMPT =
            List.of("TestsOfSpeedTest.java", "FixedDeadlinesTest.java", "Deadline.java", "Sleeps.java");

    private static List<String> faults(String name, String source) {
        List<String> faults = new ArrayList<>();
        find(EVERYWHERE, name, source, faults);
        if (name.endsWith("LiveTest.java") || source.contains("@LiveTest")) {
            find(IN_LIVE_TESTS, name, source, faults);
        }
        return faults;
    }

    private static void find(Map<String, Pattern> patterns, String name, String source, List<String> faults) {
        patterns.forEach((what, pattern) -> pattern.matcher(source)
                .results()
                .forEach(found -> faults.add(name + " " + what + ": " + found.group())));
    }

    @Test
    void sources_ofAllTests_dependOnNoSpeed() {
        List<String> faults = new ArrayList<>();
        int files = 0;
        for (Path file : Document.files(".java")) {
            String name = file.getFileName().toString();
            if (file.toString().contains("/src/test/") && !EXEMPT.contains(name)) {
                files++;
                faults.addAll(faults(name, Document.read(file)));
            }
        }
        assertEquals(List.of(), faults);
        assertTrue(files > 300, "only " + files + " files of tests were found");
    }

    @Test
    void canaries_oneOfEachKind_areFound() {
        List<String> canaries = List.of(
                "Thread.sleep(10);",
                "TimeUnit.MILLISECONDS.sleep(10);",
                "assertTimeout(ofSeconds(3), this::run);",
                "@Timeout(120)\nclass A {}",
                "assertTrue(frames >= target, \"too slow\");",
                "@RepeatedTest(5)",
                "received.get(20, TimeUnit.SECONDS);",
                "process.waitFor(10, SECONDS)",
                "Duration PATIENCE = Duration.ofSeconds(20);",
                "while (received < frames && System.nanoTime() - startNanos < NANOS_MAX) {",
                "assertTrue(System.nanoTime() - startNanos < 60_000_000_000L);");
        for (String canary : canaries) {
            assertEquals(1, faults("CanaryTest.java", canary).size(), canary);
        }
        List<String> liveOnly = List.of(
                "assertTrue(goodputBps >= 25e6);",
                "private static final double TFC_GOODPUT_BPS_MIN = 25e6;",
                "assertTrue(result.cyclesPerSecond() > 1_000);",
                "long nanos = threads.getThreadCpuTime(id);");
        for (String canary : liveOnly) {
            assertEquals(1, faults("CanaryLiveTest.java", canary).size(), canary);
            assertEquals(List.of(), faults("CanaryTest.java", canary), "in virtual time: " + canary);
        }
        assertEquals(List.of(), faults("CanaryLiveTest.java", "assertEquals(frames, received); guard.check();"));
    }
}
