package io.weir.transport.telemetry;

/**
 * What a loop of a transport, a switch or a broker measures about once a second, for who looks at it from outside. To
 * add one, add a constant here and set it where the loop reports.
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
    PAUSE_NANOS_MAX("longest pause of the loop's thread"),

    /** Which of its switch's ports it is, from 0 on. */
    PORT_NUMBER("number of the port in its switch", Subject.SWITCH_PORT),
    /** Wire bytes of data that wait at the port. */
    DATA_QUEUE_BYTES("data that waits at the port", Subject.SWITCH_PORT),
    /** The most that waited at once. */
    DATA_QUEUE_BYTES_MAX("most data that waited at the port", Subject.SWITCH_PORT),
    /** Credits that wait at the port. */
    CREDIT_QUEUE_FRAMES("credits that wait at the port", Subject.SWITCH_PORT),
    /** The most that waited at once. */
    CREDIT_QUEUE_FRAMES_MAX("most credits that waited at the port", Subject.SWITCH_PORT),
    /** Frames that the port's device or kernel lost. */
    FRAMES_LOST("frames that the port's device or kernel lost", Subject.SWITCH_PORT),

    /** Processes that the broker serves now. */
    CLIENTS("clients", Subject.BROKER),
    /** Processes that it has ever served. */
    CLIENTS_SERVED("clients that were ever served", Subject.BROKER),
    /** Pairs of clients that were given rings between them. */
    CLIENT_PAIRS("pairs of clients with rings between them", Subject.BROKER),
    /** Frames from the interface that clients were given. */
    CLIENT_FRAMES_DELIVERED("frames from the interface given to clients", Subject.BROKER),
    /** Frames from the interface for which a client had no room. */
    CLIENT_FRAMES_NO_ROOM("frames from the interface for which a client had no room", Subject.BROKER),
    /** Frames of clients that left by the interface. */
    CLIENT_FRAMES_SENT("frames of clients that left by the interface", Subject.BROKER),
    /** Frames from the interface for nobody. */
    CLIENT_FRAMES_UNCLAIMED("frames from the interface for no client", Subject.BROKER),
    /** Frames that clients may not send. */
    CLIENT_FRAMES_REFUSED("frames that clients may not send", Subject.BROKER);

    private final String description;
    /** Who alone has it, or null if it is of whatever has a loop. */
    private final Subject subject;

    GaugeId(String description) {
        this(description, null);
    }

    GaugeId(String description, Subject subject) {
        this.description = description;
        this.subject = subject;
    }

    /** {@return what is measured, in words} */
    public String description() {
        return description;
    }

    /** {@return whether a subject has it} What only hosts measure stays 0 elsewhere, and is not shown there. */
    public boolean isOf(Subject asked) {
        return switch (this) {
            case CONNECTIONS, HALF_OPEN, MEMORY_BYTES, MEMORY_BYTES_MAX, SEND_RATE_BPS, RECEIVE_RATE_BPS ->
                asked == Subject.TRANSPORT;
            // Of a loop, which the ports of a switch share.
            case REPORTED_MILLIS, LINK_RATE_BPS -> true;
            default -> subject == asked || (subject == null && asked != Subject.SWITCH_PORT);
        };
    }

    /** {@return whether it only grows} */
    public boolean isGrowing() {
        return switch (this) {
            case LOOP_NANOS,
                    BUSY_NANOS,
                    PAUSE_COUNT,
                    PAUSE_NANOS,
                    FRAMES_LOST,
                    CLIENTS_SERVED,
                    CLIENT_PAIRS,
                    CLIENT_FRAMES_DELIVERED,
                    CLIENT_FRAMES_NO_ROOM,
                    CLIENT_FRAMES_SENT,
                    CLIENT_FRAMES_UNCLAIMED,
                    CLIENT_FRAMES_REFUSED -> true;
            default -> false;
        };
    }

    /** {@return whether all loops together have the largest value of one, and not the sum} */
    public boolean isLargest() {
        return switch (this) {
            case REPORTED_MILLIS, LOOP_NANOS, DUTY_PPM, LINK_RATE_BPS, PAUSE_NANOS_MAX -> true;
            default -> false;
        };
    }
}
