package io.weir.transport.wire;

/**
 * The bits of the marks field of data and acknowledgements. Receivers echo what came; switches may set and clear them.
 */
public final class Marks {
    /** TFC: round mark, on the first frame of a window. */
    public static final int ROUND = 1;
    /** TFC: the acknowledgement of such a frame. */
    public static final int ROUND_ACK = 2;
    /** RCP: the window field holds a rate, in kbit/s; all ones for none yet. */
    public static final int RATE = 4;
    /** DCQCN: a congestion notification. */
    public static final int CONGESTION = 8;
    /**
     * TFC: a switch has held the acknowledgement of the round back. Its sender says so with its next round mark: the
     * time between the two marks is not the path's. It says the same of marks that it repeats.
     */
    public static final int HELD = 16;

    private Marks() {}
}
