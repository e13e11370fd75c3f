package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.protocol.ControlSink;
import io.weir.transport.protocol.HostPauses;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.wire.FrameType;

/**
 * Decides whether the peer of an established connection is still there, and whether the connection is still wanted:
 * user time-out, keep-alive, idle time-out. One per connection; O(1) per frame, no allocation. All times leave out
 * those in which this host did not run. It only judges: {@link ConnectionInput} ends the connection.
 *
 * <ul>
 *   <li>User time-out: this end has something to do, and what it sent makes no progress, or nothing answers it. Credits
 *       are no answer: they come as long as the way back works.
 *   <li>Keep-alive: nothing is to do, and nothing has come for a while. A request for an acknowledgement asks whether
 *       the peer is there, and again at growing gaps; any frame is an answer. It ends when {@value #PROBES} have found
 *       none.
 *   <li>Idle time-out: no byte of either stream has moved.
 *   <li>Refused port: the peer's host says that nobody has the port, and no frame of the peer has come since.
 * </ul>
 */
// = rfc1122 section 4.2.3.6: "Implementers MAY include keep-alives", and one that is lost ends no connection
// = deviation: on by default for accepted connections, after seconds and not two hours: hosts are in one data centre.
final class PeerWatch {
    /** Probes before the peer is given up, unless the application says otherwise. */
    static final int PROBES = HostConfig.Liveness.PROBES;

    /**
     * How long the peer may be silent after its port was refused: more than a frame needs that was on its way, and not
     * so long that a killed peer, of which the kernel tells once per second, is noticed two seconds late.
     */
    static final long REFUSED_NANOS = 250_000_000;

    private final Counters counters;
    private final HostPauses pauses;
    /** How long the peer may be silent until it is asked; 0 if it is not. Set by the application, and onConfirmed. */
    private long keepAliveNanos;
    /** The gap after each probe; 0 for gaps that begin with a part of the user time-out. Set by the application. */
    private long probeGapNanos;
    /** Probes before the peer is given up. Set by the application. */
    private int probesMax = PROBES;
    /** How long no byte may move; 0 for any time. Set by the application. */
    private long idleTimeoutNanos;
    /** How long something to do may wait. Set by the application. */
    private long userTimeoutNanos;
    /** When the latest frame came; in time that this host ran. Written by onFrame, never falls. */
    private long heardNanos;
    /** When the latest frame other than a credit came: {@code answeredNanos <= heardNanos}. Written by onFrame. */
    private long answeredNanos;
    /** Probes since {@link #heardNanos}, at most {@link #probesMax}; raised by onTimeout, cleared by onFrame. */
    private int probeCount;
    /** When the latest of them left; in time that this host ran. Written by onTimeout. */
    private long probedNanos;
    /** When the peer's port was refused first since {@link #heardNanos}, or NO_DEADLINE; in time that this host ran. */
    private long refusedNanos = NO_DEADLINE;
    /** When a byte moved last, as far as {@link #movedBytes} shows; in time that this host ran. Written by settle. */
    private long movedNanos;
    /** Bytes of both streams that had moved then; written by settle, never falls. */
    private long movedBytes;
    /** Since when something of this end waits for the peer, or NO_DEADLINE; in time that this host ran. By settle. */
    private long busySinceNanos = NO_DEADLINE;

    PeerWatch(HostConfig config, Counters counters, HostPauses pauses, long nowNanos) {
        this.counters = counters;
        this.pauses = pauses;
        this.idleTimeoutNanos = config.liveness().idleTimeoutNanos();
        this.userTimeoutNanos = config.timers().userTimeoutNanos();
        this.heardNanos = ranNanos(nowNanos);
        this.answeredNanos = heardNanos;
        this.movedNanos = heardNanos;
    }

    private long ranNanos(long nowNanos) {
        return nowNanos - pauses.totalNanos();
    }

    void setKeepAlive(long nanos) {
        keepAliveNanos = nanos;
        probeGapNanos = 0;
        probesMax = PROBES;
    }

    /**
     * Asks after {@code nanos} of silence, and again after each gap.
     *
     * @param count probes before the peer is given up
     */
    void setKeepAlive(long nanos, long gapNanos, int count) {
        keepAliveNanos = nanos;
        probeGapNanos = gapNanos;
        probesMax = count;
    }

    void setIdleTimeout(long nanos, long nowNanos) {
        idleTimeoutNanos = nanos;
        movedNanos = ranNanos(nowNanos);
    }

    void setUserTimeout(long nanos) {
        userTimeoutNanos = nanos;
    }

    /** A frame of the peer has come. */
    void onFrame(FrameType type, long nowNanos) {
        heardNanos = ranNanos(nowNanos);
        probeCount = 0;
        refusedNanos = NO_DEADLINE;
        if (type != FrameType.CREDIT) {
            answeredNanos = heardNanos;
        }
    }

    /** {@return whether it is news that the peer's host says that nobody has the peer's port} */
    boolean onPortRefused(long nowNanos) {
        boolean isNews = refusedNanos == NO_DEADLINE;
        if (isNews) {
            refusedNanos = ranNanos(nowNanos);
        }
        return isNews;
    }

    /** After anything has happened to a connection whose streams are open. */
    void settle(StreamSender sender, StreamReceiver receiver, long nowNanos) {
        if (!sender.hasUnfinishedBusiness()) {
            busySinceNanos = NO_DEADLINE;
        } else if (busySinceNanos == NO_DEADLINE) {
            busySinceNanos = ranNanos(nowNanos);
        }
        if (idleTimeoutNanos > 0) {
            long bytes = sender.sentOffset() + receiver.buffer().extentOffset();
            if (bytes != movedBytes) {
                movedBytes = bytes;
                movedNanos = ranNanos(nowNanos);
            }
        }
    }

    /**
     * Does what is due for an established connection: asks the peer whether it is there.
     *
     * @return why the connection is to end, or null
     */
    CloseReason onTimeout(StreamSender sender, ControlSink out, long nowNanos) {
        long ran = ranNanos(nowNanos);
        if (ran >= refusedDeadlineNanos()) {
            return CloseReason.FORGOTTEN;
        }
        if (isDeserted(sender, ran)) {
            return CloseReason.TIMED_OUT;
        }
        if (idleTimeoutNanos > 0 && ran - movedNanos >= idleTimeoutNanos) {
            return CloseReason.IDLE_TIMED_OUT;
        }
        if (probeRanNanos() > ran) {
            return null;
        }
        if (probeCount >= probesMax) {
            return CloseReason.TIMED_OUT;
        }
        probeCount++;
        probedNanos = ran;
        counters.increment(CounterId.KEEP_ALIVES_SENT);
        out.sendRequest();
        return null;
    }

    /**
     * {@return whether something of this end waits for the peer, and no frame has come for {@code limitNanos}}
     *
     * @param isOpening whether the connection waits to be accepted
     */
    boolean isSilent(boolean isOpening, long limitNanos, long nowNanos) {
        long sinceNanos = isOpening ? heardNanos : busySinceNanos;
        return sinceNanos != NO_DEADLINE && ranNanos(nowNanos) - Math.max(heardNanos, sinceNanos) >= limitNanos;
    }

    /** {@return whether something of this end waits for the peer for too long} */
    private boolean isDeserted(StreamSender sender, long ranNanos) {
        if (busySinceNanos == NO_DEADLINE) {
            return false;
        }
        long newsNanos = sender.awaitsAck() ? sender.progressNanos() : answeredNanos;
        return ranNanos - Math.max(newsNanos, busySinceNanos) >= userTimeoutNanos;
    }

    /** {@return until when a peer whose port was refused may be silent, or NO_DEADLINE; in time that this host ran} */
    private long refusedDeadlineNanos() {
        return refusedNanos == NO_DEADLINE ? NO_DEADLINE : refusedNanos + REFUSED_NANOS;
    }

    /** {@return when the next probe, or the end of all, is due; in time that this host ran} */
    private long probeRanNanos() {
        if (keepAliveNanos == 0 || busySinceNanos != NO_DEADLINE) {
            return NO_DEADLINE;
        }
        if (probeCount == 0) {
            return heardNanos + keepAliveNanos;
        }
        // From the probe that left and not from the silence: one that is late moves those behind it.
        long gapNanos = probeGapNanos > 0
                ? probeGapNanos
                : HostConfig.Liveness.firstGapNanos(userTimeoutNanos) << (probeCount == PROBES ? 0 : probeCount - 1);
        return probedNanos + gapNanos;
    }

    /**
     * {@return when {@link #onTimeout} has something to do; user time-outs are looked at when retransmission timers
     * fire}
     */
    long nextTimeoutNanos() {
        long idleNanos = idleTimeoutNanos == 0 ? NO_DEADLINE : movedNanos + idleTimeoutNanos;
        long nanos = Math.min(Math.min(idleNanos, refusedDeadlineNanos()), probeRanNanos());
        return nanos == NO_DEADLINE ? nanos : nanos + pauses.totalNanos();
    }
}
