package io.weir.transport.fallback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.fallback.OpeningRace.State;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests who wins, and who is to be reset. */
class OpeningRaceTest {
    private final IOException weirFailure = new IOException("weir");
    private final IOException tcpFailure = new IOException("tcp");

    private static OpeningRace both() {
        return new OpeningRace(true, true);
    }

    @Test
    void onWeirOpened_first_winsAndTcpLoses() {
        OpeningRace race = both();
        assertTrue(race.onHeadStartOver());
        assertTrue(race.onWeirOpened());
        assertEquals(State.WON_BY_WEIR, race.state());
        assertFalse(race.onTcpOpened());
        assertFalse(race.onCancelled());
    }

    @Test
    void onTcpOpened_first_winsAndWeirLoses() {
        OpeningRace race = both();
        assertTrue(race.onHeadStartOver());
        assertFalse(race.onHeadStartOver());
        assertTrue(race.onTcpOpened());
        assertFalse(race.onTcpOpened());
        assertFalse(race.onWeirOpened());
        assertFalse(race.onWeirFailed(weirFailure));
        assertEquals(State.WON_BY_TCP, race.state());
    }

    @Test
    void onWeirFailed_withinTheHeadStart_hasTcpBeginAtOnce() {
        OpeningRace race = both();
        assertTrue(race.onWeirFailed(weirFailure));
        assertFalse(race.onHeadStartOver());
        assertFalse(race.isDecided());
        assertTrue(race.onTcpOpened());
        assertSame(weirFailure, race.weirFailure());
    }

    @Test
    void onWeirFailed_afterTcpHasBegun_doesNotBeginItAgain() {
        OpeningRace race = both();
        assertTrue(race.onHeadStartOver());
        assertFalse(race.onWeirFailed(weirFailure));
        race.onTcpFailed(tcpFailure);
        assertSame(tcpFailure, race.failure());
        assertSame(weirFailure, race.failure().getSuppressed()[0]);
        assertTrue(race.isDecided());
    }

    @Test
    void onTcpFailed_whileWeirTries_leavesItToWeir() {
        OpeningRace race = both();
        assertTrue(race.onHeadStartOver());
        race.onTcpFailed(tcpFailure);
        assertFalse(race.isDecided());
        assertFalse(race.onWeirFailed(weirFailure));
        assertEquals(State.FAILED, race.state());
        assertSame(tcpFailure, race.failure());
    }

    @Test
    void onTcpFailed_whileWeirTries_weirMayStillWin() {
        OpeningRace race = both();
        assertTrue(race.onHeadStartOver());
        race.onTcpFailed(tcpFailure);
        assertTrue(race.onWeirOpened());
        assertNull(race.failure(), "nothing failed for who asked");
    }

    @Test
    void onWeirFailed_whereTcpMayNot_fails() {
        OpeningRace race = new OpeningRace(true, false);
        assertFalse(race.onHeadStartOver());
        assertFalse(race.onWeirFailed(weirFailure));
        assertSame(weirFailure, race.failure());
    }

    @Test
    void onCancelled_beforeAnybodyWon_makesBothLose() {
        OpeningRace race = both();
        assertTrue(race.onCancelled());
        assertFalse(race.onCancelled());
        assertFalse(race.onWeirOpened());
        assertFalse(race.onTcpOpened());
        assertTrue(race.isDecided());
    }

    @Test
    void create_nobodyMayTry_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> new OpeningRace(false, false));
        assertEquals(State.TCP, new OpeningRace(false, true).state());
    }
}
