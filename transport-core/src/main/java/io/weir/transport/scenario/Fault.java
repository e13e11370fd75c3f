package io.weir.transport.scenario;

import io.weir.transport.node.ConfigException;

/** Something that goes wrong in a network, by time or by chance. */
public sealed interface Fault permits Fault.BadLink, Fault.LinkDown, Fault.HostPause {
    /** {@return when it begins} */
    long fromNanos();

    /** {@return when it is over} */
    long untilNanos();

    /** Which direction of a link suffers. */
    enum Direction {
        /** Both. */
        BOTH,
        /** From the link's left Node to its right one. */
        LEFT_TO_RIGHT,
        /** From the link's right Node to its left one. */
        RIGHT_TO_LEFT
    }

    /**
     * A link that loses, repeats, delays, reorders or damages frames.
     *
     * @param left the link's left Node
     * @param right its right one
     * @param impairment what happens to its frames
     */
    record BadLink(
            String left, String right, Direction direction, long fromNanos, long untilNanos, Impairment impairment)
            implements Fault {}

    /**
     * A link that carries nothing; with {@code everyNanos} again and again: it flaps.
     *
     * @param downNanos for how long it is down at a time
     * @param everyNanos from one time to the next, or 0 for once
     */
    record LinkDown(
            String left,
            String right,
            Direction direction,
            long fromNanos,
            long untilNanos,
            long downNanos,
            long everyNanos)
            implements Fault {
        /** {@return a link that is down once, in both directions, for so long from the beginning} */
        public static LinkDown of(String left, String right, long downNanos) {
            return new LinkDown(left, right, Direction.BOTH, 0, Long.MAX_VALUE, downNanos, 0);
        }

        /** {@return the same in another direction} */
        public LinkDown withDirection(Direction newDirection) {
            return new LinkDown(left, right, newDirection, fromNanos, untilNanos, downNanos, everyNanos);
        }

        /** {@return the same at another time} */
        public LinkDown withTime(long newFromNanos, long newUntilNanos) {
            return new LinkDown(left, right, direction, newFromNanos, newUntilNanos, downNanos, everyNanos);
        }

        /** {@return the same once in each of these intervals, or once for 0} */
        public LinkDown withEveryNanos(long newEveryNanos) {
            return new LinkDown(left, right, direction, fromNanos, untilNanos, downNanos, newEveryNanos);
        }
    }

    /**
     * A host that does nothing for a while: its loop lost the core.
     *
     * @param pauseNanos for how long at a time
     * @param everyNanos from one time to the next, or 0 for once
     */
    record HostPause(String host, long fromNanos, long untilNanos, long pauseNanos, long everyNanos) implements Fault {
        /** {@return a host that pauses once, for so long from the beginning} */
        public static HostPause of(String host, long pauseNanos) {
            return new HostPause(host, 0, Long.MAX_VALUE, pauseNanos, 0);
        }

        /** {@return the same at another time} */
        public HostPause withTime(long newFromNanos, long newUntilNanos) {
            return new HostPause(host, newFromNanos, newUntilNanos, pauseNanos, everyNanos);
        }

        /** {@return the same once in each of these intervals, or once for 0} */
        public HostPause withEveryNanos(long newEveryNanos) {
            return new HostPause(host, fromNanos, untilNanos, pauseNanos, newEveryNanos);
        }
    }

    /**
     * What happens to the frames of a bad link, by chance, in parts per million of the frames.
     *
     * @param lossPpm frames that vanish, each by itself
     * @param burstEnterPpm frames with which a burst of loss begins (Gilbert's model); all frames of a burst vanish ...
     * @param burstLeavePpm ... and with so many of them it ends
     * @param duplicatePpm frames that arrive twice
     * @param reorderPpm frames that are held back, each for its own time up to {@code reorderNanosMax}
     * @param reorderNanosMax how long
     * @param corruptPpm frames of which one to four bytes change
     * @param delayNanos what is added to the propagation delay of every frame
     */
    record Impairment(
            int lossPpm,
            int burstEnterPpm,
            int burstLeavePpm,
            int duplicatePpm,
            int reorderPpm,
            long reorderNanosMax,
            int corruptPpm,
            long delayNanos) {
        /** Nothing happens. */
        public static final Impairment NONE = new Impairment(0, 0, 1_000_000, 0, 0, 0, 0, 0);

        public Impairment {
            require("lossPpm", lossPpm);
            require("burstEnterPpm", burstEnterPpm);
            require("burstLeavePpm", burstLeavePpm);
            require("duplicatePpm", duplicatePpm);
            require("reorderPpm", reorderPpm);
            require("corruptPpm", corruptPpm);
            if (reorderNanosMax < 0 || delayNanos < 0 || (burstEnterPpm > 0 && burstLeavePpm == 0)) {
                throw new ConfigException("delays must not be negative, and a burst must end: reorderNanosMax="
                        + reorderNanosMax + ", delayNanos=" + delayNanos + ", burstLeavePpm=" + burstLeavePpm);
            }
        }

        /** {@return the same with other losses, each by itself, in parts per million} */
        public Impairment withLoss(int ppm) {
            return new Impairment(
                    ppm,
                    burstEnterPpm,
                    burstLeavePpm,
                    duplicatePpm,
                    reorderPpm,
                    reorderNanosMax,
                    corruptPpm,
                    delayNanos);
        }

        /** {@return the same with bursts of loss that begin and end with these chances, in parts per million} */
        public Impairment withBursts(int enterPpm, int leavePpm) {
            return new Impairment(
                    lossPpm, enterPpm, leavePpm, duplicatePpm, reorderPpm, reorderNanosMax, corruptPpm, delayNanos);
        }

        /** {@return the same with so many frames twice, in parts per million} */
        public Impairment withDuplicates(int ppm) {
            return new Impairment(
                    lossPpm, burstEnterPpm, burstLeavePpm, ppm, reorderPpm, reorderNanosMax, corruptPpm, delayNanos);
        }

        /** {@return the same with so many frames held back, in parts per million, for up to {@code nanosMax}} */
        public Impairment withReordering(int ppm, long nanosMax) {
            return new Impairment(
                    lossPpm, burstEnterPpm, burstLeavePpm, duplicatePpm, ppm, nanosMax, corruptPpm, delayNanos);
        }

        /** {@return the same with so many damaged frames, in parts per million} */
        public Impairment withCorruption(int ppm) {
            return new Impairment(
                    lossPpm, burstEnterPpm, burstLeavePpm, duplicatePpm, reorderPpm, reorderNanosMax, ppm, delayNanos);
        }

        /** {@return the same with another delay of every frame} */
        public Impairment withDelayNanos(long newDelayNanos) {
            return new Impairment(
                    lossPpm,
                    burstEnterPpm,
                    burstLeavePpm,
                    duplicatePpm,
                    reorderPpm,
                    reorderNanosMax,
                    corruptPpm,
                    newDelayNanos);
        }

        private static void require(String name, int ppm) {
            if (ppm < 0 || ppm > 1_000_000) {
                throw new ConfigException(name + "=" + ppm + " is outside 0..1000000");
            }
        }
    }
}
