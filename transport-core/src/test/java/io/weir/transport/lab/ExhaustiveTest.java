package io.weir.transport.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.frame.Frame;
import io.weir.transport.sim.LinkFault;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * One conversation of 61 frames: handshake, data both ways, both ends. Whatever befalls any one of its frames, or any
 * two, it comes to its end with every byte and every frame in its place.
 */
class ExhaustiveTest {
    private static final int FRAMES = 65;
    private static final ScheduledFlow FLOW = new ScheduledFlow(0, 1, 0, 8_600, 24_500, true, 0);
    private static final long[] DELAYS_NANOS = {2_000, 15_000, 60_000, 400_000, 3_000_000, 30_000_000, 300_000_000};

    private static final long FORGOTTEN_NANOS = 100_000_000;

    private final FaultLab lab = new FaultLab();
    private final List<String> failures = new ArrayList<>();

    private void play(Set<Feature> explained, LinkFault fault, Supplier<String> name) {
        String reason = lab.play(Schedule.quiet(explained, FLOW), null, fault);
        if (reason != null) {
            failures.add(name.get() + ": " + reason);
        }
    }

    private void requireNoFailures(int runCount) {
        assertEquals(List.of(), failures.subList(0, Math.min(5, failures.size())), failures.size() + " failures");
        assertEquals(runCount, lab.scheduleCount());
        assertEquals(0, lab.unansweredCount());
    }

    @Test
    void conversation_withoutFaults_hasThatManyFrames() {
        play(EnumSet.noneOf(Feature.class), new NthFrame(-1, (link, frame, at, now) -> frame.release()), () -> "none");
        requireNoFailures(1);
        assertEquals(FRAMES, lab.frameCount());
    }

    @Test
    void drop_anyFrame_isMended() {
        for (int i = 0; i < FRAMES; i++) {
            int index = i;
            play(
                    EnumSet.of(Feature.LOSS),
                    new NthFrame(i, (link, frame, at, now) -> frame.release()),
                    () -> "frame " + index + " dropped");
        }
        requireNoFailures(FRAMES);
    }

    @Test
    void drop_anyTwoFrames_isMended() {
        for (int i = 0; i < FRAMES; i++) {
            for (int j = i + 1; j < FRAMES; j++) {
                int first = i;
                int second = j;
                LinkFault both = new NthFrame(i, (link, frame, at, now) -> frame.release())
                        .and(j, (link, frame, at, now) -> frame.release());
                play(EnumSet.of(Feature.LOSS), both, () -> "frames " + first + " and " + second + " dropped");
            }
        }
        requireNoFailures(FRAMES * (FRAMES - 1) / 2);
    }

    @Test
    void duplicate_anyFrame_changesNothing() {
        for (int i = 0; i < FRAMES; i++) {
            for (long delayNanos : DELAYS_NANOS) {
                int index = i;
                play(
                        explained(Feature.DUPLICATES, delayNanos),
                        new NthFrame(i, (link, frame, at, now) -> {
                            link.deliver(copyOf(frame), at + delayNanos);
                            link.deliver(frame, at);
                        }),
                        () -> "frame " + index + " again after " + delayNanos);
            }
        }
        requireNoFailures(FRAMES * DELAYS_NANOS.length);
    }

    /** An opening that comes when its connection has been forgotten is a new one, like one that is played again. */
    private static Set<Feature> explained(Feature feature, long delayNanos) {
        return delayNanos < FORGOTTEN_NANOS ? EnumSet.of(feature) : EnumSet.of(feature, Feature.REPLAY);
    }

    private static Frame copyOf(Frame frame) {
        Frame copy = frame.pool().allocate();
        copy.setExtent(frame.offset(), frame.length());
        copy.buffer().putBytes(frame.offset(), frame.buffer(), frame.offset(), frame.length());
        return copy;
    }

    @Test
    void delay_anyFrame_isMended() {
        for (int i = 0; i < FRAMES; i++) {
            for (long delayNanos : DELAYS_NANOS) {
                int index = i;
                play(
                        explained(Feature.REORDERING, delayNanos),
                        new NthFrame(i, (link, frame, at, now) -> link.deliver(frame, at + delayNanos)),
                        () -> "frame " + index + " late by " + delayNanos);
            }
        }
        requireNoFailures(FRAMES * DELAYS_NANOS.length);
    }

    /** Each byte of the headers, and some of the payload's: everything that something depends on. */
    @Test
    void corrupt_anyByteOfAnyFrame_isMended() {
        int headerBytes = 100;
        int runCount = 0;
        for (int i = 0; i < FRAMES; i++) {
            for (int at = 0; at < headerBytes; at += 1 + i % 3) {
                runCount++;
                corrupt(i, at);
            }
            runCount++;
            corrupt(i, Integer.MAX_VALUE);
        }
        requireNoFailures(runCount);
    }

    private void corrupt(int index, int byteAt) {
        play(
                EnumSet.of(Feature.CORRUPTION),
                new NthFrame(index, (link, frame, at, now) -> {
                    int position = frame.offset() + Math.min(byteAt, frame.length() - 1);
                    frame.buffer().putByte(position, (byte) (frame.buffer().getByte(position) ^ 0x21));
                    link.deliver(frame, at);
                }),
                () -> "byte " + byteAt + " of frame " + index + " changed");
    }

    /** Something that happens to the frame of one number, counted over both directions, and perhaps to another one. */
    private static final class NthFrame implements LinkFault {
        private final int first;
        private final LinkFault fault;
        private int second = -1;
        private LinkFault secondFault;
        private int nextIndex;

        NthFrame(int index, LinkFault fault) {
            this.first = index;
            this.fault = fault;
        }

        NthFrame and(int index, LinkFault other) {
            second = index;
            secondFault = other;
            return this;
        }

        @Override
        public void onDeparture(Line line, Frame frame, long arrivalNanos, long nowNanos) {
            int index = nextIndex++;
            if (index == first) {
                fault.onDeparture(line, frame, arrivalNanos, nowNanos);
            } else if (index == second) {
                secondFault.onDeparture(line, frame, arrivalNanos, nowNanos);
            } else {
                line.deliver(frame, arrivalNanos);
            }
        }
    }
}
