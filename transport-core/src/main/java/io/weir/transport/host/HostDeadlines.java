package io.weir.transport.host;

import io.weir.transport.time.DeadlineHeap;

/** When a host's connections have something to do: credits to make, or anything else. */
final class HostDeadlines {
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

    /** Lets every connection do what is due, credits first. */
    void fire(long nowNanos) {
        for (int id = credits.pollDue(nowNanos); id >= 0; id = credits.pollDue(nowNanos)) {
            connections.byId(id).output().onCreditTimeout(nowNanos);
        }
        for (int id = timeouts.pollDue(nowNanos); id >= 0; id = timeouts.pollDue(nowNanos)) {
            connections.byId(id).input().onTimeout(nowNanos);
        }
    }

    long nextNanos() {
        return Math.min(credits.peekDeadline(), timeouts.peekDeadline());
    }
}
