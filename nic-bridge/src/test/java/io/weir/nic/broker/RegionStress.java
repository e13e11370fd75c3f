package io.weir.nic.broker;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The rings of a broker and its bells, on two cores at once: run by {@code RingPiecesTest}. */
public final class RegionStress {
    /** So many that the other core can come while they are copied. */
    private static final int FRAME_BYTES = 1_024;

    private static final RegionLayout LAYOUT = new RegionLayout(2, FRAME_BYTES);
    /** What the slots need; a region's rings end with a page. */
    private static final int RING_BYTES = RegionLayout.SLOTS + LAYOUT.slotCount() * LAYOUT.slotBytes();

    private static final int POOL_BYTES = 2_048;
    /** Looks at the other side before a thread gives up, which is no finding. */
    private static final int TRIES = 2_000;

    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;

    private static final ThreadLocal<Frame> FRAME =
            ThreadLocal.withInitial(() -> new FramePool(1, POOL_BYTES).allocate());

    private RegionStress() {}

    private static UnsafeBuffer memory() {
        return new UnsafeBuffer(new byte[RING_BYTES]);
    }

    private static Frame frameOf(int mark) {
        Frame frame = FRAME.get();
        frame.setExtent(0, FRAME_BYTES);
        frame.buffer().setMemory(0, FRAME_BYTES, (byte) mark);
        return frame;
    }

    /** A ring of two slots that is written and read past its end: no frame is mixed with another one. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "every frame that was read is one that was written")
    @Outcome(expect = FORBIDDEN, desc = "frames with bytes of others, or a ring that seems broken")
    @State
    public static class Frames {
        private static final int FRAMES = 6;
        private final UnsafeBuffer memory = memory();
        private final RingWriter writer = new RingWriter(LAYOUT, memory);
        private final RingReader reader = new RingReader(LAYOUT, memory);

        /** Writes. */
        @Actor
        public void write() {
            for (int i = 1; i <= FRAMES; i++) {
                Frame frame = frameOf(i);
                for (int tries = 0; !writer.offer(frame); tries++) {
                    if (tries == TRIES) {
                        return;
                    }
                }
            }
        }

        /** Reads. */
        @Actor
        public void read(I_Result result) {
            Frame frame = FRAME.get();
            for (int i = 1; i <= FRAMES; i++) {
                for (int tries = 0; !reader.hasNext(); tries++) {
                    if (tries == TRIES) {
                        result.r1 += reader.isBroken() ? 1 : 0;
                        return;
                    }
                }
                if (!reader.readInto(frame)) {
                    result.r1++;
                    return;
                }
                long mark = i * EACH_BYTE;
                for (int at = 0; at < frame.length(); at += Long.BYTES) {
                    result.r1 += frame.buffer().getLong(frame.offset() + at) == mark ? 0 : 1;
                }
                result.r1 += frame.length() == FRAME_BYTES ? 0 : 1;
            }
        }
    }

    /** A reader falls asleep while a frame is written. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1", "1, 1"},
            expect = ACCEPTABLE,
            desc = "who sleeps is rung for")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "the reader sleeps, there is a frame, and nobody rings")
    @State
    public static class Sleep {
        private final UnsafeBuffer memory = memory();
        private final RingWriter writer = new RingWriter(LAYOUT, memory);
        private final RingReader reader = new RingReader(LAYOUT, memory);

        /** Writes, and rings if it is asked to. */
        @Actor
        public void write(II_Result result) {
            writer.offer(frameOf(1));
            result.r2 = writer.takeWakeRequest() ? 1 : 0;
        }

        /** Falls asleep if nothing is there. */
        @Actor
        public void sleep(II_Result result) {
            result.r1 = !reader.beginSleep() || reader.requestWake() ? 1 : 0;
        }
    }

    /** A reader that sleeps again and again, and takes bells, also late ones: it never sleeps on a frame. */
    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "each frame ended the sleep")
    @Outcome(expect = FORBIDDEN, desc = "a sleep that nobody will end, and a frame waits")
    @State
    public static class Bells {
        private static final int FRAMES = 3;
        private final UnsafeBuffer memory = memory();
        private final RingWriter writer = new RingWriter(LAYOUT, memory);
        private final RingReader reader = new RingReader(LAYOUT, memory);
        private final AtomicInteger bells = new AtomicInteger();
        private volatile boolean isWritten;

        /** Writes, and rings when it is asked to. */
        @Actor
        public void write() {
            for (int i = 1; i <= FRAMES; i++) {
                Frame frame = frameOf(i);
                for (int tries = 0; !writer.offer(frame) && tries < TRIES; tries++) {
                    Thread.onSpinWait();
                }
                if (writer.takeWakeRequest()) {
                    bells.incrementAndGet();
                }
            }
            isWritten = true;
        }

        /** Sleeps and reads. */
        @Actor
        public void read(I_Result result) {
            Frame frame = FRAME.get();
            for (int cycle = 0; cycle < 4 * FRAMES; cycle++) {
                boolean maySleep = !reader.beginSleep() || reader.requestWake();
                if (maySleep && !sleep(result)) {
                    return;
                }
                if (reader.isToCancel()) {
                    reader.cancelWake();
                }
                if (maySleep) {
                    // As a port does: what is rung from here on is heard, or is there at the next sleep.
                    reader.onBell();
                    bells.set(0);
                }
                if (reader.hasNext()) {
                    reader.readInto(frame);
                }
            }
        }

        /** {@return whether a bell has ended the sleep} */
        private boolean sleep(I_Result result) {
            for (int tries = 0; tries < TRIES; tries++) {
                boolean isLast = isWritten;
                if (bells.get() > 0) {
                    return true;
                }
                if (isLast) {
                    result.r1 = reader.hasNext() ? 1 : 0;
                    return false;
                }
            }
            return false;
        }
    }
}
