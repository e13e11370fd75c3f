package io.weir.transport.protocol.tfc;

/**
 * Turns windows in bytes on the wire into whole frames. One instance per flow.
 *
 * <p>The paper does not say what to do with the rest. To lose it leaves much of the link unused where windows are of
 * few frames, and all flows lose alike; to count it as a frame overfills the link just as much. Kept for the next
 * round, it leaves nothing and adds nothing: of every so many rounds one has a frame more, and flows are not in step
 * with that.
 *
 * <p>A window of less than a frame is a frame: the ports on the way have seen to it that its turn has come (section
 * 4.6).
 */
final class WindowRounding {
    private static final int DOWN = 0;
    private static final int UP = 1;

    private final int mode;
    private final int frameWireBytes;
    private long restBytes;

    WindowRounding(int mode, int frameWireBytes) {
        this.mode = mode;
        this.frameWireBytes = frameWireBytes;
    }

    /** {@return the frames of a round with this window, at least one} */
    long frames(long windowBytes) {
        if (mode == DOWN) {
            return Math.max(1, windowBytes / frameWireBytes);
        }
        if (mode == UP) {
            return Math.max(1, (windowBytes + frameWireBytes - 1) / frameWireBytes);
        }
        long bytes = windowBytes + restBytes;
        if (bytes < frameWireBytes) {
            restBytes = 0;
            return 1;
        }
        restBytes = bytes % frameWireBytes;
        return bytes / frameWireBytes;
    }

    /** The rounds end here. */
    void forget() {
        restBytes = 0;
    }
}
