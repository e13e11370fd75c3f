package io.weir.transport.protocol;

/**
 * The fate of a flow's credits, as its sender knows it. A credit for several frames counts as that many. It
 * belongs to the thread that owns the flow.
 *
 * <p>Invariant: received = used + wasted + expired + those in hand.
 */
public final class CreditUse {
    private long received;
    private long used;
    private long wasted;
    private long expired;

    /** Counts a credit that came. */
    public void onReceived() {
        received++;
    }

    /** Counts a credit that sent data. */
    public void onUsed() {
        used++;
    }

    /** Counts a credit that found nothing to send. */
    public void onWasted() {
        wasted++;
    }

    /** Counts a credit that was too old when its turn came. */
    public void onExpired() {
        expired++;
    }

    /** {@return credits that came} */
    public long received() {
        return received;
    }

    /** {@return credits that sent data} */
    public long used() {
        return used;
    }

    /** {@return credits that found nothing to send} */
    public long wasted() {
        return wasted;
    }

    /** {@return credits that were too old when their turn came} */
    public long expired() {
        return expired;
    }
}
