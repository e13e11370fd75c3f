package io.weir.papers.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.Claim;
import io.weir.papers.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link FanOut} with made-up queues. */
class FanOutTest {
    private static final List<Integer> FAN_OUTS = List.of(32, 128, 512);

    @Test
    void ideal_aFrameForEachFlow_meetsAll() {
        List<Claim> claims = FanOut.ideal(FAN_OUTS, List.of(queue(0, 49_000), queue(0, 196_000), queue(0, 787_000)));
        assertEquals(List.of(Verdict.MET, Verdict.MET, Verdict.MET), verdicts(claims));
    }

    @Test
    void ideal_boundedQueue_isNoneOfIt() {
        List<Claim> claims = FanOut.ideal(FAN_OUTS, List.of(queue(0, 60_000), queue(0, 30_000), queue(0, 60_000)));
        assertEquals(List.of(Verdict.FAILED, Verdict.FAILED, Verdict.FAILED), verdicts(claims));
    }

    @Test
    void dctcp_longerQueues_meetsAll() {
        List<Claim> claims = FanOut.dctcp(
                FAN_OUTS,
                List.of(queue(9_000, 9_000), queue(9_000, 90_000), queue(90_000, 900_000)),
                List.of(queue(1, 1), queue(9_001, 90_001), queue(90_001, 900_001)));
        assertEquals(List.of(Verdict.MET, Verdict.MET, Verdict.MET), verdicts(claims));
    }

    @Test
    void dctcp_shorterFrom128On_fails() {
        List<Claim> claims = FanOut.dctcp(
                FAN_OUTS,
                List.of(queue(1, 1), queue(9_000, 90_000), queue(9_000, 90_000)),
                List.of(queue(9, 9), queue(8_999, 89_999), queue(90_000, 300_000)));
        assertEquals(List.of(Verdict.FAILED, Verdict.FAILED, Verdict.FAILED), verdicts(claims));
    }

    @Test
    void bounded_queueGrowsOrIsLong_fails() {
        List<Claim> growing = FanOut.bounded("w", List.of(queue(0, 10_000), queue(0, 20_001)));
        assertEquals(List.of(Verdict.FAILED, Verdict.MET), verdicts(growing));
        List<Claim> large = FanOut.bounded("w", List.of(queue(0, 60_001), queue(0, 60_001)));
        assertEquals(List.of(Verdict.MET, Verdict.FAILED), verdicts(large));
    }

    private static FanOut.Queue queue(double median, double max) {
        return new FanOut.Queue(0, 0, median, median, max, 0);
    }

    private static List<Verdict> verdicts(List<Claim> claims) {
        return claims.stream().map(Claim::verdict).toList();
    }
}
