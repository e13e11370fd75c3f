package io.weir.transport.protocol;

import io.weir.transport.wire.Serial;

/**
 * How many of a peer's frames arrive on a connection, and how many do not: all of them but credits are numbered in one
 * row. Meters drop none of these, so what is missing is the wire's loss. One instance per connection, owned by its
 * host's thread; O(1); no allocation.
 *
 * <p>A frame that others have overtaken is missing until it comes. One that the network repeats later than at once is
 * taken for such a frame, so that less seems missing than is.
 */
public final class FrameArrivals {
    /**
     * A number that is so far from the others is damage that no check saw, or the end of an outage: neither tells of
     * loss on a wire.
     */
    private static final int JUMP_MAX = 1 << 12;

    /** The highest number that has come; 0 before the first. */
    private long highest;
    /** Frames that have come; only ever rises. */
    private long arrived;
    /** Numbers below the highest that have not come, since the first that did. */
    private long missing;

    /** Notes a frame of the peer with the low 32 bits of its number. */
    public void onFrame(int numberLow32) {
        long number = Serial.unwrap(highest, numberLow32);
        long step = number - highest;
        if (step == 0) {
            return;
        }
        arrived++;
        if (highest == 0 || Math.abs(step) > JUMP_MAX) {
            highest = number;
        } else if (step > 0) {
            missing += step - 1;
            highest = number;
        } else {
            missing--;
        }
    }

    /** {@return frames that have come} */
    public long arrived() {
        return arrived;
    }

    /** {@return frames that are missing; it falls when one of them comes late} */
    public long missing() {
        return missing;
    }
}
