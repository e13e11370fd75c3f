package io.weir.bench.raw;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link RawContest} on runs that are only claimed. */
class RawContestTest {
    private static final RawReport.Subject SUBJECT = RawReport.Subject.inC(RawJob.RECEIVE, 64);

    private final List<String> turns = new ArrayList<>();

    @Test
    void measure_quietPairs_runsThemOnceAndTakesTurns() throws Exception {
        new RawContest(side("C", 0), side("Java", 0), 4).measure(SUBJECT, 2);
        assertEquals(List.of("C", "Java", "Java", "C"), turns);
    }

    @Test
    void measure_noisySide_runsEachPairThreeTimesAndSaysHowManyAreLeftOut() throws Exception {
        RawReport report = new RawContest(side("C", 0), side("Java", 5), 4).measure(SUBJECT, 2);
        assertEquals(2 * 2 * 3, turns.size());
        assertEquals("off core 5.0%, 4 noisier pairs left out", endOf(report));
    }

    @Test
    void measure_noiseThatIsAllowed_runsNothingAgain() throws Exception {
        RawReport report = new RawContest(side("C", 60), side("Java", 100), 100).measure(SUBJECT, 1);
        assertEquals(2, turns.size());
        assertEquals("off core 100.0%, 0 noisier pairs left out", endOf(report));
    }

    /** {@return a side whose every run lost its core for a share of the time} */
    private RawContest.Side side(String name, int offCorePercent) {
        RawResult result = RawResult.ofFrames(1, 100, 1, 100 - offCorePercent);
        return () -> {
            turns.add(name);
            return new RawContest.Run(result, RawResult.ofFrames(1, 100, 1, 100));
        };
    }

    private static String endOf(RawReport report) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        report.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        String line = bytes.toString(StandardCharsets.UTF_8).strip();
        return line.substring(line.indexOf("off core"));
    }
}
