package io.weir.bench.raw;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link RawReport}. */
class RawReportTest {
    private static final RawReport.Subject SUBJECT = RawReport.Subject.inC(RawJob.RECEIVE, 64);

    @Test
    void ratio_oddCount_isTheMiddlePair() {
        RawReport report = new RawReport(SUBJECT, List.of(pair(100, 50), pair(100, 97), pair(100, 200)), 0);
        assertEquals(0.97, report.ratio(), 1e-9);
    }

    @Test
    void ratio_evenCount_isTheMeanOfTheMiddleTwo() {
        RawReport report = new RawReport(SUBJECT, List.of(pair(100, 90), pair(100, 100)), 0);
        assertEquals(0.95, report.ratio(), 1e-9);
    }

    @Test
    void ratio_roundTrips_isAboveOneWhenJavaIsFaster() {
        RawPair pair = new RawPair(
                RawResult.ofRoundTrips(10, 3_000, 4_000, 5_000), RawResult.ofRoundTrips(10, 2_000, 4_000, 5_000), 0);
        assertEquals(1.5, new RawReport(RawReport.Subject.inC(RawJob.PING, 64), List.of(pair), 0).ratio(), 1e-9);
    }

    @Test
    void offCorePercent_halfOfTheTime_isFifty() {
        assertEquals(50, RawResult.ofFrames(1, 1_000, 0, 500).offCorePercent(), 1e-9);
        assertEquals(0, RawResult.ofFrames(1, 1_000, 0, 1_001).offCorePercent(), 1e-9);
    }

    private static RawPair pair(long framesInC, long framesInJava) {
        return new RawPair(
                RawResult.ofFrames(framesInC, 1_000, 1, 1_000), RawResult.ofFrames(framesInJava, 1_000, 1, 1_000), 0);
    }
}
