package io.weir.transport.time;

/** The sentinel of a deadline that does not exist, later than every time. */
public final class Deadline {
    /** No deadline: {@code NO_DEADLINE <= nowNanos} is false for every time. */
    public static final long NO_DEADLINE = Long.MAX_VALUE;

    private Deadline() {}
}
