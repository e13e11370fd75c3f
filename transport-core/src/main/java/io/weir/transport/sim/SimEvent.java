package io.weir.transport.sim;

/**
 * Something that happens at a time: a link's next arrival, its next look at its egress, a Node's time-out, an action of
 * the experiment. Its maker keeps it and schedules it again and again; it is scheduled at most once at a
 * time.
 */
final class SimEvent {
    /** The oldest frame on a link arrives. */
    static final int ARRIVAL = 0;
    /** A link looks for the next frame of its egress. */
    static final int LINK_WAKE = 1;
    /** A Node has something to do. */
    static final int TIMEOUT = 2;
    /** The experiment does something. */
    static final int ACTION = 3;

    /** The next frame on a link with a fault arrives. */
    static final int LATE_ARRIVAL = 4;

    private static final int NOWHERE = -1;

    final int kind;
    final Object subject;

    /** The queue's: when it happens, and where in the queue it stands. */
    long atNanos;

    int slot = NOWHERE;
    SimEvent next;
    SimEvent previous;

    SimEvent(int kind, Object subject) {
        this.kind = kind;
        this.subject = subject;
    }

    boolean isScheduled() {
        return slot != NOWHERE;
    }

    void unschedule() {
        slot = NOWHERE;
        next = null;
        previous = null;
    }
}
