package io.weir.transport.runtime;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What loops hand over and wake by, on two cores at once: run by {@code PiecesTest}. */
public final class LoopStress {
    private static final int FRAME_BYTES = 64;
    private static final int POOL_BYTES = 256;
    /** Looks at the other side before a thread gives up, which is no finding. */
    private static final int TRIES = 2_000;

    private static final ThreadLocal<Frame> FRAME =
            ThreadLocal.withInitial(() -> new FramePool(1, POOL_BYTES).allocate());

    private LoopStress() {}

    /** A ring of two slots that is written and read past its end: no frame is mixed with another one. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "every frame that was read is one that was written")
    @Outcome(expect = FORBIDDEN, desc = "frames with bytes of others")
    @State
    public static class Ring {
        private static final int FRAMES = 6;
        private final FrameRing ring = new FrameRing(2, FRAME_BYTES);

        /** Writes. */
        @Actor
        public void write() {
            Frame frame = FRAME.get();
            for (int i = 1; i <= FRAMES; i++) {
                for (int tries = 0; ring.freeCount() == 0; tries++) {
                    if (tries == TRIES) {
                        return;
                    }
                }
                frame.setExtent(0, FRAME_BYTES);
                frame.buffer().setMemory(0, FRAME_BYTES, (byte) i);
                ring.write(frame, i);
            }
        }

        /** Reads. */
        @Actor
        public void read(I_Result result) {
            Frame frame = FRAME.get();
            for (int i = 1; i <= FRAMES; i++) {
                for (int tries = 0; !ring.hasNext(); tries++) {
                    if (tries == TRIES) {
                        return;
                    }
                }
                ring.readInto(frame);
                for (int at = 0; at < frame.length(); at++) {
                    result.r1 += frame.buffer().getByte(frame.offset() + at) == i ? 0 : 1;
                }
                result.r1 += frame.length() == FRAME_BYTES && frame.stampNanos(0) == i ? 0 : 1;
            }
        }
    }

    /** A helper leaves to sleep while the loop's thread begins to stand by. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1", "1, 1"},
            expect = ACCEPTABLE,
            desc = "nobody stands by for nobody")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "the loop's thread stands by, and nobody is left to wake it")
    @State
    public static class StandBy implements Waiter {
        private final LoopSleep sleep = new LoopSleep(this, true);
        private volatile boolean hasLeft;
        private boolean isStandingBy;

        /** With a helper. */
        public StandBy() {
            sleep.enter();
        }

        /** Stands by for a slice. */
        @Actor
        public void standBy(II_Result result) {
            sleep.standBy(1);
            result.r1 = isStandingBy ? 1 : 0;
        }

        /** The helper goes to sleep, and wakes the loop's thread if that counts on it. */
        @Actor
        public void leave(II_Result result) {
            sleep.leave();
            result.r2 = sleep.isStandingByForNobody() ? 1 : 0;
            hasLeft = true;
        }

        @Override
        public void await(long timeoutNanos) {
            isStandingBy = true;
            for (int tries = 0; !hasLeft && tries < 1_000 * TRIES; tries++) {
                Thread.onSpinWait();
            }
            // Without the helper's look nothing has been seen.
            isStandingBy = hasLeft;
        }

        @Override
        public void wake() {
            // The result says whether it would have come.
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }

    /** Two threads run cycles: each sees all that the other's did. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "one cycle at a time")
    @Outcome(expect = FORBIDDEN, desc = "a cycle that did not see another one's writes")
    @State
    public static class Cycles {
        private static final int CYCLES = 8;
        private final CycleLock lock = new CycleLock();
        private int cycles;
        private int mine;
        private int others;

        private int run() {
            int count = 0;
            for (int i = 0; i < CYCLES; i++) {
                if (lock.tryTake()) {
                    cycles++;
                    count++;
                    lock.leave();
                }
            }
            return count;
        }

        /** One thread. */
        @Actor
        public void one() {
            mine = run();
        }

        /** Another. */
        @Actor
        public void other() {
            others = run();
        }

        /** Counts. */
        @Arbiter
        public void count(I_Result result) {
            result.r1 = cycles - mine - others;
        }
    }
}
