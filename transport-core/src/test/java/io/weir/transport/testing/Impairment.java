package io.weir.transport.testing;

/**
 * What a bad link does to the frames that cross it, in parts per million, until it heals.
 *
 * @param lossPpm frames that vanish
 * @param duplicatePpm frames that arrive twice
 * @param reorderPpm frames that are held back, each for a time of its own
 * @param corruptPpm frames of which one to four bytes change
 * @param delayNanosMax how long a frame may be held back
 * @param healNanos from when on the link is good
 */
public record Impairment(
        int lossPpm, int duplicatePpm, int reorderPpm, int corruptPpm, long delayNanosMax, long healNanos) {
    /** {@return a link that only loses frames, for ever} */
    public static Impairment loss(int lossPpm) {
        return new Impairment(lossPpm, 0, 0, 0, 0, Long.MAX_VALUE);
    }
}
