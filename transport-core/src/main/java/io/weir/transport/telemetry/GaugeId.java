package io.weir.transport.telemetry;

/**
 * What a loop of a transport measures about once a second, for who looks at it from outside. To add one, add a constant
 * here and set it where the loop reports.
 */
public enum GaugeId {
    /** When the loop reported last, in milliseconds since 1970. */
    REPORTED_MILLIS("time of the loop's latest report"),
    /** The loop's time then. */
    LOOP_NANOS("loop time"),
    /** Time in cycles that had work. */
    BUSY_NANOS("loop time in cycles with work"),
    /** How much of the loop's time was so between its latest two reports. */
    DUTY_PPM("share of time in cycles with work"),
    /** Connections in any state but closed. */
    CONNECTIONS("connections"),
    /** Openings that were accepted and are not confirmed. */
    HALF_OPEN("half-open connections"),
    /** Bytes of the budget for buffers in use. */
    MEMORY_BYTES("buffer memory in use"),
    /** All bytes of that budget. */
    MEMORY_BYTES_MAX("buffer memory allowed"),
    /** Frames of the pool that are free. */
    FRAMES_FREE("frames free"),
    /** Frames of the pool. */
    FRAMES("frames of the pool"),
    /** The rate that the host sends at, at most. */
    LINK_RATE_BPS("link rate"),
    /** The rate of all wire bytes that it sent between its loop's latest two reports. */
    SEND_RATE_BPS("send rate"),
    /** The rate of all wire bytes that it received between those. */
    RECEIVE_RATE_BPS("receive rate"),
    /** How often the loop's thread was off its core. */
    PAUSE_COUNT("pauses of the loop's thread"),
    /** How long it was off its core, all times together. */
    PAUSE_NANOS("time that the loop's thread was off its core"),
    /** The longest of those times. */
    PAUSE_NANOS_MAX("longest pause of the loop's thread");

    private final String description;

    GaugeId(String description) {
        this.description = description;
    }

    /** {@return what is measured, in words} */
    public String description() {
        return description;
    }
}
