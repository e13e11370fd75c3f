package io.weir.transport.protocol.credit;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.protocol.ControlSink;
import io.weir.transport.protocol.CreditUse;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.FlowPauses;
import io.weir.transport.protocol.SenderProtocol;
import io.weir.transport.protocol.TransitionTable;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.wire.CreditHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Serial;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The sender's half of a protocol with credits: asks for credits when there is data, sends one frame for each credit,
 * asks for no more when nothing has been left for a while. A credit that grants several frames is as many credits from
 * the moment it comes. One instance per flow; O(1) per frame; no allocation.
 *
 * <p>Source: ExpressPass section 3.1, "Starting and stopping credit flow", and Figure 7.
 */
final class CreditSender implements SenderProtocol {
    /** The sender's states of Figure 7. */
    enum State {
        /** Nothing to send, no credits wanted. */
        IDLE,
        /** Data waits, and credits have been asked for. */
        REQUESTED,
        /** Credits come, data leaves. */
        CREDITED,
        /** Nothing left to send; credits may still come for a small time-out. */
        DRAINED
    }

    /** What moves a sender from state to state. */
    enum Event {
        /** There is something to send. */
        DATA_READY,
        /** A credit came, or a standing one was at hand. */
        CREDIT,
        /** No credit came for too long. */
        REQUEST_TIMEOUT,
        /** The last that there was to send has been sent. */
        NO_DATA_LEFT,
        /** Nothing to send for the small time-out. */
        STOP_TIMEOUT
    }

    static final TransitionTable<State, Event> TABLE = TransitionTable.of(State.class, Event.class)
            .on(Event.DATA_READY, State.REQUESTED, State.IDLE)
            .on(Event.DATA_READY, State.CREDITED, State.DRAINED)
            .on(Event.CREDIT, State.CREDITED, State.REQUESTED, State.CREDITED)
            .on(Event.REQUEST_TIMEOUT, State.REQUESTED, State.REQUESTED, State.CREDITED)
            .on(Event.NO_DATA_LEFT, State.DRAINED, State.REQUESTED, State.CREDITED)
            .on(Event.STOP_TIMEOUT, State.IDLE, State.DRAINED)
            .build();

    /** Credits in hand, beyond those that the pause budget lets be late. */
    private static final int CREDITS_IN_HAND = 64;

    private static final int REPLAY_WINDOW = 1024;
    private static final int BACK_OFF_MAX = 6;
    private static final int PATIENCE_WAITS = 4;
    private static final long NO_CREDIT = 0;
    /** How many credits from below the window, ever higher, it takes to believe them. */
    private static final int STRAYS_MAX = 4;

    private final CreditConfig config;
    private final Counters counters;
    private final FlowPauses pauses;
    private final int dataWireBytesMax;
    private final int creditFramesMax;
    private final int creditsInHandMax;
    private final CreditUse use = new CreditUse();
    private final SequenceWindow received = new SequenceWindow(REPLAY_WINDOW);
    /**
     * Numbers of the credits in hand, a ring whose length is a power of two; grows until {@link #creditsInHandMax} fit.
     */
    private long[] creditSequences = new long[CREDITS_IN_HAND];
    /** When each of them came, or was found late and allowed all the same. */
    private long[] creditNanos = new long[CREDITS_IN_HAND];

    // The oldest credit in hand, and how many: creditCount <= creditsInHandMax. keep() adds, dropOldest() takes away.
    private int creditHead;
    private int creditCount;
    // The standing credit in hand, or NO_CREDIT, and until when it may be used. At most one; the next data frame
    // without another credit takes it.
    private long standingSequence = NO_CREDIT;
    private long standingExpiryNanos;
    /** Changed by {@link #TABLE} alone. */
    private State state = State.IDLE;
    /**
     * When to ask for credits again, or to stop. This host's own pauses move it, when it fires, while credits are
     * awaited. A time-out to stop stays: moved, it would fire again after each pause, for every flow that has ended.
     */
    private long timeoutNanos = NO_DEADLINE;
    /** {@code pauses.host().totalNanos()} when {@link #timeoutNanos} was set. */
    private long pausedNanosAtTimer;

    /** Requests in a row without a credit; each doubles the wait, up to 2^BACK_OFF_MAX. */
    private int requestCount;
    /** When credits were first asked for since there is a backlog; written with {@link #requestCount}. */
    private long askedNanos;
    /** When the latest credit came since the flow began to wait, or NO_DEADLINE. */
    private long creditedNanos = NO_DEADLINE;
    /** How long the latest wait for a credit may last: the configured time or more; falls by halves. */
    private long patienceNanos;
    /** Credits that sent nothing, expired ones too, since the flow began; data tells its low 16 bits. */
    private long wastedCount;
    /** {@link #wastedCount} when the last data left: any difference later says that credits still come. */
    private long wastedAtDrain;
    /**
     * Whether credits came faster than they were used, since the latest data frame, which the next one tells. Pauses
     * are no part of it.
     */
    private boolean hasSurplus;

    /** When the latest STOP left; another one waits for the request time-out. */
    private long stopSentNanos;
    // The latest credit from below the window, and how many came in a row with rising numbers: see isReturn.
    private long straySequence;
    private int strayCount;

    CreditSender(CreditConfig config, FlowContext context) {
        this.config = config;
        this.counters = context.counters();
        this.pauses = context.pauses();
        this.dataWireBytesMax = context.dataWireBytesMax();
        this.creditFramesMax = context.creditFramesMax();
        this.creditsInHandMax = CREDITS_IN_HAND
                + creditFramesMax
                - 1
                + (int) (pauses.host().budget().bytes() / dataWireBytesMax);
    }

    @Override
    public void onOpeningRequested(long waitNanos, long nowNanos) {
        state = TABLE.require(state, Event.DATA_READY);
        long usualNanos = config.requestTimeoutNanos();
        awaitCredit(usualNanos + Math.min(waitNanos, usualNanos << BACK_OFF_MAX), nowNanos);
        requestCount = 1;
        askedNanos = nowNanos;
    }

    @Override
    public void onBacklog(ControlSink out, long nowNanos) {
        if (state != State.IDLE && state != State.DRAINED) {
            return;
        }
        // A receiver that follows the backlog has stopped by itself; one that does not may still be sending credits.
        boolean mustAsk = (state == State.IDLE || config.backlogLimited()) && !hasStandingCredit(nowNanos);
        requestCount = 0;
        creditedNanos = NO_DEADLINE;
        state = TABLE.require(state, Event.DATA_READY);
        if (mustAsk) {
            out.sendRequest();
            awaitAnswer(nowNanos);
            return;
        }
        if (state == State.REQUESTED) {
            state = TABLE.require(state, Event.CREDIT);
        }
        if (config.backlogLimited()) {
            // A short request ahead of the first frame is there sooner than that frame's report.
            out.requestBeyond();
        }
        awaitCredit(config.requestTimeoutNanos(), nowNanos);
    }

    /**
     * {@return how long to wait for the next credit: four times what the last one took, if that is more than the usual
     * time} A port that thousands of flows share gives each of them its turn in milliseconds, and requests, which
     * nothing meters, would fill it.
     */
    private long patienceNanos(long nowNanos) {
        long usualNanos = config.requestTimeoutNanos();
        long waitedNanos = creditedNanos == NO_DEADLINE ? 0 : nowNanos - creditedNanos;
        creditedNanos = nowNanos;
        long wantedNanos = Math.min(PATIENCE_WAITS * waitedNanos, usualNanos << BACK_OFF_MAX);
        patienceNanos = Math.max(usualNanos, Math.max(wantedNanos, patienceNanos / 2));
        return patienceNanos;
    }

    private void awaitAnswer(long nowNanos) {
        if (requestCount == 0) {
            askedNanos = nowNanos;
        }
        // = expresspass Figure 7: a request that is not answered is repeated
        awaitCredit(config.requestTimeoutNanos() << Math.min(requestCount, BACK_OFF_MAX), nowNanos);
        requestCount++;
    }

    /** A receiver that pauses gives no credits meanwhile; nor does it see the requests for them. */
    private void awaitCredit(long waitNanos, long nowNanos) {
        setTimer(nowNanos + waitNanos + pauses.peerNanos());
    }

    private void setTimer(long newTimeoutNanos) {
        timeoutNanos = newTimeoutNanos;
        pausedNanosAtTimer = pauses.host().totalNanos();
    }

    @Override
    public boolean creditsAcknowledge() {
        return true;
    }

    @Override
    public CounterId onCredit(int sequenceLow32, int flags, boolean hasBacklog, long nowNanos) {
        return take(sequenceLow32, flags, hasBacklog, false, nowNanos);
    }

    /**
     * A standing credit is good at any time. Another one would send data into a slot that has passed, together with all
     * that waited next to it; instead, the receiver is told at once that they sent nothing, and that the network lost
     * none.
     */
    @Override
    public CounterId onStaleCredit(int sequenceLow32, int flags, boolean hasBacklog, long nowNanos) {
        boolean isStanding = (flags & CreditHeader.FLAG_STANDING) != 0;
        return take(sequenceLow32, flags, hasBacklog, hasBacklog && !isStanding, nowNanos);
    }

    /**
     * Takes each number of a credit that has not come before: a repetition, or one that overlaps another, brings
     * nothing twice.
     */
    private CounterId take(int sequenceLow32, int flags, boolean hasBacklog, boolean isStale, long nowNanos) {
        boolean isStanding = (flags & CreditHeader.FLAG_STANDING) != 0;
        int frames = isStanding ? 1 : CreditHeader.frames(flags);
        if (frames > creditFramesMax) {
            return CounterId.DROP_CREDIT_FRAMES;
        }
        long first = Serial.unwrap(received.highest(), sequenceLow32);
        if (received.isBelow(first) && !isReturn(first)) {
            return CounterId.DROP_CREDIT_DUPLICATE;
        }
        int newCount = 0;
        int keptCount = 0;
        for (long sequence = first; sequence < first + frames; sequence++) {
            if (isNew(sequence)) {
                newCount++;
                if (isStale && !pauses.host().takeLate(dataWireBytesMax)) {
                    expire();
                } else if (hasBacklog) {
                    keep(sequence, nowNanos);
                    keptCount++;
                } else if (isStanding) {
                    stand(sequence, nowNanos);
                } else {
                    // = expresspass section 2: "otherwise, the credit packet is ignored"
                    waste();
                }
            }
        }
        if (newCount == 0) {
            return CounterId.DROP_CREDIT_DUPLICATE;
        }
        strayCount = 0;
        counters.add(CounterId.CREDITS_RECEIVED, newCount);
        settle(keptCount > 0, hasBacklog, isStanding, nowNanos);
        return null;
    }

    private void settle(boolean isCredited, boolean hasBacklog, boolean isStanding, long nowNanos) {
        if (isCredited) {
            onKept(nowNanos);
        } else if (hasBacklog) {
            if (awaitsCredit()) {
                setTimer(nowNanos);
            }
        } else if (!isStanding) {
            askToStopAgain(nowNanos);
        }
    }

    /** {@return whether a credit's number comes for the first time; then it counts as received} */
    private boolean isNew(long sequence) {
        if (!received.accept(sequence)) {
            return false;
        }
        use.onReceived();
        return true;
    }

    /**
     * {@return whether to believe a credit from below the window} A credit has no CRC, and damage that its checksum
     * does not see may have taken the window to where the receiver will not come for long. So when one credit after the
     * other comes from far below, each with a higher number than that before, the window goes back to them. Should they
     * be old ones after all, the receiver knows what has been used.
     */
    private boolean isReturn(long sequence) {
        strayCount = sequence > straySequence ? strayCount + 1 : 1;
        straySequence = sequence;
        if (strayCount < STRAYS_MAX) {
            return false;
        }
        received.startAt(sequence);
        return true;
    }

    private void stand(long sequence, long nowNanos) {
        standingSequence = sequence;
        standingExpiryNanos = nowNanos + StandingCredit.KEPT_NANOS;
    }

    private void keep(long sequence, long nowNanos) {
        if (creditCount == creditsInHandMax) {
            hasSurplus = true;
            expire();
            dropOldest();
        }
        if (creditCount == creditSequences.length) {
            grow();
        }
        int slot = (creditHead + creditCount++) & (creditSequences.length - 1);
        creditSequences[slot] = sequence;
        creditNanos[slot] = nowNanos;
    }

    private void onKept(long nowNanos) {
        if (awaitsCredit()) {
            if (state == State.REQUESTED) {
                state = TABLE.require(state, Event.CREDIT);
            }
            if (creditedNanos == NO_DEADLINE && requestCount == 1) {
                // What took so long after a repetition may have been the request's loss.
                creditedNanos = askedNanos;
            }
            requestCount = 0;
            awaitCredit(patienceNanos(nowNanos), nowNanos);
        }
    }

    private void grow() {
        creditSequences = unrolled(creditSequences);
        creditNanos = unrolled(creditNanos);
        creditHead = 0;
    }

    private long[] unrolled(long[] ring) {
        long[] grown = Arrays.copyOfRange(ring, creditHead, creditHead + 2 * ring.length);
        System.arraycopy(ring, 0, grown, ring.length - creditHead, creditHead);
        return grown;
    }

    private void dropOldest() {
        creditHead = (creditHead + 1) & (creditSequences.length - 1);
        creditCount--;
    }

    /** To the receiver the same as one wasted: it came, and sent nothing. */
    private void expire() {
        wastedCount++;
        use.onExpired();
        counters.increment(CounterId.CREDITS_EXPIRED);
    }

    private void waste() {
        wastedCount++;
        use.onWasted();
        counters.increment(CounterId.CREDITS_WASTED);
    }

    /** A STOP can be lost: credits that come long after it are answered with another. */
    private void askToStopAgain(long nowNanos) {
        if (state == State.IDLE && nowNanos - stopSentNanos >= config.requestTimeoutNanos()) {
            setTimer(nowNanos);
        }
    }

    private boolean hasStandingCredit(long nowNanos) {
        return standingSequence != NO_CREDIT && nowNanos <= standingExpiryNanos;
    }

    @Override
    public boolean maySend(long inFlightBytes, long nowNanos) {
        while (creditCount > 0 && creditNanos[creditHead] + config.creditLifetimeNanos() < nowNanos) {
            if (pauses.host().takeLate(dataWireBytesMax)) {
                creditNanos[creditHead] = nowNanos;
                break;
            }
            expire();
            dropOldest();
        }
        return creditCount > 0 || hasStandingCredit(nowNanos);
    }

    @Override
    public void onSegment(UnsafeBuffer buffer, int at, long backlogBytes, long nowNanos) {
        DataHeader.credit(buffer, at, takeCredit(), wastedCount);
        if (hasSurplus) {
            hasSurplus = false;
            DataHeader.tellSurplus(buffer, at);
        }
        use.onUsed();
        counters.increment(CounterId.CREDITS_USED);
        if (backlogBytes > 0) {
            return;
        }
        for (; creditCount > 0; dropOldest()) {
            waste();
        }
        if (awaitsCredit()) {
            drain(nowNanos);
        }
    }

    private long takeCredit() {
        if (creditCount == 0) {
            long sequence = standingSequence;
            standingSequence = NO_CREDIT;
            return sequence;
        }
        long sequence = creditSequences[creditHead];
        dropOldest();
        return sequence;
    }

    /** {@return the highest number that has come, or the last before the standing credit that is about to be spent} */
    @Override
    public long highestCredit() {
        return isStandingInHand() ? standingSequence - 1 : received.highest();
    }

    @Override
    public int framesInHand() {
        return isStandingInHand() ? 1 : 0;
    }

    private boolean isStandingInHand() {
        return standingSequence != NO_CREDIT && state == State.CREDITED;
    }

    @Override
    public CreditUse creditUse() {
        return use;
    }

    @Override
    public long nextTimeoutNanos() {
        return timeoutNanos;
    }

    @Override
    public void onTimeout(ControlSink out, boolean hasBacklog, long nowNanos) {
        if (nowNanos < timeoutNanos) {
            return;
        }
        long missedNanos = pauses.host().totalNanos() - pausedNanosAtTimer;
        if (missedNanos > 0 && awaitsCredit()) {
            // The credits of that time may still lie in the rings.
            setTimer(timeoutNanos + missedNanos);
            if (nowNanos < timeoutNanos) {
                return;
            }
        }
        timeoutNanos = NO_DEADLINE;
        switch (state) {
            case REQUESTED, CREDITED -> onNoCredit(out, hasBacklog, nowNanos);
            case DRAINED -> {
                state = TABLE.require(state, Event.STOP_TIMEOUT);
                // A receiver that follows the backlog knew from the last segment; if credits came since, it did not get
                // it.
                if (!config.backlogLimited() || wastedCount != wastedAtDrain) {
                    stop(out, nowNanos);
                }
            }
            case IDLE -> stop(out, nowNanos);
        }
    }

    private boolean awaitsCredit() {
        return state == State.REQUESTED || state == State.CREDITED;
    }

    private void onNoCredit(ControlSink out, boolean hasBacklog, long nowNanos) {
        if (hasBacklog) {
            state = TABLE.require(state, Event.REQUEST_TIMEOUT);
            out.repeatRequest();
            awaitAnswer(nowNanos);
        } else {
            // What was to be retransmitted has been acknowledged after all.
            drain(nowNanos);
        }
    }

    private void drain(long nowNanos) {
        state = TABLE.require(state, Event.NO_DATA_LEFT);
        setTimer(nowNanos + config.stopNanos());
        wastedAtDrain = wastedCount;
    }

    private void stop(ControlSink out, long nowNanos) {
        stopSentNanos = nowNanos;
        out.sendStop();
    }

    State state() {
        return state;
    }
}
