package io.weir.transport.fallback;

import static io.weir.transport.fallback.VirtualHosts.MILLISECOND;
import static io.weir.transport.fallback.VirtualHosts.SERVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.socket.WeirSocket;
import io.weir.transport.telemetry.CounterId;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the race of two openings over real transports in virtual time: when TCP begins, who is used, what happens to
 * the loser, and what a server sees of it. TCP's half is a model that opens, or fails, after a time.
 */
class OpeningInVirtualTimeTest {
    private static final long SECOND = 1_000 * MILLISECOND;
    private static final long HEAD_START = 50 * MILLISECOND;
    /** What the answer of a host that runs takes at most. */
    private static final long AT_ONCE = MILLISECOND;
    /** How long Weir asks a host that does not answer. */
    private static final long GIVE_UP = 11 * SECOND;
    /** Cycles of loops after which an opening is long over. */
    private static final int CYCLES_MAX = 24;

    private VirtualHosts hosts;

    private void open(Preference preference) throws Exception {
        open(preference, Duration.ofNanos(HEAD_START));
    }

    private void open(Preference preference, Duration headStart) throws Exception {
        hosts = new VirtualHosts(preference, headStart);
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    /** TCP's half: it opens, or fails, so long after it began. */
    private final class ModelTcp implements Opening.Tcp {
        private final long takesNanos;
        /** Null where it opens. */
        private final IOException failure;

        private Opening opening;
        private long startNanos;
        private int begun;
        private long begunNanos;
        /** Whether the program uses it. */
        private boolean isUsed;
        /** Whether it was open and the program does not use it. */
        private boolean isReset;

        ModelTcp(long takesNanos, IOException failure) {
            this.takesNanos = takesNanos;
            this.failure = failure;
        }

        Opening connect() {
            Rule rule = hosts.atClient().ruleOfConnect(SERVER);
            startNanos = hosts.nowNanos();
            opening = hosts.atClient().connect(SERVER, null, rule, this);
            hosts.atClient().begin(opening);
            return opening;
        }

        @Override
        public void begin() {
            begun++;
            begunNanos = hosts.nowNanos() - startNanos;
            hosts.plan(takesNanos, this::end);
        }

        void end() {
            if (failure != null) {
                opening.onTcpFailed(failure);
            } else if (opening.onTcpOpened()) {
                isUsed = true;
            } else {
                isReset = true;
            }
        }

        @Override
        public void onDecided() {
            assertTrue(opening.isDecided());
        }
    }

    private ModelTcp opens(long takesNanos) {
        return new ModelTcp(takesNanos, null);
    }

    private ModelTcp refused() {
        return new ModelTcp(MILLISECOND, new ConnectException("Connection refused"));
    }

    private Listener listen() throws IOException {
        return Listener.open(hosts.atServer(), hosts.atServer().ruleOfListen(SERVER), SERVER, 16);
    }

    private long passedOver() {
        return hosts.atServer().counts().get(Outcome.PASSED_OVER);
    }

    private long framesSent() {
        return hosts.client().counters().get(CounterId.FRAMES_SENT);
    }

    private void requireNothingOpen() {
        assertEquals(0, hosts.client().hostStack().connectionCount());
        assertEquals(0, hosts.server().hostStack().connectionCount());
    }

    private void requireCarries(WeirSocket near, WeirSocket far) throws IOException {
        assertEquals(3, near.tryWrite(ByteBuffer.wrap(new byte[] {1, 2, 3})));
        hosts.pass(AT_ONCE);
        ByteBuffer came = ByteBuffer.allocate(10);
        assertEquals(3, far.tryRead(came));
        assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 3}), came.flip());
    }

    // ---- when TCP begins

    @Test
    void prefer_peerHasWeir_neverBeginsTcp() throws Exception {
        open(Preference.PREFER);
        try (Listener listener = listen()) {
            ModelTcp tcp = opens(MILLISECOND);
            Opening opening = tcp.connect();
            hosts.pass(AT_ONCE);
            assertNotNull(opening.weir());
            hosts.pass(SECOND);
            assertEquals(0, tcp.begun);
            assertEquals(Outcome.WEIR, opening.explanation().outcome());
            requireCarries(opening.weir(), listener.tryAccept());
            assertNull(listener.tryAccept());
        }
    }

    @Test
    void prefer_peerRefuses_beginsTcpAtOnceAndDoesNotAskForAMinute() throws Exception {
        open(Preference.PREFER);
        ModelTcp first = opens(MILLISECOND);
        Opening opening = first.connect();
        hosts.pass(SECOND);
        assertEquals(1, first.begun);
        assertTrue(first.begunNanos <= AT_ONCE, first.begunNanos + " ns");
        assertTrue(first.isUsed);
        assertEquals(Outcome.TCP_REFUSED, opening.explanation().outcome());
        requireNothingOpen();
        long frames = framesSent();
        ModelTcp second = opens(MILLISECOND);
        assertEquals(Outcome.TCP_REMEMBERED, passed(second).explanation().outcome());
        assertEquals(0, second.begunNanos);
        assertEquals(frames, framesSent());
        hosts.pass(60 * SECOND);
        assertEquals(
                Outcome.TCP_REFUSED, passed(opens(MILLISECOND)).explanation().outcome());
        assertTrue(framesSent() > frames);
    }

    /** {@return an opening that has had a second} */
    private Opening passed(ModelTcp tcp) {
        Opening opening = tcp.connect();
        hosts.pass(SECOND);
        return opening;
    }

    @Test
    void prefer_peerIsSilent_beginsTcpAfterTheHeadStart_andAtOnceAfterThree() throws Exception {
        open(Preference.PREFER);
        hosts.runServer(false);
        for (int i = 0; i < PeerMemory.UNANSWERED_MAX; i++) {
            ModelTcp tcp = opens(MILLISECOND);
            assertEquals(Outcome.TCP_FIRST, passed(tcp).explanation().outcome());
            assertEquals(1, tcp.begun);
            assertTrue(tcp.begunNanos >= HEAD_START && tcp.begunNanos <= HEAD_START + AT_ONCE, tcp.begunNanos + " ns");
            assertTrue(tcp.isUsed);
            assertEquals(0, hosts.client().hostStack().connectionCount());
        }
        long frames = framesSent();
        ModelTcp tcp = opens(MILLISECOND);
        assertEquals(Outcome.TCP_REMEMBERED, passed(tcp).explanation().outcome());
        assertEquals(0, tcp.begunNanos);
        assertEquals(frames, framesSent());
    }

    @Test
    void prefer_peerRefusesWhileTcpTries_leavesItToTcp() throws Exception {
        open(Preference.PREFER);
        hosts.runServer(false);
        ModelTcp tcp = opens(100 * MILLISECOND);
        Opening opening = tcp.connect();
        hosts.pass(60 * MILLISECOND);
        assertEquals(1, tcp.begun);
        hosts.runServer(true);
        hosts.pass(SECOND);
        assertEquals(1, tcp.begun);
        assertTrue(tcp.isUsed);
        assertEquals(Outcome.TCP_REFUSED, opening.explanation().outcome());
    }

    @Test
    void prefer_tcpIsRefusedAndThePeerComesLate_isWeirs() throws Exception {
        open(Preference.PREFER);
        try (Listener listener = listen()) {
            hosts.runServer(false);
            Opening opening = refused().connect();
            hosts.pass(2 * SECOND);
            assertFalse(opening.isDecided());
            hosts.runServer(true);
            hosts.pass(SECOND);
            assertEquals(Outcome.WEIR, opening.explanation().outcome());
            assertNull(opening.failure());
            requireCarries(opening.weir(), listener.tryAccept());
        }
    }

    @Test
    void prefer_bothRefuse_failsAndIsAskedAgain() throws Exception {
        open(Preference.PREFER);
        ModelTcp tcp = refused();
        Opening opening = passed(tcp);
        assertEquals(Outcome.FAILED, opening.explanation().outcome());
        assertSame(tcp.failure, opening.failure());
        assertInstanceOf(ConnectException.class, opening.failure().getSuppressed()[0]);
        long frames = framesSent();
        assertEquals(Outcome.FAILED, passed(refused()).explanation().outcome());
        assertTrue(framesSent() > frames, "it is being restarted, say: who refuses both is not without Weir");
    }

    @Test
    void prefer_peerIsSilentAndTcpIsRefused_failsWhenWeirGivesUp() throws Exception {
        open(Preference.PREFER);
        hosts.runServer(false);
        ModelTcp tcp = refused();
        Opening opening = tcp.connect();
        hosts.pass(9 * SECOND);
        assertFalse(opening.isDecided());
        hosts.pass(GIVE_UP);
        assertEquals(Outcome.FAILED, opening.explanation().outcome());
        assertSame(tcp.failure, opening.failure());
    }

    @Test
    void weir_peerIsSilentOrRefuses_neverBeginsTcp() throws Exception {
        open(Preference.WEIR);
        ModelTcp refusing = opens(MILLISECOND);
        assertEquals(Outcome.FAILED, passed(refusing).explanation().outcome());
        hosts.runServer(false);
        ModelTcp silent = opens(MILLISECOND);
        Opening opening = silent.connect();
        hosts.pass(GIVE_UP);
        assertInstanceOf(ConnectException.class, opening.failure());
        assertEquals(0, refusing.begun + silent.begun);
    }

    // ---- what happens to the loser

    @Test
    void cancel_withinTheHeadStart_leavesNothingAtEitherEnd() throws Exception {
        open(Preference.PREFER);
        try (Listener listener = listen()) {
            hosts.runServer(false);
            ModelTcp tcp = opens(MILLISECOND);
            Opening opening = tcp.connect();
            hosts.pass(20 * MILLISECOND);
            opening.cancel();
            hosts.pass(SECOND);
            hosts.runServer(true);
            hosts.pass(SECOND);
            assertEquals(0, tcp.begun);
            assertNull(listener.tryAccept());
            hosts.pass(SECOND);
            requireNothingOpen();
        }
    }

    @Test
    void prefer_peerComesLateAndTcpNever_resetsTcpWhereItOpensAfterAll() throws Exception {
        open(Preference.PREFER);
        try (Listener listener = listen()) {
            hosts.runServer(false);
            ModelTcp tcp = opens(SECOND);
            Opening opening = tcp.connect();
            hosts.pass(500 * MILLISECOND);
            hosts.runServer(true);
            hosts.pass(SECOND);
            assertNotNull(opening.weir());
            assertTrue(tcp.isReset && !tcp.isUsed);
            requireCarries(opening.weir(), listener.tryAccept());
        }
    }

    /**
     * One play: TCP opens after so many cycles of the loops, which take turns.
     *
     * @param taken what the server's program was given
     */
    private record Play(Opening opening, ModelTcp tcp, List<WeirSocket> taken) {}

    /** TCP's thread is not the loop's, which has cycles between TCP's win and the end of Weir's half. */
    private Play play(int cycles, boolean takesAtOnce, Listener listener) {
        hosts.atClient().setListener(explanation -> {
            if (explanation.outcome() == Outcome.TCP_FIRST) {
                int unused = hosts.client().runOnce();
            }
        });
        ModelTcp tcp = opens(CYCLES_MAX * SECOND);
        Play play = new Play(tcp.connect(), tcp, new ArrayList<>());
        hosts.runDue();
        assertEquals(1, tcp.begun, "without a head start both begin");
        for (int i = 0; i < cycles; i++) {
            int unused = i % 2 == 0 ? hosts.client().runOnce() : hosts.server().runOnce();
            takeAll(play, takesAtOnce, listener);
        }
        tcp.end();
        for (int i = 0; i < CYCLES_MAX; i++) {
            int unused = i % 2 == 0 ? hosts.client().runOnce() : hosts.server().runOnce();
            takeAll(play, takesAtOnce, listener);
        }
        hosts.pass(SECOND);
        takeAll(play, true, listener);
        return play;
    }

    private static void takeAll(Play play, boolean takes, Listener listener) {
        if (takes) {
            for (WeirSocket next = listener.tryAccept(); next != null; next = listener.tryAccept()) {
                play.taken.add(next);
            }
        }
    }

    /**
     * Whenever TCP opens, one of both is used and the other reset; a server that takes connections later than the reset
     * comes is given the winners alone, and one that takes them at once may meet a loser, which ends without a byte.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void race_tcpOpensAfterAnyCycle_hasOneWinnerAtBothEnds(boolean takesAtOnce) throws Exception {
        Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
        long losers = 0;
        for (int cycles = 0; cycles <= CYCLES_MAX; cycles++) {
            try (VirtualHosts fresh = new VirtualHosts(Preference.PREFER, Duration.ZERO)) {
                hosts = fresh;
                try (Listener listener = listen()) {
                    Play play = play(cycles, takesAtOnce, listener);
                    boolean isWeirs = play.opening.weir() != null;
                    String what = "TCP opens after " + cycles + " cycles: " + play.opening.explanation();
                    assertTrue(isWeirs ? play.tcp.isReset : play.tcp.isUsed, what);
                    outcomes.add(play.opening.explanation().outcome());
                    losers += requireWinnersOnly(play, isWeirs, takesAtOnce, what);
                }
            }
        }
        assertEquals(EnumSet.of(Outcome.WEIR, Outcome.TCP_FIRST), outcomes);
        assertTrue(losers > 0, "a loser that a server had is among the plays");
    }

    /** {@return how many losers the server has met, or its listener passed over} */
    private long requireWinnersOnly(Play play, boolean isWeirs, boolean takesAtOnce, String what) throws IOException {
        if (isWeirs) {
            assertEquals(1, play.taken.size(), what);
            requireCarries(play.opening.weir(), play.taken.get(0));
            assertEquals(0, passedOver(), what);
            return 0;
        }
        assertTrue(takesAtOnce || play.taken.isEmpty(), what);
        for (WeirSocket loser : play.taken) {
            assertTrue(loser.isOver(), what);
            assertThrows(SocketException.class, () -> loser.tryRead(ByteBuffer.allocate(1)), what);
        }
        requireNothingOpen();
        return play.taken.size() + passedOver();
    }
}
