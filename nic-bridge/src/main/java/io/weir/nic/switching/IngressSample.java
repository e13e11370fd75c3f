package io.weir.nic.switching;

/**
 * What frames that came in by one port met at the queues of another, up to one moment.
 *
 * @param dataQueued frames that the data queue took
 * @param dataDropped frames for which it had no room
 * @param creditsOffered credits that were to pass the meter
 * @param creditsDropped credits that did not
 */
public record IngressSample(long dataQueued, long dataDropped, long creditsOffered, long creditsDropped) {
    /** Nothing. */
    public static final IngressSample ZERO = new IngressSample(0, 0, 0, 0);

    /** {@return how much it grew since an earlier moment} */
    public IngressSample minus(IngressSample before) {
        return new IngressSample(
                dataQueued - before.dataQueued,
                dataDropped - before.dataDropped,
                creditsOffered - before.creditsOffered,
                creditsDropped - before.creditsDropped);
    }

    /** {@return whether nothing came} */
    public boolean isZero() {
        return equals(ZERO);
    }
}
