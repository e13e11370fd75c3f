package io.weir.transport.host;

import static io.weir.transport.time.Deadline.NO_DEADLINE;

import io.weir.transport.wire.HeaderTemplate;
import java.util.ArrayDeque;

/**
 * Repeats the resets of connections that this host has ended. Nothing acknowledges a reset, and a peer with nothing to
 * send would never notice that one was lost.
 *
 * <p>Owned by the host's thread; O(1) per reset. Of more connections than {@link #WAITING_MAX} at a time the oldest
 * have their resets repeated less often.
 */
final class ResetRepeats {
    /** How often each reset is repeated: of a peer that 1 % of the frames miss, one in a million hears none. */
    private static final int REPEATS = 2;

    private static final int WAITING_MAX = 1024;

    private final HostStack host;
    /** The same for all, so that they are due in the order in which they wait. */
    private final long gapNanos;

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    ResetRepeats(HostStack host) {
        this.host = host;
        this.gapNanos = host.config().timers().retransmitNanosInitial();
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
            if (host.egress().hasReplyRoom()) {
                host.sendReset(due.template, due.remoteTag, due.reason);
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

    void clear() {
        waiting.clear();
    }

    /** @param repeats how often it is still to leave */
    private record Waiting(HeaderTemplate template, long remoteTag, int reason, int repeats, long dueNanos) {}
}
