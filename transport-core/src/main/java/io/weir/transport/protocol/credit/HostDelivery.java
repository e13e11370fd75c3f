package io.weir.transport.protocol.credit;

/**
 * The share of their credits that the flows of a host see come back as data. A flow of a few credits is over before it knows its own,
 * so it goes by its host's to make as many more as will be lost. Integer, in parts of {@link #WHOLE}; O(1); no allocation.
 */
final class HostDelivery {
    /** Everything. */
    static final int WHOLE = 1 << 16;

    /** However bad the loss, no more than so many credits are made for one frame. */
    private static final int CREDITS_PER_FRAME_MAX = 4;

    private static final int WEIGHT = 64;
    private static final int BURST_MAX = 16;

    private int delivered = WHOLE;

    /** Data came, and showed that {@code lost} credits before its own were lost. */
    void onEcho(long lost) {
        for (int i = (int) Math.min(lost, BURST_MAX); i > 0; i--) {
            delivered -= delivered / WEIGHT;
        }
        delivered += (WHOLE - delivered) / WEIGHT;
    }

    /** {@return how many credits it takes for {@code frames} frames, as things stand} */
    long creditsFor(long frames) {
        return (frames * WHOLE + delivered - 1) / Math.max(delivered, WHOLE / CREDITS_PER_FRAME_MAX);
    }
}
