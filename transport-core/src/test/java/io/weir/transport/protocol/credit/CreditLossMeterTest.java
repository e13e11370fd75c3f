package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.protocol.CreditLedger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link CreditLossMeter} and {@link CreditLedger}. */
class CreditLossMeterTest {
    private final CreditLedger ledger = new CreditLedger();
    private final CreditLossMeter meter = new CreditLossMeter(ledger, false);

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            ledger.onSent(1);
        }
    }

    private static void requireLedger(CreditLedger ledger, long used, long lost, long wasted, long expired) {
        assertEquals(used, ledger.used(), ledger + " used");
        assertEquals(lost, ledger.lost(), ledger + " lost");
        assertEquals(wasted, ledger.wasted(), ledger + " wasted");
        assertEquals(expired, ledger.expired(), ledger + " expired");
    }

    @Test
    void onEcho_noGaps_losesNothing() {
        send(10);
        meter.startPeriod(1);
        for (int i = 1; i <= 10; i++) {
            meter.onEcho(i, 0);
        }
        assertEquals(10, meter.total());
        assertEquals(0, meter.lost());
        requireLedger(ledger, 10, 0, 0, 0);
        assertEquals(0, ledger.outstanding());
    }

    @Test
    void onEcho_gap_isLoss() {
        send(10);
        meter.onEcho(4, 0);
        assertEquals(4, meter.total());
        assertEquals(3, meter.lost());
        requireLedger(ledger, 1, 3, 0, 0);
        assertEquals(6, ledger.outstanding());
    }

    @Test
    void onEcho_partOfTheGapWasWasted_isNotLoss() {
        send(10);
        meter.onEcho(6, 2);
        assertEquals(3, meter.lost());
        requireLedger(ledger, 1, 3, 2, 0);
    }

    @Test
    void onEcho_wasteCountsAsLoss_whenAskedFor() {
        CreditLossMeter strict = new CreditLossMeter(ledger, true);
        send(10);
        strict.onEcho(6, 2);
        assertEquals(5, strict.lost());
        requireLedger(ledger, 1, 3, 2, 0);
    }

    @Test
    void onEcho_wasteCounterWraps_isTheDifference() {
        send(200_000);
        meter.onEcho(70_000, 65_530);
        meter.onEcho(70_011, 4);
        requireLedger(ledger, 2, 4_469, 65_530 + 10, 0);
    }

    @Test
    void onEcho_overtaken_takesTheLossBack() {
        send(5);
        meter.onEcho(3, 0);
        assertEquals(2, meter.lost());
        meter.onEcho(1, 0);
        assertEquals(1, meter.lost());
        requireLedger(ledger, 2, 1, 0, 0);
    }

    @Test
    void startPeriod_laterCreditsOnly_ignoresLossesBefore() {
        send(20);
        meter.startPeriod(10);
        meter.onEcho(5, 0);
        assertEquals(0, meter.total());
        meter.onEcho(12, 0);
        assertEquals(3, meter.total(), "10, 11 and 12");
        assertEquals(2, meter.lost());
        meter.onEcho(13, 0);
        assertEquals(4, meter.total());
    }

    @Test
    void onResolved_creditsThatTheSenderHasSeen_areWasted() {
        send(10);
        meter.onEcho(4, 0);
        meter.onResolved(7);
        meter.onResolved(6);
        requireLedger(ledger, 1, 3, 3, 0);
        assertEquals(7, meter.highest());
    }

    @Test
    void onEcho_afterResolvedWaste_countsTheLossOfItsOwnGap() {
        send(100);
        meter.onEcho(1, 0);
        // The sender wastes 2 to 51 and says so; of 52 to 71 all are lost but the last.
        meter.onResolved(51);
        meter.startPeriod(52);
        meter.onEcho(71, 50);
        assertEquals(19, meter.lost());
        requireLedger(ledger, 2, 19, 50, 0);
    }

    @Test
    void onExpired_thenEchoed_isRevived() {
        send(3);
        meter.onExpired(2);
        requireLedger(ledger, 0, 0, 0, 2);
        meter.onEcho(2, 0);
        requireLedger(ledger, 1, 0, 0, 1);
        assertEquals(1, ledger.outstanding());
    }

    @Test
    void ledger_randomLossWasteAndReordering_alwaysAddsUp() {
        for (int seed = 1; seed <= 30; seed++) {
            new Path(seed).run();
        }
    }

    /** A receiver's meter behind a path that loses, delays and reorders, and a sender that wastes some credits. */
    private static final class Path {
        private final SeededRandom random;
        private final CreditLedger ledger = new CreditLedger();
        private final CreditLossMeter meter;
        private final SequenceWindow seen = new SequenceWindow(4096);
        private final List<long[]> echoes = new ArrayList<>();
        private long sent;
        private long received;
        private int wasted;

        Path(long seed) {
            random = new SeededRandom(seed);
            meter = new CreditLossMeter(ledger, random.nextInt(2) == 0);
        }

        void run() {
            for (int i = 0; i < 5_000; i++) {
                step();
                long sum = ledger.used() + ledger.lost() + ledger.wasted() + ledger.expired() + ledger.outstanding();
                assertEquals(ledger.sent(), sum);
                assertEquals(sent, ledger.sent());
                assertEquals(sent - meter.highest(), ledger.outstanding());
                assertTrue(ledger.lost() >= 0 && ledger.wasted() >= 0 && ledger.expired() >= 0, ledger.toString());
                assertTrue(meter.lost() >= 0 && meter.lost() <= Math.max(0, meter.total()), "lost of total");
            }
        }

        private void step() {
            switch (random.nextInt(20)) {
                case 0 -> meter.onResolved(Math.min(sent, received));
                case 1 -> meter.onExpired(sent - random.nextInt(3));
                case 2 -> meter.startPeriod(random.nextInt(2) == 0 ? 0 : sent + 1);
                case 3, 4, 5, 6, 7, 8 -> deliver();
                default -> send();
            }
        }

        private void send() {
            ledger.onSent(1);
            sent++;
            switch (random.nextInt(5)) {
                case 0 -> {}
                case 1 -> {
                    received = sent;
                    wasted++;
                }
                default -> {
                    received = sent;
                    echoes.add(new long[] {sent, wasted});
                }
            }
        }

        private void deliver() {
            if (!echoes.isEmpty()) {
                long[] echo = echoes.remove(random.nextInt(Math.min(6, echoes.size())));
                if (random.nextInt(10) != 0 && seen.accept(echo[0])) {
                    meter.onEcho(echo[0], (int) echo[1] & 0xFFFF);
                }
            }
        }
    }
}
