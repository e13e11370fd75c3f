package io.weir.transport.protocol.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link FirstShare} with frames counted by hand, and with a link that passes credits by chance. */
class FirstShareTest {
    /** Frames in a round trip. */
    private static final double RTT = 40;

    private final FirstShare tested = new FirstShare();

    private void echoes(int count) {
        for (int i = 0; i < count; i++) {
            tested.onEcho();
        }
    }

    @Test
    void onCredit_noEchoCouldHaveComeYet_leavesTheWholeLink() {
        assertFalse(tested.isLearning(), "there is nothing to learn from yet");
        for (int i = 1; i <= 41; i++) {
            assertFalse(tested.onCredit(i, 1, RTT));
        }
        assertEquals(1, tested.share());
        assertTrue(tested.isLearning());
    }

    @Test
    void onCredit_nothingCameBack_thirteenOfTheFramesMayBeItsOwn() {
        tested.onCredit(1, 1, RTT);
        assertTrue(tested.onCredit(54, 1, RTT));
        assertEquals(0.5, tested.share(), 1e-9);
        assertFalse(tested.onCredit(55, 1, RTT), "one frame of 26 changes little");
        assertTrue(tested.onCredit(56, 1, RTT));
        assertEquals(13.0 / 28, tested.share(), 1e-9);
        assertTrue(tested.onCredit(57, 24, RTT));
        assertEquals(0.25, tested.share(), 1e-9, "a credit takes the time of 24 frames");
    }

    @Test
    void onCredit_someCameBack_believesAsMuchAsWithoutThem() {
        tested.onCredit(1, 1, RTT);
        echoes(12);
        assertTrue(tested.onCredit(54, 1, RTT));
        assertEquals(0.5, tested.share(), 1e-9);
        assertTrue(tested.isLearning());
    }

    @Test
    void onCredit_thirteenCameBack_knowsItsShare() {
        tested.onCredit(1, 1, RTT);
        echoes(13);
        assertFalse(tested.isKnown());
        assertTrue(tested.onCredit(1 + 40 + 1_287, 1, RTT));
        assertEquals(0.01 * 1.10, tested.share(), 1e-9);
        assertTrue(tested.isKnown());
        assertFalse(tested.isLearning());
    }

    @Test
    void onCredit_aThirdIsItsOwn_believesInTheWholeLink() {
        tested.onCredit(1, 1, RTT);
        echoes(13);
        tested.onCredit(1 + 40 + 26, 1, RTT);
        assertEquals(1, tested.share());
    }

    @Test
    void onCredit_moreThan256Rivals_needsMoreEchoes() {
        tested.onCredit(1, 1, 2 * RTT);
        echoes(25);
        // Of 2,048 x 13 frames it waits for 13 x the cube root of 2,048 / 256.
        tested.onCredit(1 + 80 - 13 + 2_048 * 13, 1, 2 * RTT);
        assertTrue(tested.isLearning());
        assertEquals(26 / (2_048 * 13.0), tested.share(), 1e-12);
        echoes(1);
        tested.onCredit(1 + 80 - 13 + 2_048 * 13, 1, 2 * RTT);
        assertFalse(tested.isLearning());
    }

    @Test
    void onCredit_silenceOf32RoundTripsPerFrame_isNoCrowd() {
        tested.onCredit(1, 1, RTT);
        tested.onCredit(2, 1e9, RTT);
        double frames = 13 + 13 * 32 * RTT;
        assertEquals(13 * Math.cbrt(frames / 13 / 256) / frames, tested.share(), 1e-12);
        assertFalse(tested.onCredit(3, 1e9, RTT));
        echoes(25);
        assertTrue(tested.onCredit(4, 1e9, RTT));
        assertEquals(25 / frames, tested.share(), 1e-4);
    }

    @Test
    void onPause_echoesMayWait_countsARoundTripLess() {
        tested.onCredit(1, 1, RTT);
        tested.onCredit(61, 1, RTT);
        assertEquals(13.0 / 33, tested.share(), 1e-9);
        tested.onPause(RTT);
        assertFalse(tested.onCredit(61 + 20, 1, RTT), "20 of them, and not a round trip's");
        assertFalse(tested.onCredit(81 + 20, 1, RTT), "20 after that, as before the pause");
        assertTrue(tested.onCredit(101 + 3, 1, RTT));
        assertEquals(13.0 / 36, tested.share(), 1e-9);
    }

    @Test
    void onCredit_roundTripIsUnknown_changesNothing() {
        tested.onCredit(1, 1, 0);
        assertFalse(tested.onCredit(10_000, 1, 0));
        assertEquals(1, tested.share());
    }

    /**
     * Flows that begin together, on a link whose queue of eight credits drops at random. Each asks for two credits for
     * every frame that it believes to be its own, and keeps to its share when it is known: no smoothed loss corrects
     * it.
     */
    @ParameterizedTest
    @CsvSource({"64, 16, 0.8", "256, 24, 0.7"})
    void onCredit_manyBeginTogether_shareTheLinkFromFewCredits(int flows, double creditsPerEchoMax, double jainMin) {
        SeededRandom random = new SeededRandom(7);
        FirstShare[] shares = new FirstShare[flows];
        Arrays.setAll(shares, i -> new FirstShare());
        long[] nextSequence = new long[flows];
        double[] due = new double[flows];
        List<Integer> queue = new ArrayList<>();
        Deque<Integer> onTheWay = new ArrayDeque<>();
        int frame = 0;
        while (frame < RTT || Arrays.stream(shares).anyMatch(FirstShare::isLearning)) {
            assertTrue(frame < 100_000, "all learn their shares in time");
            onTheWay.add(queue.isEmpty() ? -1 : queue.remove(0));
            int echo = onTheWay.size() > RTT ? onTheWay.remove() : -1;
            if (echo >= 0) {
                shares[echo].onEcho();
            }
            for (int i = 0; i < flows; i++) {
                if (due[i] <= frame) {
                    double gap = Math.max(1, 0.5 / shares[i].share());
                    nextSequence[i]++;
                    if (!shares[i].isKnown()) {
                        shares[i].onCredit(nextSequence[i], gap, RTT);
                    }
                    due[i] += gap * (0.9 + 0.2 * random.nextInt(1_000) / 1_000);
                    queue.add(i);
                }
                if (queue.size() > 8) {
                    queue.remove(random.nextInt(queue.size()));
                }
            }
            frame++;
        }
        double[] found = Arrays.stream(shares).mapToDouble(FirstShare::share).toArray();
        double sum = Arrays.stream(found).sum();
        assertEquals(1.1, sum, 0.15, "together they believe in the link, and in a little more of it");
        double jain = sum * sum / flows / Arrays.stream(found).map(x -> x * x).sum();
        assertTrue(jain >= jainMin, () -> "Jain " + jain);
        double perEcho = Arrays.stream(nextSequence).sum() / (13.0 * flows);
        assertTrue(perEcho <= creditsPerEchoMax, () -> perEcho + " credits per echo");
    }
}
