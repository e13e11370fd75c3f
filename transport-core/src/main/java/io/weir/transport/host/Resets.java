package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.frame.Frame;
import io.weir.transport.telemetry.AccountId;
import io.weir.transport.telemetry.Ledger;
import io.weir.transport.wire.Dscp;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.ResetHeader;
import java.util.ArrayDeque;

/**
 * Tells peers of connections that this host has ended, and repeats it. Nothing acknowledges a reset, and a peer with
 * nothing to send would never notice that one was lost.
 *
 * <p>Owned by the host's thread; O(1) per reset. Of more connections than {@link #WAITING_MAX} at a time the oldest
 * have their resets repeated less often.
 */
final class Resets {
    /** How often each reset is repeated: of a peer that 1 % of the frames miss, one in a million gets none. */
    private static final int REPEATS = 2;

    private static final int WAITING_MAX = 1024;

    private final HostStack host;
    /** The same for all, so that they are due in the order in which they wait. */
    private final long gapNanos;

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    Resets(HostStack host) {
        this.host = host;
        this.gapNanos = host.config().timers().retransmitNanosInitial();
    }

    /** Tells the peer that the connection is over; a peer that may be waiting for this host is told repeatedly. */
    void send(Connection connection, int reason) {
        send(connection.template(), connection.remoteTag(), reason);
        if (reason != ResetHeader.TIMED_OUT) {
            add(connection.template(), connection.remoteTag(), reason, host.nowNanos());
        }
    }

    /** Sends one reset, if there is a frame for it. */
    void send(HeaderTemplate template, long remoteTag, int reason) {
        Frame frame = host.allocate();
        if (frame == null) {
            return;
        }
        int at = template.begin(frame, 0);
        ResetHeader.write(frame.buffer(), at, remoteTag, reason);
        template.finish(frame, ResetHeader.BYTES, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        host.egresses().addReply(frame);
    }

    /** Repeats a reset that leaves now. */
    void add(HeaderTemplate template, long remoteTag, int reason, long nowNanos) {
        if (waiting.size() == WAITING_MAX) {
            waiting.remove();
        }
        waiting.add(new Waiting(template, remoteTag, reason, REPEATS, nowNanos + gapNanos));
    }

    void onTimeout(long nowNanos) {
        while (nextNanos() <= nowNanos) {
            Waiting due = waiting.remove();
            int left = due.repeats;
            // Where a thousand connections ended at once, some wait for another gap: replies to others go first.
            if (host.egresses().hasReplyRoom()) {
                send(due.template, due.remoteTag, due.reason);
                left--;
            }
            if (left > 0) {
                waiting.add(new Waiting(due.template, due.remoteTag, due.reason, left, nowNanos + gapNanos));
            }
        }
    }

    /** {@return when {@link #onTimeout} has something to do} */
    long nextNanos() {
        Waiting next = waiting.peek();
        return next == null ? NO_DEADLINE : next.dueNanos;
    }

    void addTo(Ledger ledger) {
        ledger.add(AccountId.TIMERS, waiting.size());
    }

    void clear() {
        waiting.clear();
    }

    /** @param repeats how often it is still to leave */
    private record Waiting(HeaderTemplate template, long remoteTag, int reason, int repeats, long dueNanos) {}
}
