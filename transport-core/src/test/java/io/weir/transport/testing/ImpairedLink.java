package io.weir.transport.testing;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.Egress;
import io.weir.transport.node.Node;
import io.weir.transport.time.Deadline;
import io.weir.transport.time.DeadlineHeap;
import java.util.ArrayDeque;

/** A bump in the wire: what comes in by one of its two ports leaves by the other, worse for it. */
public final class ImpairedLink implements Node {
    private static final int SLOTS = 16_384;

    private final FramePool pool;
    private final SeededRandom random;
    private final Impairment impairment;
    private final Direction[] out = {new Direction(), new Direction()};

    /** Creates a link; what it does follows from {@code random}. */
    public ImpairedLink(FramePool pool, SeededRandom random, Impairment impairment) {
        this.pool = pool;
        this.random = random;
        this.impairment = impairment;
    }

    @Override
    public void onFrame(int portIndex, Frame frame, long nowNanos) {
        Direction direction = out[1 - portIndex];
        if (nowNanos >= impairment.healNanos()) {
            direction.add(frame, nowNanos);
            return;
        }
        if (random.chancePpm(impairment.lossPpm())) {
            frame.release();
            return;
        }
        if (random.chancePpm(impairment.corruptPpm())) {
            corrupt(frame);
        }
        Frame copy = random.chancePpm(impairment.duplicatePpm()) ? copyOf(frame) : null;
        direction.add(frame, nowNanos + delayNanos());
        if (copy != null) {
            direction.add(copy, nowNanos + delayNanos());
        }
    }

    private long delayNanos() {
        return random.chancePpm(impairment.reorderPpm()) ? random.nextLong(impairment.delayNanosMax()) : 0;
    }

    private void corrupt(Frame frame) {
        for (int i = random.nextIntInclusive(1, 4); i > 0; i--) {
            frame.buffer().putByte(frame.offset() + random.nextInt(frame.length()), (byte) random.nextInt(256));
        }
    }

    private Frame copyOf(Frame frame) {
        Frame copy = pool.allocate();
        if (copy != null) {
            copy.setExtent(frame.offset(), frame.length());
            copy.buffer().putBytes(frame.offset(), frame.buffer(), frame.offset(), frame.length());
        }
        return copy;
    }

    @Override
    public void onTimeout(long nowNanos) {
        // Everything that waits, waits to leave.
    }

    @Override
    public long nextTimeoutNanos() {
        return Deadline.NO_DEADLINE;
    }

    @Override
    public Egress egress(int portIndex) {
        return out[portIndex];
    }

    @Override
    public int portCount() {
        return 2;
    }

    @Override
    public void onPause(long pauseNanos, long nowNanos) {
        // A wire does not notice.
    }

    /** Returns every frame to its pool. */
    public void close() {
        for (Direction direction : out) {
            for (Frame frame = direction.pollTransmit(Long.MAX_VALUE - 1);
                    frame != null;
                    frame = direction.pollTransmit(Long.MAX_VALUE - 1)) {
                frame.release();
            }
        }
    }

    /** The frames that leave by one port, each at its time; equal times in the order of their coming. */
    private static final class Direction implements Egress {
        private final DeadlineHeap due = new DeadlineHeap(64);
        private final Frame[] frames = new Frame[SLOTS];
        private final ArrayDeque<Integer> freeSlots = new ArrayDeque<>();
        private int slotCount;

        void add(Frame frame, long dueNanos) {
            int slot = freeSlots.isEmpty() ? slotCount++ : freeSlots.pop();
            frames[slot] = frame;
            due.schedule(slot, dueNanos);
        }

        @Override
        public Frame pollTransmit(long nowNanos) {
            int slot = due.pollDue(nowNanos);
            if (slot < 0) {
                return null;
            }
            freeSlots.push(slot);
            Frame frame = frames[slot];
            frames[slot] = null;
            return frame;
        }

        @Override
        public long nextTransmitNanos(long nowNanos) {
            return due.peekDeadline();
        }
    }
}
