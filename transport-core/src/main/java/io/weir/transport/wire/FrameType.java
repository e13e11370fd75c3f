package io.weir.transport.wire;

/**
 * The kinds of Weir frames, by the code in the low four bits of the first byte.
 *
 * <p>To add a type, also: write its header class; add it to {@link WholeFrame#isValid}, {@link FramePrinter},
 * docs/WIRE.md and the Wireshark dissector; and say in {@link TrafficClass} which queue of a switch it takes.
 */
public enum FrameType {
    /** Permits one data frame. */
    CREDIT(1),
    /** Carries a piece of the stream. */
    DATA(2),
    /** Acknowledges data, with ranges and time stamps. */
    ACK(3),
    /** Asks for credits. */
    REQUEST(4),
    /** Asks for no more credits. */
    STOP(5),
    /** Opens a connection. */
    OPEN(6),
    /** Answers an opening with the cookie that it must return. */
    CHALLENGE(7),
    /** Accepts an opening. */
    ACCEPT(8),
    /** Refuses an opening or ends a connection at once. */
    RESET(9);

    private static final FrameType[] BY_CODE = new FrameType[16];

    static {
        for (FrameType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;

    FrameType(int code) {
        this.code = code;
    }

    /** {@return the code on the wire} */
    public int code() {
        return code;
    }

    /** {@return the type with this code, or null for one that this build does not know} */
    public static FrameType of(int code) {
        return BY_CODE[code & 15];
    }
}
