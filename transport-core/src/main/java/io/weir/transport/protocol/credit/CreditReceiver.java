package io.weir.transport.protocol.credit;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.pacer.CreditPacer;
import io.weir.pacer.RateMath;
import io.weir.transport.protocol.CreditLedger;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.protocol.TransitionTable;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.CreditHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Serial;
import io.weir.transport.wire.WeirHeader;
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

    /** How long a receiver sends credits into silence: the authors' software does so for a second. */
    private static final long SILENCE_NANOS = 1_000_000_000L;

    private static final int REPLAY_WINDOW = 4096;
    /**
     * How long a flow takes at its rate for the frames of one credit: less than a loop of a host takes to react under
     * load.
     */
    private static final long CREDIT_SPAN_NANOS = 50_000;
    /** How long each credit grants one frame after several were out without an echo. */
    private static final long SINGLE_NANOS = 100_000_000L;

    private final CreditConfig config;
    private final FeedbackControl feedback;
    private final CreditPacer pacer;
    private final CreditHost host;
    private final int segmentBytesMax;
    /** What a data frame occupies on a link besides what follows its header. */
    private final int framingBytes;

    private final CreditLedger ledger = new CreditLedger();
    private final CreditLossMeter lossMeter;
    private final CreditRtt rtt;
    private final StandingCredit standing;
    private final BacklogNeeds needs;
    private final CreditProbes probes;
    private final RatePeriods periods;
    private final SequenceWindow echoed = new SequenceWindow(REPLAY_WINDOW);
    private final ReportOrder reports = new ReportOrder();

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

    /** When the sender was last heard from; SILENCE_NANOS without it end the crediting. */
    private long heardNanos;
    /** Link bytes of data that spent standing credits, for which the host's meter is still to be charged. */
    private int owedBytes;
    /** Whether the receive buffer has no room for another credit's frame; data or a read clears it. */
    private boolean blockedByRoom;

    CreditReceiver(
            CreditConfig config, FeedbackControl feedback, CreditPacer pacer, CreditHost host, FlowContext context) {
        this.config = config;
        this.feedback = feedback;
        this.pacer = pacer;
        this.host = host;
        this.segmentBytesMax = context.segmentBytesMax();
        this.framingBytes = context.dataWireBytesMax() - segmentBytesMax;
        this.creditFramesMax = context.creditFramesMax();
        this.lossMeter = new CreditLossMeter(ledger, feedback.countsWasteAsLoss());
        this.rtt = new CreditRtt(
                host.rtt(), RateMath.serializationNanosCeil(context.dataWireBytesMax(), context.linkRateBps()));
        this.standing =
                new StandingCredit(host.standing().accountOf(context.path().remote(), context.dataWireBytesMax()));
        this.needs =
                new BacklogNeeds(host, ledger, lossMeter, rtt, standing, feedback.waitsForMeter(), segmentBytesMax);
        needs.setMetered(creditFramesMax == 1);
        this.probes = new CreditProbes(config, host, needs, rtt, pacer, context.pauses(), feedback.waitsForMeter());
        this.periods = new RatePeriods(feedback, pacer, lossMeter, rtt, context.pauses(), context.arrivals());
    }

    @Override
    public void onEstablished(long backlogBytesNow, long nowNanos) {
        if (backlogBytesNow > 0) {
            hear(nowNanos);
            follow(backlogBytesNow, nowNanos);
        } else {
            heardNanos = nowNanos;
            standing.setWanted(true);
        }
    }

    @Override
    public void onHandshake(long rttNanos) {
        rtt.onHandshake(rttNanos);
    }

    @Override
    public boolean onRequest(long backlogBytesNow, int creditSequenceLow32, int packetNumberLow32, long nowNanos) {
        if (state == State.FINISHED) {
            return false;
        }
        resolve(creditSequenceLow32);
        hear(nowNanos);
        // A request without a backlog asks for an acknowledgement only.
        boolean isNews = state == State.IDLE && backlogBytesNow > 0;
        if (backlogBytesNow > 0) {
            onReport(backlogBytesNow, packetNumberLow32, nowNanos);
        }
        return isNews;
    }

    @Override
    public void onStop(int creditSequenceLow32, int packetNumberLow32, long nowNanos) {
        if (state == State.FINISHED) {
            return;
        }
        resolve(creditSequenceLow32);
        hear(nowNanos);
        if (reports.accept(packetNumberLow32)) {
            needs.setBytes(0);
            stop();
        }
    }

    private void resolve(int creditSequenceLow32) {
        long sequence = Serial.unwrap(nextSequence, creditSequenceLow32);
        if (sequence < nextSequence) {
            lossMeter.onResolved(sequence);
            if (sequence >= standing.sequence()) {
                standing.end();
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
        long lostBefore = needs.lost();
        long wastedBefore = ledger.wasted();
        lossMeter.onEcho(sequence, DataHeader.creditsWasted(buffer, at));
        periods.onEcho(DataHeader.tellsSurplus(buffer, at) ? Math.max(0, ledger.wasted() - wastedBefore) : 0);
        feedback.onData(isMarked, DataHeader.payloadBytes(buffer, at));
        rtt.onEcho(sequence, nowNanos);
        if (sequence == standing.sequence()) {
            if (!standing.isMetered()) {
                owedBytes += framingBytes + DataHeader.riderBytes(buffer, at) + DataHeader.payloadBytes(buffer, at);
            }
            standing.end();
        }
        host.delivery().onEcho(needs.lost() - lostBefore);
        host.spares().onEcho(needs.isShort());
        hear(nowNanos);
        if (state != State.FINISHED) {
            onReport(DataHeader.backlogBytes(buffer, at), WeirHeader.packetNumber(buffer, at), nowNanos);
        }
        return null;
    }

    @Override
    public void onCreditMetered() {
        standing.setMetered();
    }

    @Override
    public int takeOwedBytes() {
        int bytes = owedBytes;
        owedBytes = 0;
        return bytes;
    }

    private void hear(long nowNanos) {
        heardNanos = nowNanos;
        probes.onHeard();
        // What has come may have opened a gap, and gaps can always be filled.
        blockedByRoom = false;
    }

    /**
     * The sender has reported its backlog: the newest report counts. An idle receiver believes any report of a backlog,
     * since a credit too many costs less than a sender that waits for its timer.
     */
    private void onReport(long backlogBytesNow, int packetNumberLow32, long nowNanos) {
        boolean isNewest = reports.accept(packetNumberLow32);
        if (isNewest || (state == State.IDLE && backlogBytesNow > 0)) {
            follow(backlogBytesNow, nowNanos);
        }
    }

    /** Does what the sender's latest report of its backlog asks for. */
    private void follow(long backlogBytesNow, long nowNanos) {
        needs.setBytes(backlogBytesNow);
        if (backlogBytesNow > 0) {
            if (state == State.IDLE) {
                begin(nowNanos);
            }
            state = TABLE.require(state, Event.REQUEST);
            standing.setWanted(false);
        } else if (config.backlogLimited() || state == State.IDLE) {
            stop();
        }
    }

    private void begin(long nowNanos) {
        if (needs.isFirst()) {
            feedback.onFirstBacklog(needs.frames(), host.delivery().fraction());
        }
        needs.begin(nextSequence);
        probes.begin();
        pacer.restart(periods.rateBps(), nowNanos);
        periods.begin(nextSequence, nowNanos);
    }

    private void stop() {
        state = TABLE.require(state, Event.STOP);
        standing.setWanted(true);
    }

    @Override
    public void onFinished(long nowNanos) {
        if (state != State.FINISHED) {
            state = TABLE.require(state, Event.FINISH);
            standing.close();
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
                return outstanding() == 0 ? NO_DEADLINE : probes.expiryNanos();
            }
            return isSatisfied() ? Math.min(probes.nextNanos(), probes.expiryNanos()) : pacer.nextNanos();
        }
        if (standing.isDue() && outstanding() == 0 && config.standingBytesMax() > 0) {
            return heardNanos;
        }
        return standing.expiryNanos();
    }

    /** {@return whether the credits on their way are all that the backlog needs, with those that will be lost} */
    private boolean isSatisfied() {
        if (!config.backlogLimited()) {
            return false;
        }
        long outstanding = outstanding();
        return outstanding >= needs.frames() && outstanding >= needs.credits(nextSequence) + probes.credits();
    }

    private long outstanding() {
        return nextSequence - 1 - lossMeter.highest();
    }

    @Override
    public boolean waitsForMeter() {
        return state == State.CREDITING && feedback.waitsForMeter();
    }

    @Override
    public int standingFrames() {
        return host.standing().heldUnits();
    }

    @Override
    public boolean isFirstCredit() {
        return nextSequence == needs.begunSequence();
    }

    @Override
    public int pollCredit(long freeBytes, long nowNanos) {
        if (nextCreditNanos() > nowNanos) {
            return 0;
        }
        if (standing.expiryNanos() <= nowNanos) {
            lossMeter.onExpired(standing.sequence());
            standing.end();
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
        periods.update(nextSequence, needs.isMetered(), nowNanos);
        int frames = framesFor(freeBytes, nowNanos);
        if (feedback.waitsForMeter()) {
            pacer.onSentInTurn(frames, nowNanos);
            long beyondBacklog = outstanding() + frames - needs.frames();
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
        boolean isSounding = probes.isSounding() || rtt.smoothedNanos() == 0;
        if (creditFramesMax == 1 || isSounding || !config.backlogLimited() || nowNanos < singleUntilNanos) {
            return 1;
        }
        long byBacklog = needs.credits(nextSequence) - outstanding();
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
        probes.onGivenUp();
    }

    /** No echo came of the credits that should have sufficed: they, or their data, are slow or gone. */
    private void onSilence(long nowNanos) {
        if (!probes.onSilence(nowNanos)) {
            giveUpOutstanding(nowNanos);
            rtt.forgetProbes();
        }
        pacer.restart(periods.rateBps(), nowNanos);
    }

    private boolean hasRoom(long freeBytes, long nowNanos) {
        if ((outstanding() + 1) * segmentBytesMax <= freeBytes) {
            return true;
        }
        // Credits that were lost hold room until the next echo says so; if none comes, until they expire.
        if (outstanding() > 0 && nowNanos >= probes.expiryNanos()) {
            giveUpOutstanding(nowNanos);
            blockedByRoom = false;
            return segmentBytesMax <= freeBytes;
        }
        blockedByRoom = true;
        return false;
    }

    private int pollStanding(long freeBytes, long nowNanos) {
        if (!standing.tryMake(segmentBytesMax <= freeBytes, nextSequence, nowNanos)) {
            return 0;
        }
        creditFlags = CreditHeader.FLAG_STANDING;
        return issue(1, nowNanos);
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
        probes.onSent(nowNanos);
        ledger.onSent(frames);
        creditFrames = frames;
        nextSequence += frames;
        return pacer.nextWireBytes();
    }

    @Override
    public void onCreditFramesMax(int framesMax) {
        creditFramesMax = Math.min(creditFramesMax, framesMax);
        needs.setMetered(creditFramesMax == 1);
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
