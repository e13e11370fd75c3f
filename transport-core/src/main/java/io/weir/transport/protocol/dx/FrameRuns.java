package io.weir.transport.protocol.dx;

/**
 * When frames of a paced flow leave in a row, so that {@link MeasuredNoise} can compare two of them. One instance per
 * flow; O(1).
 *
 * <p>The first window leaves in a row anyway. From then on a run is a small burst that others meet: there is none while
 * the window grows now and then, one after each {@value #CUTS} decisions in a row to cut it, which may be noise, and
 * one after each decision once there is noise, next to which a burst of two frames is little.
 */
final class FrameRuns {
    private static final int CUTS = 64;

    private final int followers;
    private boolean isDue;
    private int left;
    private int cuts;

    /** Creates one for a receiver that acknowledges every so many frames: a run has two acknowledgements. */
    FrameRuns(int framesPerAck) {
        followers = 2 * framesPerAck - 1;
    }

    /** The window is to be cut, or else may grow. */
    void onDecision(boolean isCut, boolean isNoisy) {
        cuts = isCut ? cuts + 1 : 0;
        isDue = isNoisy || cuts == CUTS;
        cuts %= CUTS;
    }

    /** A frame leaves, and may be the first of a run. */
    void onFrame(boolean mayBegin) {
        if (left > 0) {
            left--;
        } else if (isDue && mayBegin) {
            left = followers;
            isDue = false;
        }
    }

    /** {@return how many frames are to follow the latest at once} */
    int left() {
        return left;
    }
}
