package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;

/**
 * How many frames a port has, and how large the rings of its queues are.
 *
 * <p>Each queue holds frames to receive into, whether anything comes by it or not. At least a quarter of the pool is
 * never among them: without frames to send, not even an acknowledgement leaves.
 *
 * <p>What was not chosen follows the queues. Up to four of them have {@link RingSizes#DEFAULT}; more divide as many
 * frames, but have {@link #FILL_FRAMES_MIN} each. The stack gets as many frames as it has with one queue. So a pool has
 * 8,192 frames for one queue, and never more than 22,528: with slots of 2 KiB these are 44 MiB, with 4 KiB 88 MiB.
 *
 * @param frameCount frames in the pool
 * @param ringSizes the rings of each queue
 */
record FramePlan(int frameCount, RingSizes ringSizes) {
    /** A veth's, and half of the smallest receive ring of usual servers' NICs. */
    static final int FILL_FRAMES_MIN = 256;

    /** Queues that have rings as a single one has. */
    private static final int QUEUES_WHOLE = 4;

    /** For a transmit ring, and twice as many that the stack holds. */
    private static final int STACK_FRAMES = 3 * RingSizes.DEFAULT.transmitFrames();

    /** Three quarters of a pool may wait to receive into. */
    private static final int PARTS = 4;

    private static final int PARTS_TO_FILL = 3;

    /**
     * {@return the plan of a port with its own pool}
     *
     * @param queueCount how many queues the port takes
     * @param frameCount frames that were asked for, or 0
     * @param chosenRings rings that were asked for, or null
     * @throws ConfigException if what was asked for does not go together; the message has what would
     */
    static FramePlan of(int queueCount, int frameCount, RingSizes chosenRings) {
        if (frameCount != 0) {
            return new FramePlan(frameCount, rings(queueCount, frameCount, chosenRings));
        }
        RingSizes rings = chosenRings == null ? ofQueues(queueCount) : chosenRings;
        int stackFrames = Math.max(STACK_FRAMES, rings.transmitFrames() + 2 * RingSizes.DEFAULT.transmitFrames());
        long frames = Math.max(
                (long) queueCount * rings.fillFrames() + stackFrames, framesMin(queueCount, rings.fillFrames()));
        return new FramePlan((int) Math.min(Integer.MAX_VALUE, frames), rings);
    }

    /** {@return the pool, with slots of this size} */
    FramePool newPool(int slotBytes) throws NicException {
        long bytes = (long) frameCount * slotBytes;
        if (bytes > Integer.MAX_VALUE) {
            throw new ConfigException(frameCount + " frames in slots of " + slotBytes
                    + " bytes are beyond 2 GiB, the most that a pool has; give at most "
                    + Integer.MAX_VALUE / slotBytes + " (--frames, frameCount), or smaller rings (--ring, ringFrames)");
        }
        try {
            return new FramePool(frameCount, slotBytes);
        } catch (OutOfMemoryError e) {
            throw new NicException(
                    "the JVM has no " + (bytes >> 20) + " MiB of direct memory for " + frameCount + " frames of "
                            + slotBytes + " bytes; raise its limit (-XX:MaxDirectMemorySize=), or give fewer frames"
                            + " (--frames, frameCount) or queues (--queue, queues)",
                    e);
        }
    }

    /**
     * {@return the rings of a port that takes its frames from a pool with so many free ones}
     *
     * @param chosenRings rings that were asked for, or null
     * @throws ConfigException if so many frames are too few; the message has how many would do
     */
    static RingSizes rings(int queueCount, int frameCount, RingSizes chosenRings) {
        long fillMax = (long) frameCount * PARTS_TO_FILL / PARTS / queueCount;
        RingSizes rings = chosenRings == null ? ofQueues(queueCount) : chosenRings;
        if (rings.fillFrames() <= fillMax) {
            return rings;
        }
        if (chosenRings == null && fillMax >= RingSizes.FRAMES_MIN) {
            int fill = Integer.highestOneBit((int) fillMax);
            // Of the rest, the transmit ring takes what the stack leaves when it holds twice as many.
            int transmit = Math.max(RingSizes.FRAMES_MIN, Integer.highestOneBit(frameCount / PARTS));
            return new RingSizes(fill, Math.min(rings.transmitFrames(), transmit), fill, rings.completionFrames());
        }
        int fill = chosenRings == null ? RingSizes.FRAMES_MIN : rings.fillFrames();
        throw new ConfigException("frameCount=" + frameCount + " is too few for " + queueCount + " queues of " + fill
                + " frames to receive into, which leave a quarter to send; give at least "
                + framesMin(queueCount, fill) + " frames (--frames, frameCount), "
                + (fill > RingSizes.FRAMES_MIN ? "smaller rings (--ring, ringFrames) " : "")
                + "or take fewer queues (--queue, queues)");
    }

    /** {@return the rings of each of so many queues} */
    static RingSizes ofQueues(int queueCount) {
        RingSizes whole = RingSizes.DEFAULT;
        int share = Integer.highestOneBit(QUEUES_WHOLE * whole.fillFrames() / queueCount);
        int fill = Math.min(whole.fillFrames(), Math.max(FILL_FRAMES_MIN, share));
        return new RingSizes(fill, whole.transmitFrames(), fill, whole.completionFrames());
    }

    private static long framesMin(int queueCount, int fillFrames) {
        return ((long) queueCount * fillFrames * PARTS + PARTS_TO_FILL - 1) / PARTS_TO_FILL;
    }
}
