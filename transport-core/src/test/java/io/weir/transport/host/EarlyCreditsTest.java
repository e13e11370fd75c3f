package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Script;
import io.weir.transport.wire.ResetHeader;
import org.junit.jupiter.api.Test;

/** Tests {@link EarlyCredits}, and what an opening does with them. */
class EarlyCreditsTest {
    private static final long WINDOW = 262_144;

    /** A connection whose opening, with a cookie, has asked for credits. */
    private static Script asking(int bytes) {
        return new Script()
                .connect(bytes)
                .receives(peer -> peer.challenge())
                .at(10_000)
                .forgetSent();
    }

    @Test
    void connect_creditsBeforeTheAcceptance_areSpentWhenItComes() {
        try (Script script = asking(3_000)) {
            script.receives(peer -> peer.credit(1))
                    .receives(peer -> peer.credit(2))
                    .sendsNothing()
                    .at(20_000)
                    .receives(peer -> peer.accept(WINDOW, 0))
                    .sends("DATA [0,1424) credit=1 backlog=1576")
                    .at(30_000)
                    .sends("DATA [1424,2848) credit=2 backlog=152")
                    .sendsNothing()
                    .counts(CounterId.DROP_STATE, 0);
        }
    }

    @Test
    void connect_nothingToSend_wastesThem() {
        try (Script script = new Script().connect(0)) {
            script.receives(peer -> peer.credit(1)).at(1_000).receives(peer -> peer.accept(WINDOW, 0));
            assertEquals(1, script.connection().creditUse().wasted());
        }
    }

    @Test
    void connect_acceptanceAfterTheirLife_isToAskAgain() {
        try (Script script = asking(1_000)) {
            script.receives(peer -> peer.credit(1))
                    .at(1_020_000)
                    .forgetSent()
                    .receives(peer -> peer.accept(WINDOW, 0))
                    .after(3_000_000)
                    .sends("ACK 0 window=262144")
                    .sends("REQUEST backlog=1000 credit<=1 no-ack repeated");
            assertEquals(1, script.connection().creditUse().expired());
        }
    }

    @Test
    void connect_sameCreditTwice_isSpentOnceAndCounted() {
        try (Script script = asking(3_000)) {
            script.receives(peer -> peer.credit(1))
                    .receives(peer -> peer.credit(1))
                    .receives(peer -> peer.accept(WINDOW, 0))
                    .at(50_000)
                    .sends("DATA [0,1424) credit=1 backlog=1576")
                    .sendsNothing()
                    .counts(CounterId.DROP_CREDIT_DUPLICATE, 1);
        }
    }

    @Test
    void connect_openingRepeated_forgetsThemSinceAnotherLifeMayAnswer() {
        try (Script script = asking(3_000)) {
            script.receives(peer -> peer.credit(1))
                    .at(100_000_000)
                    .sends("OPEN cookie request backlog=3000")
                    .forgetSent()
                    .receives(peer -> peer.accept(WINDOW, 0))
                    .receives(peer -> peer.credit(1))
                    .at(100_010_000)
                    .sends("ACK 0 window=262144")
                    .sends("DATA [0,1424) credit=1 backlog=1576")
                    .counts(CounterId.DROP_STATE, 1)
                    .counts(CounterId.DROP_CREDIT_DUPLICATE, 0);
        }
    }

    @Test
    void connect_moreThanAreKept_dropsTheLast() {
        try (Script script = asking(3_000)) {
            for (int credit = 1; credit <= EarlyCredits.COUNT_MAX + 2; credit++) {
                int number = credit;
                script.receives(peer -> peer.credit(number));
            }
            script.counts(CounterId.DROP_STATE, 2);
        }
    }

    @Test
    void connect_refusedAfterThem_isClosed() {
        try (Script script = asking(3_000)) {
            script.receives(peer -> peer.credit(1))
                    .receives(peer -> peer.reset(ResetHeader.REFUSED))
                    .hears("closed REFUSED");
            assertEquals(0, script.host().connectionCount());
        }
    }

    @Test
    void add_full_keepsTheFirst() {
        EarlyCredits credits = new EarlyCredits();
        for (int i = 0; i < EarlyCredits.COUNT_MAX; i++) {
            assertTrue(credits.add(i + 1, i & 1, 100L + i));
        }
        assertFalse(credits.add(1_000, 0, 1_000));
        assertEquals(EarlyCredits.COUNT_MAX, credits.count());
        assertEquals(1, credits.sequenceLow32(0));
        assertEquals(1, credits.flags(1));
        assertEquals(101, credits.arrivedNanos(1));
    }
}
