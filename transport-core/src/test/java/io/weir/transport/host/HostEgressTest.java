package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.pacer.Slack;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.Cookie;
import io.weir.transport.wire.CreditHeader;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link HostEgress}: in which order and at which pace frames leave, and what happens when there are none. */
class HostEgressTest {
    private static final Pattern CREDIT = Pattern.compile("CREDIT (\\d+)");

    private static final int SEGMENT = Script.SEGMENT_BYTES;
    private static final long WINDOW = PeerFrames.WINDOW_BYTES;
    private static final long MILLISECOND = 1_000_000;

    /** Takes every free frame of the host, as a network that returns none would. */
    private static List<Frame> starve(Script script) {
        List<Frame> taken = new ArrayList<>();
        for (Frame frame = script.pool().allocate();
                frame != null;
                frame = script.pool().allocate()) {
            taken.add(frame);
        }
        return taken;
    }

    private static Script withCatchUp(long catchUpNanos) {
        return new Script(builder -> builder.slack(new Slack(catchUpNanos, 0)));
    }

    @Test
    void addReply_threeHundredOpeningsWhileThePortHasNoRoom_holdsNoMoreThanItsLimit() {
        HostConfig config = HostConfig.builder(
                        TestNetwork.mac(1), List.of(TestNetwork.address(1)), Script.LINK_RATE_BPS)
                .build();
        SeededRandom random = new SeededRandom(1);
        FramePool pool = new FramePool(512, 2048, true);
        HostStack host =
                new HostStack(config, pool, List.of(ExpressPass.weir().newFactory(random.split())), random::nextLong);
        host.listen(TestNetwork.PORT, incoming -> null);
        UnsafeBuffer cookie = new UnsafeBuffer(new byte[Cookie.BYTES]);
        for (int i = 1; i <= 300; i++) {
            Path path = Path.from(TestNetwork.mac(2), TestNetwork.address(2), i)
                    .to(TestNetwork.mac(1), TestNetwork.address(1), TestNetwork.PORT);
            host.onFrame(0, new PeerFrames(pool, path, i, cookie, 0).open(0, 0), 0);
        }
        assertEquals(256, host.framesHeld());
        assertEquals(512 - 256, pool.available());
        assertEquals(300 - 256, host.counters().get(CounterId.DROP_BACKLOG));
        int sent = 0;
        for (long now = 0; host.framesHeld() > 0; now += 100) {
            Frame reply = host.egress(0).pollTransmit(now);
            if (reply != null) {
                sent++;
                reply.release();
            }
        }
        assertEquals(256, sent);
        assertEquals(512, pool.available());
        assertEquals(0, host.connectionCount() + host.halfOpenCount());
    }

    @Test
    void pollTransmit_manyFrames_leaveAtTheRateOfTheLink() {
        try (Script script = new Script().establishFromHost(4 * SEGMENT, WINDOW)) {
            for (int i = 1; i <= 4; i++) {
                long credit = i;
                script.receivesUnpolled(peer -> peer.credit(credit));
            }
            List<Long> times =
                    script.at(10_000).takeSent().stream().map(SentFrame::nanos).toList();
            assertEquals(List.of(0L, 1_538L, 3_076L, 4_614L), times);
        }
    }

    @Test
    void pollTransmit_everythingWaits_creditsThenCreditlessThenData() {
        try (Script script = new Script().establishFromHost(2 * SEGMENT, WINDOW)) {
            script.occupyLink()
                    .receives(peer -> peer.credit(1))
                    .receives(peer -> peer.request(SEGMENT, 0))
                    .at(1_000)
                    .sendsAt(84, "CREDIT 1 ack=0")
                    .sendsAt(168, "ACK 0 window=262144")
                    .sendsAt(294, "DATA [0,1424) credit=1 backlog=1424");
        }
    }

    private static Script withStandingCredits() {
        return new Script(ExpressPass.weir().with(ExpressPass.STANDING_BYTES, 8 * 1_538L));
    }

    @Test
    void pollTransmit_requestAnsweredAtOnce_answerBringsTheNextStandingCredit() {
        try (Script script = withStandingCredits().establishFromPeer(0)) {
            script.receives(peer -> peer.credit(1, 0, CreditHeader.FLAG_STANDING))
                    .forgetSent()
                    .mark();
            script.app().whenData(() -> script.connection().write(new UnsafeBuffer(new byte[50]), 0, 50));
            script.receives(peer -> peer.data(1, 0, 100))
                    .sends("DATA [0,50) credit=1 backlog=0 grants=2")
                    .after(1_000)
                    .sendsNothing();
        }
    }

    @Test
    void pollTransmit_requestAnsweredSoon_answerBringsTheNextStandingCredit() {
        try (Script script = withStandingCredits().establishFromPeer(0)) {
            script.receives(peer -> peer.credit(1, 0, CreditHeader.FLAG_STANDING))
                    .after(10_000)
                    .forgetSent();
            script.receives(peer -> peer.data(1, 0, 100))
                    .after(7_000)
                    .sendsNothing()
                    .write(50)
                    .sends("DATA [0,50) credit=1 backlog=0 grants=2")
                    .after(10_000)
                    .sendsNothing();
        }
    }

    @Test
    void pollTransmit_requestNotAnswered_standingCreditLeavesByItself() {
        try (Script script = withStandingCredits().establishFromPeer(0)) {
            script.after(10_000).forgetSent().mark();
            script.receives(peer -> peer.data(1, 0, 100)).after(20_000).sendsAt(8_000, "CREDIT 2 ack=100 standing");
        }
    }

    @Test
    void pollTransmit_meterIsEmpty_answerGoesAloneAndItsStandingCreditWaits() {
        try (Script script = withStandingCredits().establishFromPeer(0)) {
            Connection first = script.connection();
            PeerFrames second = script.peer().withPeerTag(0xABC);
            script.receives(peer -> peer.credit(1, 0, CreditHeader.FLAG_STANDING))
                    .receives(peer -> second.open(0, 0))
                    .receives(peer -> second.open(OpenHeader.FLAG_COOKIE | OpenHeader.FLAG_CREDIT_REQUEST, 1 << 30))
                    .after(20 * Script.CREDIT_GAP_NANOS);
            script.forgetSent();
            script.app().whenData(() -> first.write(new UnsafeBuffer(new byte[50]), 0, 50));
            script.receives(peer -> peer.data(1, 0, 100)).after(20 * Script.CREDIT_GAP_NANOS);
            List<String> texts = script.takeSent().stream().map(SentFrame::text).toList();
            assertTrue(texts.contains("DATA [0,50) credit=1 backlog=0"), texts.toString());
            long rights =
                    texts.stream().filter(text -> text.startsWith("CREDIT")).count();
            assertTrue(rights <= 22, rights + " credits where the meter has room for 20, and its bucket for 2");
        }
    }

    @Test
    void pollTransmit_connectionClosedWithAStandingCreditHeld_itGoesNowhere() {
        try (Script script = withStandingCredits().establishFromPeer(0)) {
            script.forgetSent()
                    .occupyLink()
                    .receives(peer -> peer.data(1, 0, 100))
                    .receives(peer -> peer.reset(2))
                    .after(1_000)
                    .sendsNothing();
        }
    }

    @Test
    void pollTransmit_twoFlows_takeTurns() {
        try (Script script = new Script().establishFromHost(3 * SEGMENT, WINDOW)) {
            PeerFrames first = script.peer();
            script.connect(40_001, 3 * SEGMENT).receives(peer -> peer.accept(WINDOW, 0));
            script.after(10_000).forgetSent().mark();
            for (int i = 1; i <= 3; i++) {
                long credit = i;
                script.receivesUnpolled(peer -> first.credit(credit)).receivesUnpolled(peer -> peer.credit(credit));
            }
            List<String> texts = script.at(10_000).takeSent().stream()
                    .map(SentFrame::text)
                    .filter(text -> text.startsWith("DATA"))
                    .toList();
            assertEquals(
                    List.of(
                            "DATA [0,1424) credit=1 backlog=2848",
                            "DATA [0,1424) credit=1 backlog=2848",
                            "DATA [1424,2848) credit=2 backlog=1424",
                            "DATA [1424,2848) credit=2 backlog=1424",
                            "DATA [2848,4272) credit=3 backlog=0",
                            "DATA [2848,4272) credit=3 backlog=0"),
                    texts);
        }
    }

    @Test
    void pollTransmit_noFrame_triesAgainAndLosesNothing() {
        try (Script script = new Script().establishFromHost(2 * SEGMENT, WINDOW)) {
            List<Frame> taken = starve(script);
            script.receives(peer -> peer.credit(1)).at(50_000).sendsNothing();
            long drops = script.host().counters().get(CounterId.DROP_NO_FRAME);
            assertTrue(drops >= 1 && drops <= 10, "one attempt each 10 us, not " + drops);
            taken.forEach(Frame::release);
            script.at(70_000).sends("DATA [0,1424) credit=1 backlog=1424").sendsNothing();
        }
    }

    @Test
    void pollTransmit_noFrameForHandshakeAckAndEnd_theyFollowWhenThereIsOne() {
        try (Script script = new Script().connect(0)) {
            script.forgetSent();
            List<Frame> taken = starve(script);
            script.receives(peer -> peer.challenge()).at(100_000).sendsNothing();
            taken.forEach(Frame::release);
            script.at(200_000).sends("OPEN cookie backlog=0").mark();
            taken = starve(script);
            script.receives(peer -> peer.accept(WINDOW, 0))
                    .shutdown()
                    .at(100_000)
                    .sendsNothing();
            taken.forEach(Frame::release);
            script.at(200_000).sends("ACK 0 window=262144").sends("DATA [0,0) FIN credit=0 backlog=0");
        }
    }

    @Test
    void pollTransmit_noFrameForACredit_waitsForOneAndLosesNone() {
        try (Script script = new Script(builder -> builder.creditFramesMax(2))
                .peerCreditFrames(2)
                .establishFromPeer(0)) {
            List<Frame> taken = starve(script);
            script.receives(peer -> peer.request(SEGMENT, 0))
                    .at(MILLISECOND / 2)
                    .sendsNothing()
                    .counts(CounterId.CREDITS_DROPPED_AT_HOST, 0);
            taken.forEach(Frame::release);
            script.at(MILLISECOND).sends("CREDIT 1 ack=0").sends("ACK 0 window=262144 frames=2");
        }
    }

    @Test
    void addCredit_twoFlowsAtTheHighestRate_areMeteredToOneLink() {
        try (Script script = new Script(ExpressPass.naive()).establishFromPeer(1 << 30, 1_000)) {
            PeerFrames second = script.peer().withPeerTag(0xABC);
            script.receives(peer -> second.open(0, 0)).receives(peer -> second.open(5, 1 << 30));
            long spanNanos = 100 * Script.CREDIT_GAP_NANOS;
            script.after(10_000).forgetSent().after(spanNanos);
            long count = script.takeSent().stream()
                    .filter(frame -> frame.text().startsWith("CREDIT"))
                    .count();
            assertTrue(count >= 98 && count <= 102, count + " credits where the link's data has room for 100");
            assertTrue(script.host().counters().get(CounterId.CREDITS_DROPPED_AT_HOST) >= 80);
        }
    }

    @Test
    void scheduleCredit_threeFlowsAtTheHighestRate_takeTurnsAndLoseNone() {
        // The handshake's 600 us let no flow take silence for loss in the 160 us that are looked at.
        try (Script script = new Script().establishFromPeer(0)) {
            PeerFrames second = script.peer().withPeerTag(0xABC);
            PeerFrames third = script.peer().withPeerTag(0xDEF);
            script.receives(peer -> peer.request(1 << 30, 0));
            script.receives(peer -> second.open(0, 0)).receives(peer -> second.open(5, 1 << 30));
            script.receives(peer -> third.open(0, 0)).receives(peer -> third.open(6, 1 << 30));
            script.after(10_000).forgetSent().after(99 * Script.CREDIT_GAP_NANOS);
            List<Long> sent = script.takeSent().stream()
                    .map(SentFrame::text)
                    .map(text -> CREDIT.matcher(text))
                    .filter(Matcher::lookingAt)
                    .map(match -> Long.valueOf(match.group(1)))
                    .toList();
            assertTrue(sent.size() >= 97 && sent.size() <= 101, sent.size() + " where there is room for 99");
            assertEquals(0, script.host().counters().get(CounterId.CREDITS_DROPPED_AT_HOST));
            List<Long> last = sent.subList(sent.size() - 6, sent.size());
            long ahead = Collections.max(last) - Collections.min(last);
            assertTrue(ahead <= 12, ahead + " credits ahead, where the first flow began some 7 before the others");
        }
    }

    @Test
    void pollTransmit_polledLate_catchesUpByTheAllowanceAndNoMore() {
        long catchUpNanos = 3 * 1_538;
        try (Script script = withCatchUp(catchUpNanos).establishFromHost(20 * SEGMENT, WINDOW)) {
            for (int i = 1; i <= 20; i++) {
                long credit = i;
                script.receivesUnpolled(peer -> peer.credit(credit));
            }
            script.stall(100_000).after(0);
            assertEquals(4, script.takeSent().size(), "one due now, and three that could have left before");
        }
    }

    @Test
    void pollTransmit_polledLateWithoutAllowance_sendsOne() {
        try (Script script = withCatchUp(0).establishFromHost(20 * SEGMENT, WINDOW)) {
            for (int i = 1; i <= 20; i++) {
                long credit = i;
                script.receivesUnpolled(peer -> peer.credit(credit));
            }
            script.stall(100_000).after(0);
            assertEquals(1, script.takeSent().size());
        }
    }

    @Test
    void pollTransmit_polledLate_creditlessFramesAndDataCatchUpTogether() {
        try (Script script = withCatchUp(10_000).establishFromHost(2 * SEGMENT, WINDOW)) {
            script.receivesUnpolled(peer -> peer.request(0, 0))
                    .receivesUnpolled(peer -> peer.credit(1))
                    .receivesUnpolled(peer -> peer.credit(2))
                    .stall(20_000)
                    .after(0)
                    .sends("ACK 0 window=262144")
                    .sends("DATA [0,1424) credit=1 backlog=1424")
                    .sends("DATA [1424,2848) credit=2 backlog=0");
        }
    }

    @Test
    void pacer_polledLate_catchesUpByTheAllowanceAndNoMore() {
        long catchUpNanos = 2 * Script.CREDIT_GAP_NANOS;
        try (Script script = withCatchUp(catchUpNanos).establishFromPeer(0)) {
            script.receives(peer -> peer.request(100 * SEGMENT, 0)).at(1_000).forgetSent();
            script.stall(50 * Script.CREDIT_GAP_NANOS).after(0);
            long made = script.host().counters().get(CounterId.CREDITS_SENT);
            assertEquals(1 + 2, made, "one at first; then as many as the meter's bucket is deep");
            assertEquals(2, script.takeSent().size(), "what is made leaves at once");
        }
    }

    @Test
    void addCredit_overIpv6_variesInLengthToo() {
        Set<Integer> lengths = SizesOverIpv6.ofCredits(200);
        Set<Integer> expected =
                java.util.stream.IntStream.rangeClosed(80, 88).boxed().collect(Collectors.toSet());
        assertEquals(expected, lengths);
    }
}
