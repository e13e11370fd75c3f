package io.weir.transport.host;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.Egress;
import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.protocol.credit.CreditQueue;
import io.weir.transport.telemetry.AccountId;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.telemetry.Ledger;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.CreditHeader;
import java.util.ArrayDeque;

/**
 * What leaves a host by one of its links, at that link's rate: credits first as the meter lets them, then frames
 * without a credit, then data, one frame per flow in turn. All but paced credits and replies are written when they
 * leave, by {@link ConnectionOutput}; this chooses whose frame is next.
 *
 * <p>A standing credit waits a little, and until there is nothing else to send, and rides on its connection's next data
 * frame if one leaves before: a request that is answered soon costs one frame in each direction.
 */
final class HostEgress implements Egress {
    private static final int REPLIES_MAX = 256;
    /** When more connections than that begin to ask, the newest has every second turn. */
    private static final int NEWCOMERS_IN_TURN = 24;

    private static final long NO_FRAME_RETRY_NANOS = 10_000;
    /**
     * How long an application thread next to the loop may take for an answer that is to bring the next standing credit.
     */
    private static final long STANDING_HOLD_NANOS = 8_000;

    private final HostStack host;
    private final Counters counters;
    private final HostLink link;
    private final CreditQueue credits;
    /** The longest credit over IPv4. */
    private final int creditWireBytesMax;
    /**
     * Connections whose credit is due and is made when the meter has room, so that it is not lost here. They take turns
     * in the order in which they came; each is in it once, so that none holds more places than another.
     */
    private final ArrayDeque<Connection> turns = new ArrayDeque<>();
    /**
     * Those that begin to ask. While there are many, every second turn is the newest's, so that a burst does not delay
     * all that come after it. The other turns go to the one that has waited longest, here or in {@link #turns}.
     */
    private final ArrayDeque<Connection> newcomers = new ArrayDeque<>();

    private final FrameQueue replies = new FrameQueue();
    private final ArrayDeque<Connection> control = new ArrayDeque<>();
    private final ArrayDeque<Connection> data = new ArrayDeque<>();
    private final ArrayDeque<Connection> standing = new ArrayDeque<>();
    /** Those of {@link #standing} whose peer waits for the credit: it leaves before all else. */
    private final ArrayDeque<Connection> awaited = new ArrayDeque<>();
    /** Connections that end when there is room for the reset that tells their peers. */
    private final ArrayDeque<Connection> leaving = new ArrayDeque<>();
    /**
     * The credit of the latest turn, if it grants several frames and the meter's bucket is not yet full enough for it.
     */
    private Frame turnCredit;
    /** Whether the latest credit was one of {@link #credits}: then one of {@link #turns} is next, if both wait. */
    private boolean wasQueued;
    /** Whether the next turn is the newest newcomer's while there are many; written by {@link #pollTurn}. */
    private boolean isNewestNext;

    /** Until when nothing is polled because the pool had no frame; 0 if it always had. */
    private long retryNanos;
    /** The most connections that have been in {@link #data} at once. Written by {@link #scheduleData}. */
    private int dataTurnsMax;
    /** The most connections that have been in {@link #turns} at once. Written by {@link #scheduleCredit}. */
    private int creditTurnsMax;

    HostEgress(HostStack host, HostLinkConfig linkConfig, SeededRandom random) {
        HostConfig config = host.config();
        this.host = host;
        this.counters = host.counters();
        this.link = new HostLink(config, linkConfig);
        this.creditWireBytesMax = linkConfig.credits().creditShape().wireBytesMax();
        this.credits = new CreditQueue(linkConfig.credits(), config.creditFramesMax(), random);
    }

    void scheduleControl(Connection connection) {
        control.add(connection);
    }

    /** Lets a connection wait for room in the meter. */
    void scheduleCredit(Connection connection) {
        (connection.receiver().protocol().isFirstCredit() ? newcomers : turns).add(connection);
        creditTurnsMax = Math.max(creditTurnsMax, turns.size() + newcomers.size());
    }

    void scheduleData(Connection connection) {
        data.add(connection);
        dataTurnsMax = Math.max(dataTurnsMax, data.size());
    }

    /** {@return the most connections that have waited at once with data that may leave} */
    int dataTurnsMax() {
        return dataTurnsMax;
    }

    /** {@return the most credits that have waited at once for the meter, queued or in flows that wait in turn} */
    int creditsWaitingMax() {
        return Math.max(creditTurnsMax, credits.frameCountMax());
    }

    /**
     * {@return how long a connection that begins to ask now may wait for its turn at the meter, in nanoseconds; 0 when
     * none waits} While there are many newcomers, every second turn goes to one that comes after it.
     */
    long turnWaitNanos() {
        long turnsBefore = (long) turns.size() + newcomers.size();
        int factor = newcomers.size() > NEWCOMERS_IN_TURN ? 2 : 1;
        return factor * turnsBefore * credits.turnNanos(creditWireBytesMax);
    }

    /** {@return bytes of frames handed over that the link has not sent by {@code nowNanos}} */
    long bytesLeft(long nowNanos) {
        return link.bytesLeft(nowNanos);
    }

    /** Makes up for a pause of the driver: so many bytes of data may leave, and be asked for, beyond the rate. */
    void makeUp(long bytes, long bytesMax, long nowNanos) {
        link.makeUp(bytes, bytesMax);
        credits.makeUp(bytes, bytesMax, nowNanos);
    }

    /** What leaves, and the meter of credits, have these rates from now on. */
    void setRates(long linkRateBps, long creditRateBps, long nowNanos) {
        link.setRateBps(linkRateBps);
        credits.setRateBps(creditRateBps, nowNanos);
    }

    /** {@return whether {@link #addReply} has room for a frame} */
    boolean hasReplyRoom() {
        return replies.frameCount() < REPLIES_MAX;
    }

    /** Ends a connection as soon as there is room for the frame that tells its peer, which nothing repeats. */
    void scheduleLeave(Connection connection) {
        leaving.add(connection);
    }

    /** Takes a frame that has been turned round. */
    void addReply(Frame frame) {
        if (!hasReplyRoom()) {
            counters.increment(CounterId.DROP_BACKLOG);
            frame.release();
            return;
        }
        frame.setReadyNanos(host.nowNanos());
        replies.add(frame);
    }

    /** Queues a credit of this size, due since {@code dueNanos}, unless the host's own limit refuses it. */
    void addCredit(Connection connection, int wireBytes, long dueNanos) {
        StreamReceiver receiver = connection.receiver();
        int frames = receiver.protocol().creditFrames();
        counters.add(CounterId.CREDITS_SENT, frames);
        if ((receiver.protocol().creditFlags() & CreditHeader.FLAG_STANDING) != 0) {
            holdCredit(connection, wireBytes, dueNanos);
            return;
        }
        Frame frame = host.allocate();
        if (frame == null) {
            counters.add(CounterId.CREDITS_DROPPED_AT_HOST, frames);
            return;
        }
        int flags = CreditHeader.withFrames(0, frames);
        connection.output().writeCredit(frame, receiver.protocol().creditSequence(), wireBytes, flags);
        frame.setReadyNanos(dueNanos);
        Frame refused = credits.offer(frame);
        if (refused != null) {
            counters.add(CounterId.CREDITS_DROPPED_AT_HOST, CreditHeader.frames(refused));
            refused.release();
        }
    }

    private void holdCredit(Connection connection, int wireBytes, long dueNanos) {
        if (connection.receiver().holdCredit(wireBytes, dueNanos + STANDING_HOLD_NANOS)) {
            standing.add(connection);
        }
    }

    @Override
    public Frame pollTransmit(long nowNanos) {
        if (!link.isFree(nowNanos) || retryNanos > nowNanos) {
            return null;
        }
        Frame frame = pollAwaited(nowNanos);
        if (frame == null) {
            frame = pollCredit(nowNanos);
        }
        if (frame == null) {
            frame = pollCreditless(nowNanos);
        } else if (CreditHeader.frames(frame) > 1) {
            frame = onNextData(frame, nowNanos);
        }
        if (frame == null) {
            frame = pollData(nowNanos);
        }
        if (frame == null) {
            frame = pollStanding(nowNanos);
        }
        if (frame != null) {
            link.start(frame, nowNanos);
            counters.increment(CounterId.FRAMES_SENT);
            counters.add(CounterId.WIRE_BYTES_SENT, frame.wireBytes());
            host.traceSent(frame, nowNanos);
        }
        return frame;
    }

    /** Credits that wait in the queue and flows that wait for a turn share the meter, one credit each. */
    private Frame pollCredit(long nowNanos) {
        if (isQueueNext()) {
            Frame frame = credits.poll(nowNanos);
            wasQueued |= frame != null;
            return frame;
        }
        Frame credit = turnCredit;
        while (credit == null && turnNanos(nowNanos) <= nowNanos) {
            Frame frame = allocate(nowNanos);
            if (frame == null) {
                return null;
            }
            credit = takeTurn(pollTurn(), frame, nowNanos);
        }
        if (credit == null) {
            return null;
        }
        if (!credits.tryPass(credit, nowNanos)) {
            turnCredit = credit;
            return null;
        }
        turnCredit = null;
        wasQueued = false;
        return credit;
    }

    /** {@return whose turn is next, or null when none waits} */
    private Connection peekTurn() {
        return isTurnOfNewest() ? newcomers.peekLast() : longestWaiting().peek();
    }

    private Connection pollTurn() {
        Connection next =
                isTurnOfNewest() ? newcomers.pollLast() : longestWaiting().poll();
        isNewestNext = !isNewestNext;
        return next;
    }

    private boolean isTurnOfNewest() {
        return isNewestNext && newcomers.size() > NEWCOMERS_IN_TURN;
    }

    private ArrayDeque<Connection> longestWaiting() {
        if (newcomers.isEmpty() || turns.isEmpty()) {
            return newcomers.isEmpty() ? turns : newcomers;
        }
        long leadNanos = turns.peek().output().creditDueNanos()
                - newcomers.peek().output().creditDueNanos();
        return leadNanos >= 0 ? newcomers : turns;
    }

    private boolean isQueueNext() {
        boolean isTurnWaiting = !turns.isEmpty() || !newcomers.isEmpty();
        return turnCredit == null && (!isTurnWaiting || (!wasQueued && credits.frameCount() > 0));
    }

    /**
     * {@return the credit of the connection whose turn it is, or null when it has none to send; then the frame is
     * released}
     */
    private Frame takeTurn(Connection connection, Frame frame, long nowNanos) {
        ConnectionOutput output = connection.output();
        long dueNanos = output.creditDueNanos();
        int wireBytes = output.takeCreditTurn(nowNanos);
        if (wireBytes == 0) {
            frame.release();
            output.endCreditTurn(nowNanos);
            return null;
        }
        ReceiverProtocol protocol = connection.receiver().protocol();
        int frames = protocol.creditFrames();
        counters.add(CounterId.CREDITS_SENT, frames);
        output.writeCredit(frame, protocol.creditSequence(), wireBytes, CreditHeader.withFrames(0, frames));
        frame.setReadyNanos(dueNanos);
        output.endCreditTurn(nowNanos);
        if (!credits.canPass(frame)) {
            counters.add(CounterId.CREDITS_DROPPED_AT_HOST, frames);
            frame.release();
            return null;
        }
        return frame;
    }

    /** {@return when the meter has room for the turn that is next: for the longest credit for one frame} */
    private long turnNanos(long nowNanos) {
        if (turnCredit != null) {
            return credits.passNanos(turnCredit, nowNanos);
        }
        Connection next = peekTurn();
        if (next == null) {
            return Deadline.NO_DEADLINE;
        }
        int bytesOnLink = next.output().creditBytesOnLink(creditWireBytesMax);
        return credits.canPass(bytesOnLink) ? credits.passNanos(bytesOnLink, nowNanos) : nowNanos;
    }

    private long nextCreditNanos(long nowNanos) {
        return isQueueNext() ? credits.nextNanos(nowNanos) : turnNanos(nowNanos);
    }

    private Frame pollCreditless(long nowNanos) {
        Frame frame = replies.poll();
        if (frame == null) {
            frame = pollLeaving(nowNanos);
        }
        if (frame == null) {
            frame = pollControl(nowNanos);
        }
        if (frame != null) {
            counters.increment(CounterId.CREDITLESS_FRAMES_SENT);
            counters.add(CounterId.CREDITLESS_BYTES_SENT, frame.wireBytes());
        }
        return frame;
    }

    private Frame pollLeaving(long nowNanos) {
        if (!leaving.isEmpty() && !host.hasFrame()) {
            retryNanos = nowNanos + NO_FRAME_RETRY_NANOS;
            return null;
        }
        Frame frame = null;
        while (frame == null && !leaving.isEmpty()) {
            leaving.remove().abort(CloseReason.HOST_CLOSED, null);
            frame = replies.poll();
        }
        return frame;
    }

    private Frame pollControl(long nowNanos) {
        Connection connection = control.peek();
        while (connection != null
                && (connection.state() == Lifecycle.State.CLOSED
                        || !connection.output().isWanted(nowNanos))) {
            control.remove();
            connection.output().endTurn();
            connection = control.peek();
        }
        Frame frame = connection == null ? null : allocate(nowNanos);
        if (frame == null) {
            return null;
        }
        control.remove();
        frame.setReadyNanos(connection.output().wantedNanos());
        connection.output().write(frame, nowNanos);
        if (connection.output().endTurn()) {
            control.add(connection);
        }
        connection.settle(nowNanos);
        return frame;
    }

    private Frame pollData(long nowNanos) {
        for (Connection connection = data.peek(); connection != null; connection = data.peek()) {
            Frame frame = allocate(nowNanos);
            if (frame == null) {
                return null;
            }
            data.remove();
            if (connection.output().takeDataTurn(nowNanos)) {
                connection.output().writeData(frame, null, nowNanos);
                connection.settle(nowNanos);
                return frame;
            }
            frame.release();
            connection.settle(nowNanos);
        }
        return null;
    }

    /**
     * {@return the data that leaves next, with a credit on it that the meter has let through, if both are the same
     * connection's; otherwise the credit} Only credits for several frames ride: where those are agreed on, no meter on
     * the path has to see them.
     */
    private Frame onNextData(Frame credit, long nowNanos) {
        Connection connection = data.peek();
        if (connection == null || !connection.output().canCarry(credit, nowNanos)) {
            return credit;
        }
        Frame frame = host.allocate();
        if (frame == null) {
            return credit;
        }
        data.remove();
        connection.output().takeDataTurn(nowNanos);
        connection.output().writeData(frame, credit, nowNanos);
        credit.release();
        counters.increment(CounterId.CREDITS_ON_DATA);
        connection.settle(nowNanos);
        return frame;
    }

    /** The peer of a connection whose standing credit is held asks for credits, of which that is the first. */
    void hurryStanding(Connection connection) {
        awaited.add(connection);
    }

    /**
     * {@return whether a flow has waited for its turn for longer than all that wait and all standing credits take
     * together at the meter} Then standing credits have been spent and renewed while it waited: what their data costs
     * the meter would take all turns where it fills the link.
     */
    boolean isTurnOverdue(long nowNanos) {
        Connection next = longestWaiting().peek();
        if (next == null && turnCredit == null) {
            return false;
        }
        long dueNanos = turnCredit == null ? next.output().creditDueNanos() : turnCredit.readyNanos();
        int standingFrames = next == null ? 0 : next.receiver().protocol().standingFrames();
        long frames = standingFrames + (long) host.config().creditFramesMax() * (1 + turns.size() + newcomers.size());
        return nowNanos - dueNanos > frames * credits.turnNanos(creditWireBytesMax);
    }

    private Frame pollAwaited(long nowNanos) {
        if (awaited.isEmpty() || isTurnOverdue(nowNanos)) {
            return null;
        }
        for (Connection connection = awaited.peek(); connection != null; connection = awaited.peek()) {
            int wireBytes = connection.receiver().heldCreditWireBytes();
            if (wireBytes > 0 && connection.state() != Lifecycle.State.CLOSED) {
                Frame frame = pollStanding(connection, wireBytes, nowNanos);
                if (frame != null) {
                    awaited.remove();
                }
                return frame;
            }
            awaited.remove();
        }
        return null;
    }

    private Frame pollStanding(long nowNanos) {
        for (Connection connection = standing.peek(); connection != null; connection = standing.peek()) {
            StreamReceiver receiver = connection.receiver();
            int wireBytes = receiver.heldCreditWireBytes();
            boolean isWanted = wireBytes > 0 && connection.state() != Lifecycle.State.CLOSED;
            if (isWanted && !connection.output().hasDataToCome()) {
                Frame frame =
                        receiver.heldUntilNanos() > nowNanos ? null : pollStanding(connection, wireBytes, nowNanos);
                if (frame != null) {
                    standing.remove();
                    receiver.endTurn();
                }
                return frame;
            }
            // It rode on data, or is to ride on what waits to leave, or nobody is there to use it.
            standing.remove();
            receiver.endTurn();
        }
        return null;
    }

    /**
     * {@return the credit that the connection holds, if the meter lets it pass: meters on the way charge what leaves by
     * itself as any credit}
     */
    private Frame pollStanding(Connection connection, int wireBytes, long nowNanos) {
        if (passNanos(connection, wireBytes, nowNanos) > nowNanos) {
            return null;
        }
        Frame frame = allocate(nowNanos);
        if (frame == null) {
            return null;
        }
        long sequence = connection.receiver().takeHeldCredit();
        connection.receiver().protocol().onCreditMetered();
        connection.output().writeCredit(frame, sequence, wireBytes, CreditHeader.FLAG_STANDING);
        frame.setReadyNanos(nowNanos);
        boolean hasPassed = credits.tryPass(frame, nowNanos);
        assert hasPassed;
        return frame;
    }

    private long passNanos(Connection connection, int creditWireBytes, long nowNanos) {
        return credits.passNanos(connection.output().creditBytesOnLink(creditWireBytes), nowNanos);
    }

    private Frame allocate(long nowNanos) {
        Frame frame = host.allocate();
        if (frame == null) {
            // Frames come back with time; asking again at once would find none.
            retryNanos = nowNanos + NO_FRAME_RETRY_NANOS;
        }
        return frame;
    }

    @Override
    public long nextTransmitNanos(long nowNanos) {
        boolean isReady = !replies.isEmpty() || !leaving.isEmpty() || !control.isEmpty() || !data.isEmpty();
        long readyNanos = isReady
                ? nowNanos
                : Math.min(
                        nextCreditNanos(nowNanos), Math.min(nextAwaitedNanos(nowNanos), nextStandingNanos(nowNanos)));
        return readyNanos == Deadline.NO_DEADLINE
                ? readyNanos
                : link.freeNanos(Math.max(readyNanos, retryNanos), nowNanos);
    }

    private long nextStandingNanos(long nowNanos) {
        Connection head = standing.peek();
        if (head == null) {
            return Deadline.NO_DEADLINE;
        }
        int wireBytes = head.receiver().heldCreditWireBytes();
        return wireBytes == 0
                ? nowNanos
                : Math.max(head.receiver().heldUntilNanos(), passNanos(head, wireBytes, nowNanos));
    }

    private long nextAwaitedNanos(long nowNanos) {
        Connection head = awaited.peek();
        if (head == null || isTurnOverdue(nowNanos)) {
            return Deadline.NO_DEADLINE;
        }
        int wireBytes = head.receiver().heldCreditWireBytes();
        return wireBytes == 0 ? nowNanos : passNanos(head, wireBytes, nowNanos);
    }

    /** Data came by standing credits, which the meter is not asked about: it is charged for the data. */
    void owe(int wireBytes, long nowNanos) {
        credits.owe(wireBytes, nowNanos);
    }

    /** {@return the time stamp of the frame that is written next} */
    long departureNanos(long nowNanos) {
        return link.departureNanos(nowNanos);
    }

    /** The driver has handed over all frames that were polled. */
    void onFlushed(long nowNanos) {
        link.onFlushed(nowNanos);
    }

    /** {@return how much later than its stamp {@code t1} a frame may have left} */
    long slackNanos(int t1) {
        return link.slackNanos(t1);
    }

    void addTo(Ledger ledger) {
        long creditTurns = (long) turns.size() + newcomers.size() + standing.size() + awaited.size();
        ledger.add(AccountId.TURNS, creditTurns + control.size() + data.size() + leaving.size());
        ledger.add(AccountId.FRAMES, framesHeld());
    }

    int framesHeld() {
        return credits.frameCount() + replies.frameCount() + (turnCredit == null ? 0 : 1);
    }

    /**
     * Nothing is to leave any more, as every connection is closed: those that wait for a turn would otherwise be found
     * out at their turn, which does not come where the port takes no frames.
     */
    void clear() {
        control.clear();
        data.clear();
        turns.clear();
        newcomers.clear();
        standing.clear();
        awaited.clear();
        leaving.clear();
        credits.releaseAll();
        if (turnCredit != null) {
            turnCredit.release();
            turnCredit = null;
        }
        replies.releaseAll();
    }
}
