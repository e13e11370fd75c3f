package io.weir.transport.protocol.credit;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.pacer.CreditPacer;
import io.weir.pacer.RateMath;
import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.FlowPauses;
import io.weir.transport.protocol.FrameArrivals;
import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.protocol.TransitionTable;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.CreditHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Serial;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The receiver's half of a protocol with credits: paces them, measures their loss, and lets a {@link FeedbackControl}
 * adapt their rate. One instance per flow; O(1) a credit; no allocation. The rate is a {@link UseRate}'s too, unless
 * the control counts wasted credits as lost and so slows down by itself.
 *
 * <p>Source: ExpressPass sections 3.1 (pacing, starting, stopping) and 3.2 (feedback control).
 *
 * <p>Deviation, when {@code backlogLimited}: data states the backlog behind it, and no more credits are sent than that
 * needs (section 7 proposes to reduce waste so). The paper's receiver sends until it is told to stop.
 */
final class CreditReceiver implements ReceiverProtocol {
    /** The receiver's states of Figure 7. */
    enum State {
        /** No credits are wanted. */
        IDLE,
        /** Credits are sent. */
        CREDITING,
        /** The stream is complete. */
        FINISHED
    }

    /** What moves a receiver from state to state. */
    enum Event {
        /** A REQUEST came, or data that says more waits. */
        REQUEST,
        /** A STOP came, or data that says no more waits. */
        STOP,
        /** Nothing came from the sender for long. */
        SILENCE,
        /** The whole stream has arrived. */
        FINISH
    }

    static final TransitionTable<State, Event> TABLE = TransitionTable.of(State.class, Event.class)
            .on(Event.REQUEST, State.CREDITING, State.IDLE, State.CREDITING)
            .on(Event.STOP, State.IDLE, State.IDLE, State.CREDITING)
            .on(Event.SILENCE, State.IDLE, State.CREDITING)
            .on(Event.FINISH, State.FINISHED, State.IDLE, State.CREDITING)
            .build();

    /** How long an idle sender may keep a standing credit; its receiver counts it for twice as long. */
    static final long STANDING_NANOS = 100_000_000L;

    /** How long a receiver sends credits into silence: the authors' software does so for a second. */
    private static final long SILENCE_NANOS = 1_000_000_000L;

    private static final int REPLAY_WINDOW = 4096;
    private static final int EXPIRY_RTTS = 4;
    /** How long to wait for news of the last credits before one more asks about them. */
    private static final int PROBE_RTTS = 2;
    /** Where credits are lost, a round trip and this part of it. */
    private static final int PROBE_SLACK_PART = 8;
    /** So many in even steps: where many flows meet, most credits of a flow are lost. */
    private static final int PROBES_EVEN = 8;

    /** So many probes of a host whose credits are lost ask with twice the credits of the one before. */
    private static final int PROBES_GROWING = 4;

    /** So many of a flow's credits are supposed to have come back before any did. */
    private static final int SHARE_CREDITS_FIRST = 2;

    /** Since it began to ask, a flow gets credits to spare until it had so many. */
    private static final int SPARED_CREDITS = 32;
    /**
     * A first backlog of more frames begins at a rate that its host's other flows suggest. A flow that has had more
     * earns spare credits as a long one.
     */
    private static final int SHORT_FRAMES = 24;

    /**
     * The first credits of a backlog of several frames meet meters within microseconds, when these may be full. While
     * none has come back, more follow so many times, this part of a round trip apart, if the host can spare them all.
     */
    private static final int TRAILING_TIMES = 4;

    private static final int TRAILING_CREDITS = 2;
    private static final int TRAILING_RTT_PART = 8;

    private static final int EXPIRY_BACK_OFF_MAX = 6;
    /** The fewest links on a path with a switch. */
    private static final int LINKS_MIN = 2;
    /** Fewer credits without an answer may be chance, or the jitter of a round trip. */
    private static final int SILENT_CREDITS_MIN = 8;

    /**
     * How long a flow takes at its rate for the frames of one credit: less than a loop of a host takes to react under
     * load.
     */
    private static final long CREDIT_SPAN_NANOS = 50_000;
    /**
     * What a backlog needs is asked for by so many credits at least, so that short ones flow as with a credit per
     * frame.
     */
    private static final int CREDITS_PER_BACKLOG = 4;
    /** How long each credit grants one frame after several were out without an echo. */
    private static final long SINGLE_NANOS = 100_000_000L;

    private final CreditConfig config;
    private final FeedbackControl feedback;
    private final CreditPacer pacer;
    private final CreditHost host;
    private final FlowPauses pauses;
    private final FrameArrivals arrivals;
    private final int segmentBytesMax;
    /**
     * What a data frame takes for two links like this host's. On a slow one a handshake, whose frames are short, takes
     * less than a credit and its data.
     */
    private final long framesNanos;

    private final CreditLedger ledger = new CreditLedger();
    private final CreditLossMeter lossMeter;
    private final CreditRtt rtt = new CreditRtt();
    private final UseRate use;
    private final CreditSilence silence = new CreditSilence();
    private final SequenceWindow echoed = new SequenceWindow(REPLAY_WINDOW);

    /** Changed by {@link #TABLE} alone. */
    private State state = State.IDLE;
    /** The number of the next credit, from 1 on; raised by {@link #issue}, over 2^32 without wrapping. */
    private long nextSequence = 1;
    /** Flags of the latest credit on the wire; written by the two ways to make one. */
    private int creditFlags;
    /** How many frames the latest credit grants; written by {@link #issue}. */
    private int creditFrames = 1;
    /** How many one credit may grant: what the connection agreed on, or less since the sender said so. */
    private int creditFramesMax;
    /** Until when each credit grants one frame only. */
    private long singleUntilNanos;

    /** What waits at the sender, by its latest report: a request, a stop, or the latest data frame. */
    private long backlogBytes;
    /** The number of the first credit since the flow last began to ask, 0 before it did; written by {@link #begin}. */
    private long begunSequence;
    /** How many of its credits had been used then; written by {@link #begin}. */
    private long usedAtBegin;

    /** When the rate was updated last, the start of the current period. */
    private long updatedNanos;
    /** {@code arrivals.arrived()} when the rate was last updated. */
    private long arrivedAtUpdate;
    /** {@code arrivals.missing()} then. */
    private long missingAtUpdate;

    /** When the sender was last heard from; SILENCE_NANOS without it end the crediting. */
    private long heardNanos;
    /** When the latest credit was made; probes and expiry count from it. */
    private long creditSentNanos;
    /** {@code pauses.host().totalNanos()} when the latest credit was made: own pauses do not count as waiting. */
    private long pausedNanosAtCredit;

    /** How often {@link #TRAILING_CREDITS} have followed since the flow began to ask; cleared by {@link #begin}. */
    private int trailingCount;
    /** How often in a row all outstanding credits were given up; each doubles the wait. Cleared by hear(). */
    private int expiryCount;
    // Probes in a row since anything was heard, and the credits that they added to what the backlog needs.
    private int probeCount;
    private long probeCredits;
    /** How long to wait before the next probe of one credit; drawn with each such probe. */
    private long probeWaitNanos;
    /** The round trip of the handshake, 0 if unknown: the guess until credits have measured one. */
    private long handshakeNanos;
    /** Whether the receive buffer has no room for another credit's frame; data or a read clears it. */
    private boolean blockedByRoom;
    /** Whether an idle sender is to get one standing credit; cleared by the attempt to make it. */
    private boolean wantsStanding;
    // The standing credit that is out: its number, 0 for none, and when it is given up. While not 0 it holds one place
    // of {@code host.standingCredits()}.
    private long standingSequence;
    private long standingExpiryNanos;

    CreditReceiver(
            CreditConfig config, FeedbackControl feedback, CreditPacer pacer, CreditHost host, FlowContext context) {
        this.config = config;
        this.feedback = feedback;
        this.pacer = pacer;
        this.host = host;
        this.pauses = context.pauses();
        this.arrivals = context.arrivals();
        this.segmentBytesMax = context.segmentBytesMax();
        this.framesNanos =
                LINKS_MIN * RateMath.serializationNanosCeil(context.dataWireBytesMax(), context.linkRateBps());
        this.creditFramesMax = context.creditFramesMax();
        this.lossMeter = new CreditLossMeter(ledger, feedback.countsWasteAsLoss());
        this.use = new UseRate(pacer.costNanobits());
    }

    @Override
    public void onEstablished(long backlogBytesNow, long nowNanos) {
        if (backlogBytesNow > 0) {
            onRequest(backlogBytesNow, 0, nowNanos);
        } else {
            heardNanos = nowNanos;
            wantsStanding = true;
        }
    }

    @Override
    public void onHandshake(long rttNanos) {
        handshakeNanos = rttNanos;
    }

    @Override
    public void onRequest(long backlogBytesNow, int creditSequenceLow32, long nowNanos) {
        if (state == State.FINISHED) {
            return;
        }
        resolve(creditSequenceLow32);
        hear(nowNanos);
        // A request without a backlog asks for an acknowledgement only.
        if (backlogBytesNow > 0) {
            follow(backlogBytesNow, nowNanos);
        }
    }

    @Override
    public void onStop(int creditSequenceLow32, long nowNanos) {
        if (state == State.FINISHED) {
            return;
        }
        resolve(creditSequenceLow32);
        hear(nowNanos);
        backlogBytes = 0;
        stop();
    }

    private void resolve(int creditSequenceLow32) {
        long sequence = Serial.unwrap(nextSequence, creditSequenceLow32);
        if (sequence < nextSequence) {
            lossMeter.onResolved(sequence);
            if (sequence >= standingSequence) {
                endStanding();
            }
        }
    }

    @Override
    public boolean distrustsUnmarkable() {
        return feedback.followsMarks();
    }

    @Override
    public CounterId onData(UnsafeBuffer buffer, int at, boolean isMarked, long nowNanos) {
        int low32 = DataHeader.creditSequence(buffer, at);
        if (low32 == DataHeader.NO_CREDIT) {
            return DataHeader.payloadBytes(buffer, at) == 0 ? null : CounterId.DROP_CREDIT_MISSING;
        }
        long sequence = Serial.unwrap(nextSequence, low32);
        if (sequence >= nextSequence) {
            return CounterId.DROP_CREDIT_UNKNOWN;
        }
        if (!echoed.accept(sequence)) {
            return CounterId.DROP_CREDIT_REUSED;
        }
        boolean isLatest = sequence > lossMeter.highest();
        long lostBefore = lost();
        long wastedBefore = ledger.wasted();
        lossMeter.onEcho(sequence, DataHeader.creditsWasted(buffer, at));
        use.onEcho(DataHeader.tellsSurplus(buffer, at) ? Math.max(0, ledger.wasted() - wastedBefore) : 0);
        feedback.onData(isMarked, DataHeader.payloadBytes(buffer, at));
        noteRtt(sequence, nowNanos);
        if (sequence == standingSequence) {
            endStanding();
        }
        host.delivery().onEcho(lost() - lostBefore);
        host.spares().onEcho(isShort());
        hear(nowNanos);
        if (isLatest && state != State.FINISHED) {
            follow(DataHeader.backlogBytes(buffer, at), nowNanos);
        }
        return null;
    }

    /** {@return the credits that were lost} Not a standing one that newer ones have overtaken: the sender holds it. */
    private long lost() {
        boolean isOvertaken = standingSequence != 0 && standingSequence < lossMeter.highest();
        return ledger.lost() - (isOvertaken ? 1 : 0);
    }

    private void noteRtt(long sequence, long nowNanos) {
        rtt.onEcho(sequence, nowNanos);
        if (rtt.smoothedNanos() > 0) {
            host.rtt().onSample(rtt.smoothedNanos());
        }
    }

    private void hear(long nowNanos) {
        heardNanos = nowNanos;
        expiryCount = 0;
        probeCount = 0;
        probeCredits = 0;
        // What has come may have opened a gap, and gaps can always be filled.
        blockedByRoom = false;
    }

    /** Does what the sender's latest report of its backlog asks for. */
    private void follow(long backlogBytesNow, long nowNanos) {
        backlogBytes = backlogBytesNow;
        if (backlogBytesNow > 0) {
            if (state == State.IDLE) {
                begin(nowNanos);
            }
            state = TABLE.require(state, Event.REQUEST);
            wantsStanding = false;
        } else if (config.backlogLimited() || state == State.IDLE) {
            stop();
        }
    }

    private void begin(long nowNanos) {
        if (begunSequence == 0 && backlogFrames() > SHORT_FRAMES) {
            feedback.onFirstBacklog(host.delivery().fraction());
        }
        trailingCount = 0;
        begunSequence = nextSequence;
        usedAtBegin = ledger.used();
        pacer.restart(rateBps(), nowNanos);
        use.restart(nowNanos);
        updatedNanos = nowNanos;
        noteWire();
        lossMeter.startPeriod(nextSequence);
        silence.restart(nextSequence, pauses.host().totalNanos(), nowNanos);
    }

    private void noteWire() {
        arrivedAtUpdate = arrivals.arrived();
        missingAtUpdate = arrivals.missing();
    }

    private void stop() {
        state = TABLE.require(state, Event.STOP);
        wantsStanding = true;
    }

    @Override
    public void onFinished(long nowNanos) {
        if (state != State.FINISHED) {
            state = TABLE.require(state, Event.FINISH);
            wantsStanding = false;
            endStanding();
        }
    }

    @Override
    public void onRoom(long nowNanos) {
        blockedByRoom = false;
    }

    @Override
    public boolean creditsAcknowledge() {
        return true;
    }

    @Override
    public long nextCreditNanos() {
        if (state == State.CREDITING) {
            if (blockedByRoom) {
                return outstanding() == 0 ? NO_DEADLINE : expiryNanos();
            }
            return isSatisfied() ? Math.min(probeNanos(), expiryNanos()) : pacer.nextNanos();
        }
        if (wantsStanding && standingSequence == 0 && outstanding() == 0 && config.standingCreditsMax() > 0) {
            return heardNanos;
        }
        return standingSequence != 0 ? standingExpiryNanos : NO_DEADLINE;
    }

    /** {@return whether the credits on their way are all that the backlog needs, with those that will be lost} */
    private boolean isSatisfied() {
        if (!config.backlogLimited()) {
            return false;
        }
        long outstanding = outstanding();
        return outstanding >= backlogFrames() && outstanding >= creditsNeeded() + probeCredits;
    }

    /** {@return how many credits the backlog needs, with those to spare that the host can afford} */
    private long creditsNeeded() {
        long frames = backlogFrames();
        if (!feedback.waitsForMeter()) {
            return host.delivery().creditsFor(frames);
        }
        long needed;
        if (isYoung()) {
            needed = creditsForShort(frames);
        } else if (isShort() && frames <= HostDelivery.FEW_FRAMES) {
            needed = host.delivery().creditsForShortLater(frames, ownShare(), isMetered());
        } else {
            needed = host.delivery().creditsFor(frames);
        }
        return Math.min(needed, frames + host.spares().forOneFlow());
    }

    /** {@return whether the flow has had too few credits to know how many it loses} */
    private boolean isYoung() {
        return nextSequence - begunSequence < SPARED_CREDITS;
    }

    /** {@return whether the flow has had few frames since it began to ask} */
    private boolean isShort() {
        return ledger.used() - usedAtBegin <= SHORT_FRAMES;
    }

    /** {@return how many credits let a short backlog through, nearly always} */
    private long creditsForShort(long frames) {
        return host.delivery().creditsForShort(frames, ownShare(), isMetered());
    }

    /** {@return whether meters may stand on the path: where several frames a credit were agreed on, none does} */
    private boolean isMetered() {
        return creditFramesMax == 1;
    }

    /** {@return the share of this flow's credits that came back as data, a first few supposed to have done so} */
    private double ownShare() {
        double came = ledger.used() + SHARE_CREDITS_FIRST;
        return came / (came + lost());
    }

    private long backlogFrames() {
        return (backlogBytes + segmentBytesMax - 1) / segmentBytesMax;
    }

    private long outstanding() {
        return nextSequence - 1 - lossMeter.highest();
    }

    private long expiryNanos() {
        long waitNanos = expiryWaitNanos() << Math.min(expiryCount, EXPIRY_BACK_OFF_MAX);
        return waitedFromNanos() + pauses.peerNanos() + waitNanos;
    }

    /** {@return how long to wait for news of the latest credit: by a guess too, since on a slow link one takes long} */
    private long expiryWaitNanos() {
        return Math.max(config.creditExpiryNanos(), EXPIRY_RTTS * rttGuessNanos());
    }

    /** {@return when the latest credit was made, moved by the time in which this host could not receive its echo} */
    private long waitedFromNanos() {
        return creditSentNanos + pauses.host().totalNanos() - pausedNanosAtCredit;
    }

    /**
     * The last credits that a backlog needs have none behind them whose echo would show that they were lost. So one
     * more follows soon, and then ever later, as long as that is sooner than to give all up. Should they only have been
     * slow, it finds nothing to send. Where a host's credits are lost, silence is a sign of that soon after a round
     * trip; where none are, it is more likely delay.
     */
    private long probeNanos() {
        long waitNanos = probeCount > PROBES_GROWING ? probeWaitNanos : meanProbeWaitNanos();
        return waitNanos == 0 || waitNanos >= expiryWaitNanos()
                ? NO_DEADLINE
                : waitedFromNanos() + pauses.peerNanos() + waitNanos;
    }

    private long meanProbeWaitNanos() {
        long rttNanos = rttGuessNanos();
        if (isTrailing()) {
            return rttNanos / TRAILING_RTT_PART;
        }
        long firstNanos =
                isLossLikely() || isRttFresh() ? rttNanos + rttNanos / PROBE_SLACK_PART : PROBE_RTTS * rttNanos;
        return firstNanos * Math.max(1, probeCount - PROBES_EVEN);
    }

    /** {@return whether the next silence is for credits that follow the first ones before any can have come back} */
    private boolean isTrailing() {
        long frames = backlogFrames();
        return trailingCount < TRAILING_TIMES
                && probeCount == 0
                && feedback.waitsForMeter()
                && lossMeter.highest() < begunSequence
                && frames >= HostDelivery.SEVERAL_FRAMES
                && frames <= HostDelivery.FEW_FRAMES
                && creditsForShort(frames) > frames
                && host.spares().forOneFlow() > TRAILING_TIMES * TRAILING_CREDITS;
    }

    /**
     * {@return whether a credit has come back since the flow began to ask} Those behind it left within some
     * microseconds, and take as long as it did.
     */
    private boolean isRttFresh() {
        return feedback.waitsForMeter() && probeCount == 0 && lossMeter.highest() >= begunSequence;
    }

    /**
     * {@return whether silence is a sign of loss: where the host's credits are lost, or it knows the fate of too few
     * to tell} Only where a host loses none of its credits itself: for those that it does, more would make it worse.
     */
    private boolean isLossLikely() {
        return feedback.waitsForMeter() && creditsForShort(1) > 1;
    }

    private long rttGuessNanos() {
        if (rtt.smoothedNanos() > 0) {
            return rtt.smoothedNanos();
        }
        return handshakeNanos > 0 ? handshakeNanos + framesNanos : host.rtt().smoothedNanos();
    }

    @Override
    public boolean waitsForMeter() {
        return state == State.CREDITING && feedback.waitsForMeter();
    }

    @Override
    public boolean isFirstCredit() {
        return nextSequence == begunSequence;
    }

    @Override
    public int pollCredit(long freeBytes, long nowNanos) {
        if (nextCreditNanos() > nowNanos) {
            return 0;
        }
        if (standingSequence != 0 && standingExpiryNanos <= nowNanos) {
            lossMeter.onExpired(standingSequence);
            endStanding();
        }
        return state == State.CREDITING ? pollPaced(freeBytes, nowNanos) : pollStanding(freeBytes, nowNanos);
    }

    private int pollPaced(long freeBytes, long nowNanos) {
        if (nowNanos - heardNanos >= SILENCE_NANOS) {
            lossMeter.onExpired(nextSequence - 1);
            state = TABLE.require(state, Event.SILENCE);
            return 0;
        }
        if (isSatisfied()) {
            onSilence(nowNanos);
        }
        if (!hasRoom(freeBytes, nowNanos)) {
            return 0;
        }
        updateRate(nowNanos);
        int frames = framesFor(freeBytes, nowNanos);
        if (feedback.waitsForMeter()) {
            pacer.onSentInTurn(frames, nowNanos);
            long beyondBacklog = outstanding() + frames - backlogFrames();
            host.spares().onSent((int) Math.max(0, Math.min(frames, beyondBacklog)));
        } else {
            pacer.onSent(frames, nowNanos);
        }
        creditFlags = 0;
        return issue(frames, nowNanos);
    }

    /**
     * {@return how many frames the credit that is due grants: no more than the rate, the backlog and the room have use
     * for}
     */
    private int framesFor(long freeBytes, long nowNanos) {
        boolean isSounding = probeCount > 0 || expiryCount > 0 || rtt.smoothedNanos() == 0;
        if (creditFramesMax == 1 || isSounding || !config.backlogLimited() || nowNanos < singleUntilNanos) {
            return 1;
        }
        long byBacklog = (creditsNeeded() - outstanding()) / CREDITS_PER_BACKLOG;
        long byRoom = freeBytes / segmentBytesMax - outstanding();
        long frames = Math.min(pacer.framesIn(CREDIT_SPAN_NANOS), Math.min(byBacklog, byRoom));
        return (int) Math.max(1, Math.min(creditFramesMax, frames));
    }

    /** No echo of what is out came. A meter that nobody told of passes credits for one frame, and drops others. */
    private void giveUpOutstanding(long nowNanos) {
        if (creditFrames > 1) {
            singleUntilNanos = nowNanos + SINGLE_NANOS;
        }
        lossMeter.onExpired(nextSequence - 1);
        probeCredits = 0;
        expiryCount++;
    }

    /** No echo came of the credits that should have sufficed: they, or their data, are slow or gone. */
    private void onSilence(long nowNanos) {
        if (isTrailing()) {
            trailingCount++;
            probeCredits += TRAILING_CREDITS;
        } else if (nowNanos < expiryNanos()) {
            probeCount++;
            probeCredits += creditsOfProbe();
            if (probeCount > PROBES_GROWING) {
                // Flows that begin together would else go on to probe together, and lose most of the probes.
                probeWaitNanos = pacer.spreadNanos(meanProbeWaitNanos());
            }
        } else {
            giveUpOutstanding(nowNanos);
            rtt.forgetProbes();
        }
        pacer.restart(rateBps(), nowNanos);
    }

    /**
     * {@return how many credits ask after silence} Each silence makes it more likely that this flow loses more than its
     * host's others; a long one, that its sender is gone. One asks even where the host cannot afford any.
     */
    private long creditsOfProbe() {
        if (!feedback.waitsForMeter()) {
            return host.delivery().creditsFor(1);
        }
        long wanted = isLossLikely() && probeCount <= PROBES_GROWING
                ? creditsForShort(1) << (probeCount - 1)
                : host.delivery().creditsFor(1);
        return Math.min(wanted, Math.max(1, host.spares().forOneFlow()));
    }

    private boolean hasRoom(long freeBytes, long nowNanos) {
        if ((outstanding() + 1) * segmentBytesMax <= freeBytes) {
            return true;
        }
        // Credits that were lost hold room until the next echo says so; if none comes, until they expire.
        if (outstanding() > 0 && nowNanos >= expiryNanos()) {
            giveUpOutstanding(nowNanos);
            blockedByRoom = false;
            return segmentBytesMax <= freeBytes;
        }
        blockedByRoom = true;
        return false;
    }

    private int pollStanding(long freeBytes, long nowNanos) {
        boolean isWanted = wantsStanding && segmentBytesMax <= freeBytes;
        wantsStanding = false;
        if (!isWanted || !host.standingCredits().tryTake()) {
            return 0;
        }
        standingSequence = nextSequence;
        standingExpiryNanos = nowNanos + 2 * STANDING_NANOS;
        creditFlags = CreditHeader.FLAG_STANDING;
        return issue(1, nowNanos);
    }

    private void endStanding() {
        if (standingSequence != 0) {
            standingSequence = 0;
            host.standingCredits().giveBack();
        }
    }

    private int issue(int frames, long nowNanos) {
        long last = nextSequence + frames - 1;
        if (last >>> Integer.SIZE != (nextSequence - 1) >>> Integer.SIZE) {
            // One of them would be DataHeader.NO_CREDIT on the wire. They count as sent, and as lost with the next
            // echo.
            int skipped = (int) ((last & -1L << Integer.SIZE) - nextSequence + 1);
            ledger.onSent(skipped);
            nextSequence += skipped;
        }
        if (creditFlags == 0) {
            rtt.onSent(nextSequence, nowNanos);
        }
        creditSentNanos = nowNanos;
        pausedNanosAtCredit = pauses.host().totalNanos();
        ledger.onSent(frames);
        creditFrames = frames;
        nextSequence += frames;
        return pacer.nextWireBytes();
    }

    // = expresspass Algorithm 1, line 3: "repeat per update period (RTT by default)"
    private void updateRate(long nowNanos) {
        boolean hasUseChanged =
                !feedback.countsWasteAsLoss() && use.onTime(feedback.rateBps(), rtt.smoothedNanos(), nowNanos);
        if (feedback.onTime(nowNanos) || hasUseChanged) {
            pacer.setRate(rateBps(), nowNanos);
        }
        if (isMetered() && feedback.countsSilence()) {
            countSilence(nowNanos);
        }
        // A flow in a crowd may wait for its first sample for long, and has a guess.
        long rttNanos = feedback.countsSilence() ? rttGuessNanos() : rtt.smoothedNanos();
        // The first credits sent at a new rate are echoed a round trip later; another one measures them.
        long periodNanosMin = feedback.countsOnlyCurrentRate() ? 2 * rttNanos : rttNanos;
        long periodNanos = nowNanos - updatedNanos;
        if (rttNanos != 0 && periodNanos >= periodNanosMin && lossMeter.total() != 0) {
            feedback.onWire(arrivals.arrived() - arrivedAtUpdate, arrivals.missing() - missingAtUpdate);
            noteWire();
            feedback.onPeriod(lossMeter.total(), lossMeter.lost(), periodNanos, rttNanos);
            lossMeter.startPeriod(feedback.countsOnlyCurrentRate() ? nextSequence : 0);
            updatedNanos = nowNanos;
            pacer.setRate(rateBps(), nowNanos);
        }
    }

    /**
     * Where many flows begin at once, most of a flow's credits are lost, and the next echo that shows it comes many
     * round trips later. What should have been echoed by now costs at once.
     */
    private void countSilence(long nowNanos) {
        long rttNanos = rttGuessNanos();
        if (rttNanos == 0
                || !silence.isTimeToLook(nextSequence, rttNanos, pauses.host().totalNanos(), nowNanos)
                || lossMeter.total() > 0) {
            return;
        }
        long overdueEnd = silence.overdueEnd();
        long silent = overdueEnd - 1 - lossMeter.counted();
        if (silent >= SILENT_CREDITS_MIN) {
            int count = (int) Math.min(silent, Integer.MAX_VALUE);
            feedback.onPeriod(count, count, nowNanos - updatedNanos, rttNanos);
            lossMeter.startPeriod(overdueEnd);
            updatedNanos = nowNanos;
            pacer.setRate(rateBps(), nowNanos);
        }
    }

    private long rateBps() {
        return Math.min(feedback.rateBps(), use.limitBps());
    }

    @Override
    public void onCreditFramesMax(int framesMax) {
        creditFramesMax = Math.min(creditFramesMax, framesMax);
    }

    @Override
    public long creditSequence() {
        return nextSequence - creditFrames;
    }

    @Override
    public int creditFrames() {
        return creditFrames;
    }

    @Override
    public int creditFlags() {
        return creditFlags;
    }

    @Override
    public CreditLedger ledger() {
        return ledger;
    }

    State state() {
        return state;
    }
}
