package io.weir.transport.host;

import io.weir.transport.telemetry.AccountId;
import io.weir.transport.telemetry.Ledger;
import io.weir.transport.time.DeadlineHeap;

/** When a host's connections have something to do: credits to make, or anything else. */
final class HostDeadlines {
    /**
     * Time-outs of one call. Where thousands are due at once, frames are taken in between, and no cycle is so long that
     * it counts as a pause, by which time-outs are put off.
     */
    static final int TIMEOUTS_MAX = 64;

    private final DeadlineHeap timeouts = new DeadlineHeap(64);
    private final DeadlineHeap credits = new DeadlineHeap(64);
    private final ConnectionTable connections;

    HostDeadlines(ConnectionTable connections) {
        this.connections = connections;
    }

    void scheduleCredit(int id, long deadlineNanos) {
        credits.schedule(id, deadlineNanos);
    }

    /** Schedules a time-out. One that moves later is left: it fires early, does nothing, and is set again. */
    void scheduleTimeout(int id, long deadlineNanos) {
        if (deadlineNanos < timeouts.deadlineOf(id)) {
            timeouts.schedule(id, deadlineNanos);
        }
    }

    void cancel(int id) {
        timeouts.cancel(id);
        credits.cancel(id);
    }

    /** Lets connections do what is due, credits first; {@link #nextNanos} tells of time-outs that are left. */
    void fire(long nowNanos) {
        for (int id = credits.pollDue(nowNanos); id >= 0; id = credits.pollDue(nowNanos)) {
            connections.byId(id).output().onCreditTimeout(nowNanos);
        }
        for (int count = 0; count < TIMEOUTS_MAX; count++) {
            int id = timeouts.pollDue(nowNanos);
            if (id < 0) {
                return;
            }
            connections.byId(id).input().onTimeout(nowNanos);
        }
    }

    void addTo(Ledger ledger) {
        ledger.add(AccountId.TIMERS, (long) timeouts.size() + credits.size());
    }

    long nextNanos() {
        return Math.min(credits.peekDeadline(), timeouts.peekDeadline());
    }
}
