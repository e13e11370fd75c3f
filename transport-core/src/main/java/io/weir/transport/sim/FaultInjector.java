package io.weir.transport.sim;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.scenario.Fault;
import io.weir.transport.wire.Payload;
import java.util.ArrayList;
import java.util.List;

/**
 * What goes wrong on one direction of a link: times at which it is cut, and times at which it is bad in some way. What
 * it does to which frame follows from its generator; outside of its times it draws no number and the link is healthy.
 *
 * <p>Set it by {@link SimLink#setFault}. Copies are frames of the pool of what they copy, and are not made when it is
 * empty. O(faults) a frame; nothing is allocated but the memory of a replay.
 */
public final class FaultInjector implements LinkFault {
    private static final int PPM = 1_000_000;
    private static final int CORRUPT_BYTES_MAX = 4;
    private static final int SWAPS_ONE_IN = 4;

    private final SeededRandom random;
    private final boolean areDamagedFramesLost;
    private final List<Outage> outages = new ArrayList<>();
    private final List<BadTime> badTimes = new ArrayList<>();
    private final List<Replay> replays = new ArrayList<>();
    private long framesLost;
    private long framesCopied;
    private long framesDamaged;
    private long framesDelayed;

    /**
     * Creates an injector without faults.
     *
     * @param payload whether checksums protect the frames; where they do not, a damaged frame is lost, as if they had
     *     told
     */
    public FaultInjector(SeededRandom random, Payload payload) {
        this.random = random;
        this.areDamagedFramesLost = payload == Payload.ELIDED;
    }

    /** Makes the direction bad from {@code fromNanos} to {@code untilNanos}. Several bad times may overlap. */
    public FaultInjector impair(long fromNanos, long untilNanos, Fault.Impairment impairment) {
        badTimes.add(new BadTime(fromNanos, untilNanos, impairment));
        return this;
    }

    /**
     * Cuts the direction within {@code fromNanos} to {@code untilNanos}: nothing that leaves then arrives.
     *
     * @param downNanos for how long at a time
     * @param everyNanos from one cut to the next, or 0 for one cut
     */
    public FaultInjector cut(long fromNanos, long untilNanos, long downNanos, long everyNanos) {
        outages.add(new Outage(fromNanos, untilNanos, downNanos, everyNanos));
        return this;
    }

    /**
     * Lets old frames come again from {@code fromNanos} to {@code untilNanos}: copies of some that have passed since
     * {@code fromNanos} are kept.
     *
     * @param ppm in parts per million of the frames, how many bring an old one with them
     */
    public FaultInjector replay(long fromNanos, long untilNanos, int ppm) {
        replays.add(new Replay(fromNanos, untilNanos, ppm, random.split()));
        return this;
    }

    @Override
    public void onDeparture(Line line, Frame frame, long arrivalNanos, long nowNanos) {
        for (int i = 0; i < replays.size(); i++) {
            Frame old = replays.get(i).onFrame(frame, nowNanos);
            if (old != null) {
                framesCopied++;
                line.deliver(old, arrivalNanos);
            }
        }
        if (isLost(frame, nowNanos)) {
            framesLost++;
            frame.release();
            return;
        }
        Frame copy = isDuplicated(nowNanos) ? copyOf(frame) : null;
        if (copy != null) {
            framesCopied++;
            line.deliver(copy, arrivalNanos + delayNanos(nowNanos));
        }
        long delayNanos = delayNanos(nowNanos);
        framesDelayed += delayNanos > 0 ? 1 : 0;
        line.deliver(frame, arrivalNanos + delayNanos);
    }

    /** Damages the frame, if that is its fate and it is not lost. */
    private boolean isLost(Frame frame, long nowNanos) {
        for (int i = 0; i < outages.size(); i++) {
            if (outages.get(i).isDown(nowNanos)) {
                return true;
            }
        }
        for (int i = 0; i < badTimes.size(); i++) {
            BadTime bad = badTimes.get(i);
            if (bad.isAt(nowNanos) && (bad.isLost(random) || isDamagedBeyondUse(frame, bad.impairment()))) {
                return true;
            }
        }
        return false;
    }

    private boolean isDamagedBeyondUse(Frame frame, Fault.Impairment impairment) {
        if (impairment.corruptPpm() == 0 || !random.chancePpm(impairment.corruptPpm())) {
            return false;
        }
        framesDamaged++;
        damage(frame);
        return areDamagedFramesLost;
    }

    private void damage(Frame frame) {
        if (random.nextInt(SWAPS_ONE_IN) == 0) {
            swapWords(frame);
            return;
        }
        for (int i = random.nextIntInclusive(1, CORRUPT_BYTES_MAX); i > 0; i--) {
            int at = frame.offset() + random.nextInt(frame.length());
            int flipped = random.nextIntInclusive(1, 0xFF);
            frame.buffer().putByte(at, (byte) (frame.buffer().getByte(at) ^ flipped));
        }
    }

    /** What the Internet checksum cannot see: two words of 16 bits have changed places. */
    private void swapWords(Frame frame) {
        int wordCount = frame.length() / Short.BYTES;
        int one = frame.offset() + Short.BYTES * random.nextInt(wordCount);
        int other = frame.offset() + Short.BYTES * random.nextInt(wordCount);
        short word = frame.buffer().getShort(one);
        frame.buffer().putShort(one, frame.buffer().getShort(other));
        frame.buffer().putShort(other, word);
    }

    private boolean isDuplicated(long nowNanos) {
        for (int i = 0; i < badTimes.size(); i++) {
            BadTime bad = badTimes.get(i);
            int ppm = bad.impairment().duplicatePpm();
            if (ppm > 0 && bad.isAt(nowNanos) && random.chancePpm(ppm)) {
                return true;
            }
        }
        return false;
    }

    private long delayNanos(long nowNanos) {
        long delayNanos = 0;
        for (int i = 0; i < badTimes.size(); i++) {
            BadTime bad = badTimes.get(i);
            Fault.Impairment impairment = bad.impairment();
            if (!bad.isAt(nowNanos)) {
                continue;
            }
            delayNanos += impairment.delayNanos();
            if (impairment.reorderPpm() > 0 && random.chancePpm(impairment.reorderPpm())) {
                delayNanos += random.nextLong(impairment.reorderNanosMax() + 1);
            }
        }
        return delayNanos;
    }

    private static Frame copyOf(Frame frame) {
        Frame copy = frame.pool().allocate();
        if (copy != null) {
            copy.setExtent(frame.offset(), frame.length());
            copy.setElidedBytes(frame.elidedBytes());
            copy.buffer().putBytes(frame.offset(), frame.buffer(), frame.offset(), frame.length());
        }
        return copy;
    }

    /** {@return frames that vanished} */
    public long framesLost() {
        return framesLost;
    }

    /** {@return frames that were made: duplicates and old ones} */
    public long framesCopied() {
        return framesCopied;
    }

    /** {@return frames of which bytes were changed} */
    public long framesDamaged() {
        return framesDamaged;
    }

    /** {@return frames that were delayed} */
    public long framesDelayed() {
        return framesDelayed;
    }

    /** When the direction is cut. */
    private record Outage(long fromNanos, long untilNanos, long downNanos, long everyNanos) {
        boolean isDown(long nowNanos) {
            if (nowNanos < fromNanos || nowNanos >= untilNanos) {
                return false;
            }
            long sinceNanos = nowNanos - fromNanos;
            return (everyNanos == 0 ? sinceNanos : sinceNanos % everyNanos) < downNanos;
        }
    }

    /** When and how the direction is bad. */
    private static final class BadTime {
        private final long fromNanos;
        private final long untilNanos;
        private final Fault.Impairment impairment;
        private boolean isInBurst;

        BadTime(long fromNanos, long untilNanos, Fault.Impairment impairment) {
            this.fromNanos = fromNanos;
            this.untilNanos = untilNanos;
            this.impairment = impairment;
        }

        Fault.Impairment impairment() {
            return impairment;
        }

        boolean isAt(long nowNanos) {
            return nowNanos >= fromNanos && nowNanos < untilNanos;
        }

        // Gilbert's model: in the bad state every frame is lost.
        boolean isLost(SeededRandom random) {
            int enterPpm = impairment.burstEnterPpm();
            isInBurst = isInBurst || (enterPpm > 0 && random.chancePpm(enterPpm));
            if (isInBurst) {
                int leavePpm = impairment.burstLeavePpm();
                isInBurst = leavePpm < PPM && !random.chancePpm(leavePpm);
                return true;
            }
            return impairment.lossPpm() > 0 && random.chancePpm(impairment.lossPpm());
        }
    }
}
