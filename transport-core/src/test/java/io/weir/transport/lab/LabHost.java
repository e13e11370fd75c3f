package io.weir.transport.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.Frame;
import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.HostStack;
import io.weir.transport.node.Egress;
import io.weir.transport.node.Node;
import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.sim.FaultyHost;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.WeirHeader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A host of the laboratory, with a witness at its port: the ledgers that its stack keeps are compared with what the
 * witness has seen come in.
 */
final class LabHost implements Node {
    /** Where addresses begin in a header of IPv4; of IPv6 four bytes of one address are left out. */
    private static final int ADDRESSES_AT = 12;
    /** Length and checksum of UDP, behind the ports. */
    private static final int UDP_LENGTH_BYTES = 4;

    /** What no working host does, whatever the network does to it. */
    private static final Set<CounterId> NEVER = EnumSet.of(
            CounterId.DROP_VERSION, CounterId.DROP_TYPE, CounterId.DROP_OPENING_SHORT, CounterId.DROP_CREDIT_MISSING);

    /** What keeps a report of a backlog from its receiver. */
    private static final Set<Feature> LOSES_FRAMES = EnumSet.of(
            Feature.LOSS,
            Feature.BURSTS,
            Feature.CORRUPTION,
            Feature.PARTITION,
            Feature.ONE_WAY_CUT,
            Feature.FLAPPING,
            Feature.CRASH,
            Feature.POOL_EXHAUSTION,
            Feature.ABORT);

    /** The most frames that a host keeps by itself: replies and credits that wait. */
    private static final int FRAMES_HELD_MAX = 256 + 8;

    private static final int TIMEOUTS_PER_CONNECTION_MAX = 60;

    private final String name;
    private final FaultyHost host;
    /** Null when nobody reads. */
    private final LabLog log;

    private final Set<CounterId> unexplained;
    private final boolean hasCredits;
    private final Egress egress = new WitnessedEgress();
    private final List<Connection> connections = new ArrayList<>();
    private final Datagram datagram = new Datagram();
    private long emptyDataFrames;
    /** What the present stack has let go, as the witness saw it leave: frames, and what they occupied on the link. */
    private long framesLeft;

    private long wireBytesLeft;

    /** Tags of the intact openings, by the ends that they name. */
    private final Map<String, Set<Long>> tagsOpened = new HashMap<>();

    LabHost(String name, FaultyHost host, Schedule schedule, LabLog log) {
        this.name = name;
        this.log = log;
        this.host = host;
        this.unexplained = unexplained(schedule.features);
        this.hasCredits = schedule.hasCredits();
    }

    /** {@return the reasons to drop a frame that none of these features explains} */
    private static Set<CounterId> unexplained(Set<Feature> features) {
        Set<CounterId> reasons = EnumSet.noneOf(CounterId.class);
        boolean repeats = features.contains(Feature.DUPLICATES) || features.contains(Feature.REPLAY);
        boolean forgets = features.contains(Feature.CRASH);
        if (Collections.disjoint(features, LOSES_FRAMES)) {
            // A sender with a backlog has told its receiver: no timer is needed for that.
            reasons.add(CounterId.BACKLOGS_UNHEARD);
        }
        if (!features.contains(Feature.SLOW_READERS)) {
            // A hint moves the window as if what has arrived had been read.
            reasons.add(CounterId.DROP_OUTSIDE_WINDOW);
        }
        if (features.isEmpty()) {
            reasons.add(CounterId.RETRANSMISSION_TIMEOUTS);
            reasons.add(CounterId.BYTES_RETRANSMITTED);
            reasons.add(CounterId.DATA_FRAMES_DUPLICATE);
        }
        if (!features.contains(Feature.CORRUPTION)) {
            reasons.addAll(NEVER);
            reasons.add(CounterId.DROP_NOT_OURS);
            reasons.add(CounterId.DROP_MALFORMED);
            reasons.add(CounterId.DROP_CHECKSUM);
            reasons.add(CounterId.DROP_CRC);
            reasons.add(CounterId.DROP_ACK_INVALID);
            reasons.add(CounterId.DROP_CREDIT_UNKNOWN);
            if (!forgets) {
                reasons.add(CounterId.DROP_COOKIE);
                reasons.add(CounterId.DROP_NO_LISTENER);
            }
            if (!repeats) {
                reasons.add(CounterId.DROP_CREDIT_DUPLICATE);
                reasons.add(CounterId.DROP_CREDIT_REUSED);
            }
        }
        return reasons;
    }

    FaultyHost host() {
        return host;
    }

    HostStack stack() {
        return host.stack();
    }

    String name() {
        return name;
    }

    /** A connection of the present stack has come to be. */
    void onConnection(Connection connection) {
        connections.add(connection);
    }

    /** The present stack is new: its ledgers begin at nothing. */
    void onRestart() {
        connections.clear();
        emptyDataFrames = 0;
        framesLeft = 0;
        wireBytesLeft = 0;
    }

    /** Compares what the stack counts with what it has been given, and with what is possible. */
    void requireSoundLedgers() {
        if (!host.isUp()) {
            return;
        }
        long sent = 0;
        long used = 0;
        for (int i = 0; i < connections.size(); i++) {
            CreditLedger ledger = connections.get(i).creditLedger();
            if (ledger != null) {
                requireSound(ledger);
                sent += ledger.sent();
                used += ledger.used();
            }
        }
        long sentByStack = stack().counters().get(CounterId.CREDITS_SENT);
        long received = stack().counters().get(CounterId.DATA_FRAMES_RECEIVED);
        long usedMin = hasCredits ? received - emptyDataFrames : 0;
        received = hasCredits ? received : 0;
        boolean isWhole = stack().counters().get(CounterId.CONNECTIONS_OPENED) == connections.size();
        if (sent > sentByStack || used > received || (isWhole && (sent != sentByStack || used < usedMin))) {
            throw new AssertionError(name + ": ledgers say " + sent + " credits sent and " + used
                    + " used, the host sent " + sentByStack + " and took " + usedMin + ".." + received
                    + " data frames with credits");
        }
        long framesSent = stack().counters().get(CounterId.FRAMES_SENT);
        long wireBytesSent = stack().counters().get(CounterId.WIRE_BYTES_SENT);
        if (framesSent != framesLeft || wireBytesSent != wireBytesLeft) {
            throw new AssertionError(name + " counts " + framesSent + " frames of " + wireBytesSent
                    + " B on the link, and " + framesLeft + " of " + wireBytesLeft + " have left");
        }
        if (host.framesHeld() > FRAMES_HELD_MAX && stack().framesHeld() > FRAMES_HELD_MAX) {
            throw new AssertionError(name + " holds " + stack().framesHeld() + " frames");
        }
    }

    private void requireSound(CreditLedger ledger) {
        if (ledger.used() < 0
                || ledger.lost() < 0
                || ledger.wasted() < 0
                || ledger.expired() < 0
                || ledger.outstanding() < 0) {
            throw new AssertionError(name + ": credits " + ledger);
        }
    }

    /** Requires that whatever was dropped has a fault to explain it. */
    void requireExplainedDrops() {
        for (CounterId reason : unexplained) {
            long count = stack().counters().get(reason);
            assertEquals(0, count, () -> name + " counts " + reason + ", which no fault of the schedule explains");
        }
    }

    /** Requires that connections that heard nothing have waited ever longer between two repetitions. */
    void requirePatience() {
        long timeouts = stack().counters().get(CounterId.RETRANSMISSION_TIMEOUTS);
        long connectionCount = stack().counters().get(CounterId.CONNECTIONS_OPENED);
        assertTrue(
                timeouts <= TIMEOUTS_PER_CONNECTION_MAX * connectionCount,
                () -> name + " has had " + timeouts + " retransmission time-outs on " + connectionCount
                        + " connections");
    }

    /** Requires that nothing is left of any connection. */
    void requireNothingLeft() {
        for (Connection connection : connections) {
            boolean isWhole = connection.closeReason() == CloseReason.FINISHED;
            long inFlightBytes = connection.inFlightBytes();
            assertTrue(!isWhole || inFlightBytes == 0, () -> inFlightBytes + " B in flight at the end at " + name);
        }
        requireBalance();
        assertEquals(0, host.framesHeld(), () -> "frames left at " + name);
        assertTrue(stack().nextTimeoutNanos() == Long.MAX_VALUE, () -> "a deadline is left at " + name);
    }

    /** Requires that the stack has given back whatever it had taken. */
    void requireBalance() {
        assertEquals("", stack().ledger().toString(), () -> "left at " + name);
    }

    @Override
    public void onFrame(int portIndex, Frame frame, long nowNanos) {
        // The end of a stream needs no credit. Frames may wait in the rings of a paused host, or be dropped: a bound.
        emptyDataFrames += isEmptyData(frame) ? 1 : 0;
        if (log != null) {
            log.frame(nowNanos, name + " <-", frame);
        }
        int weirAt = weirAt(frame);
        if (WeirHeader.type(frame.buffer(), weirAt) != FrameType.OPEN) {
            host.onFrame(portIndex, frame, nowNanos);
            return;
        }
        // Of those that come through; a paused host takes them later.
        if (datagram.parse(frame) == null) {
            long tag = WeirHeader.tag(frame.buffer(), weirAt);
            tagsOpened
                    .computeIfAbsent(endsOf(frame, weirAt), key -> new HashSet<>())
                    .add(tag);
        }
        host.onFrame(portIndex, frame, nowNanos);
    }

    /**
     * {@return intact openings with a tag that their sender has not} A connection has one tag. The Internet checksum
     * alone protects an opening: a few of those with several damaged bytes come through, and open another connection
     * where the damage is in the tag.
     */
    int openingsOfDamagedTags() {
        return tagsOpened.values().stream().mapToInt(tags -> tags.size() - 1).sum();
    }

    /** {@return the addresses and ports of both ends, as bytes} */
    private static String endsOf(Frame frame, int weirAt) {
        byte[] bytes = new byte[weirAt - UDP_LENGTH_BYTES - ipAt(frame) - ADDRESSES_AT];
        frame.buffer().getBytes(ipAt(frame) + ADDRESSES_AT, bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static int ipAt(Frame frame) {
        return frame.offset() + Ethernet.HEADER_BYTES;
    }

    private static int weirAt(Frame frame) {
        return ipAt(frame) + (frame.buffer().getByte(ipAt(frame)) >>> 4 == 4 ? 28 : 48);
    }

    private static boolean isEmptyData(Frame frame) {
        int weirAt = weirAt(frame);
        int headerBytes = weirAt - ipAt(frame);
        return WeirHeader.type(frame.buffer(), weirAt) == FrameType.DATA
                && frame.length() >= Ethernet.HEADER_BYTES + headerBytes + DataHeader.BYTES
                && DataHeader.payloadBytes(frame.buffer(), weirAt) == 0;
    }

    @Override
    public void onTimeout(long nowNanos) {
        host.onTimeout(nowNanos);
    }

    @Override
    public long nextTimeoutNanos() {
        return host.nextTimeoutNanos();
    }

    @Override
    public Egress egress(int portIndex) {
        return egress;
    }

    @Override
    public int portCount() {
        return 1;
    }

    @Override
    public void onPause(long pauseNanos, long nowNanos) {
        host.onPause(pauseNanos, nowNanos);
    }

    /** The host's own, and a look at what leaves by it. */
    private final class WitnessedEgress implements Egress {
        @Override
        public Frame pollTransmit(long nowNanos) {
            Frame frame = host.egress(0).pollTransmit(nowNanos);
            if (frame != null) {
                framesLeft++;
                wireBytesLeft += frame.wireBytes();
            }
            return frame;
        }

        @Override
        public long nextTransmitNanos(long nowNanos) {
            return host.egress(0).nextTransmitNanos(nowNanos);
        }
    }
}
