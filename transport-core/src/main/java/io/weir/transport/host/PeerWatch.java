package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.FrameType;

/**
 * Decides whether the peer of an established connection is still there, and whether the connection is still wanted:
 * user time-out, keep-alive, idle time-out. One per connection; O(1) per frame, no allocation. All times leave out
 * those in which this host did not run.
 *
 * <ul>
 *   <li>User time-out: this end has something to do, and what it sent makes no progress, or nothing answers it. Credits
 *       are no answer: they come as long as the way back works.
 *   <li>Keep-alive: nothing is to do, and nothing has come for a while. A request for an acknowledgement asks whether
 *       the peer is there, and again at growing gaps; any frame is an answer. It ends when {@value #PROBES} have found
 *       none.
 *   <li>Idle time-out: no byte of either stream has moved.
 * </ul>
 */
// = rfc1122 section 4.2.3.6: "Implementers MAY include keep-alives", and one that is lost ends no connection
// = deviation: on by default for accepted connections, after seconds and not two hours: hosts are in one data centre.
final class PeerWatch {
    /**
     * Probes before the peer is given up. The first gap is an eighth of the user time-out, and each next one is twice
     * as long.
     */
    static final int PROBES = 4;

    private static final int FIRST_GAP_SHIFT = 3;

    private final Connection connection;
    private final HostStack host;
    /** How long the peer may be silent until it is asked; 0 if it is not. Set by the application. */
    private long keepAliveNanos;
    /** How long no byte may move; 0 for any time. Set by the application. */
    private long idleTimeoutNanos;
    /** How long something to do may wait. Set by the application. */
    private long userTimeoutNanos;
    /** When the latest frame came; in time that this host ran. */
    private long heardNanos;
    /** When the latest frame other than a credit came; in time that this host ran. */
    private long answeredNanos;
    /** Probes since {@link #heardNanos}. */
    private int probeCount;
    /** When the latest of them left; in time that this host ran. */
    private long probedNanos;
    /** When a byte moved last, as far as {@link #movedBytes} shows; in time that this host ran. */
    private long movedNanos;
    /** Bytes of both streams that had moved then. */
    private long movedBytes;

    PeerWatch(Connection connection, HostStack host) {
        this.connection = connection;
        this.host = host;
        this.idleTimeoutNanos = host.config().liveness().idleTimeoutNanos();
        this.userTimeoutNanos = host.config().timers().userTimeoutNanos();
        this.heardNanos = ranNanos(host.nowNanos());
        this.answeredNanos = heardNanos;
        this.movedNanos = heardNanos;
    }

    private long ranNanos(long nowNanos) {
        return nowNanos - host.pauses().totalNanos();
    }

    void setKeepAlive(long nanos) {
        keepAliveNanos = nanos;
    }

    void setIdleTimeout(long nanos) {
        idleTimeoutNanos = nanos;
        movedNanos = ranNanos(host.nowNanos());
    }

    void setUserTimeout(long nanos) {
        userTimeoutNanos = nanos;
    }

    /** A frame of the peer has come. */
    void onFrame(FrameType type, long nowNanos) {
        heardNanos = ranNanos(nowNanos);
        probeCount = 0;
        if (type != FrameType.CREDIT) {
            answeredNanos = heardNanos;
        }
    }

    /** After anything has happened to an established connection. */
    void settle(long nowNanos) {
        if (idleTimeoutNanos > 0) {
            long bytes = connection.sender().sentOffset()
                    + connection.receiver().buffer().extentOffset();
            if (bytes != movedBytes) {
                movedBytes = bytes;
                movedNanos = ranNanos(nowNanos);
            }
        }
    }

    /** {@return whether what is due for an established connection, and is done here, has ended it} */
    boolean onTimeout(long nowNanos) {
        long ran = ranNanos(nowNanos);
        if (isDeserted(ran)) {
            connection.life().timeOut(CloseReason.TIMED_OUT);
            return true;
        }
        if (idleTimeoutNanos > 0 && ran - movedNanos >= idleTimeoutNanos) {
            connection.life().timeOut(CloseReason.IDLE_TIMED_OUT);
            return true;
        }
        if (probeRanNanos() > ran) {
            return false;
        }
        if (probeCount == PROBES) {
            connection.life().timeOut(CloseReason.TIMED_OUT);
            return true;
        }
        probeCount++;
        probedNanos = ran;
        host.counters().increment(CounterId.KEEP_ALIVES_SENT);
        connection.control().sendRequest();
        return false;
    }

    /** {@return whether something of this end waits for the peer, and no frame has come for {@code limitNanos}} */
    boolean isSilent(long nowNanos, long limitNanos) {
        StreamSender sender = connection.sender();
        long busySinceNanos = sender == null ? heardNanos : connection.streams().busySinceNanos();
        return busySinceNanos != NO_DEADLINE && ranNanos(nowNanos) - Math.max(heardNanos, busySinceNanos) >= limitNanos;
    }

    /** {@return whether something of this end waits for the peer for too long} */
    private boolean isDeserted(long ranNanos) {
        long busySinceNanos = connection.streams().busySinceNanos();
        if (busySinceNanos == NO_DEADLINE) {
            return false;
        }
        StreamSender sender = connection.sender();
        long newsNanos = sender.awaitsAck() ? sender.progressNanos() : answeredNanos;
        return ranNanos - Math.max(newsNanos, busySinceNanos) >= userTimeoutNanos;
    }

    /** {@return when the next probe, or the end of all, is due; in time that this host ran} */
    private long probeRanNanos() {
        if (keepAliveNanos == 0 || connection.streams().busySinceNanos() != NO_DEADLINE) {
            return NO_DEADLINE;
        }
        if (probeCount == 0) {
            return heardNanos + keepAliveNanos;
        }
        // From the probe that left and not from the silence: one that is late moves those behind it.
        return probedNanos + ((userTimeoutNanos >> FIRST_GAP_SHIFT) << (probeCount == PROBES ? 0 : probeCount - 1));
    }

    /**
     * {@return when {@link #onTimeout} has something to do; user time-outs are looked at when retransmission timers
     * fire}
     */
    long nextTimeoutNanos() {
        long idleNanos = idleTimeoutNanos == 0 ? NO_DEADLINE : movedNanos + idleTimeoutNanos;
        long nanos = Math.min(idleNanos, probeRanNanos());
        return nanos == NO_DEADLINE ? nanos : nanos + host.pauses().totalNanos();
    }
}
