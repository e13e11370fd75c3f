package io.weir.transport.protocol;

/**
 * The fate of a flow's credits, as its receiver knows it. A credit for several frames counts as that many. It
 * belongs to the thread that owns the flow.
 *
 * <p>Invariant: sent = used + lost + wasted + expired + outstanding.
 */
public final class CreditLedger {
    // Credits, one for each frame that they grant. The flow's receiver raises one with each event; only onRevived
    // lowers any, to move a credit from a verdict to used. None is negative.
    private long sent;
    private long used;
    private long lost;
    private long wasted;
    private long expired;

    /** Counts credits made: one for each frame that may be sent. */
    public void onSent(int count) {
        sent += count;
    }

    /** Counts a credit whose data came. */
    public void onUsed() {
        used++;
    }

    /** Counts credits as lost in the network. */
    public void onLost(long count) {
        lost += count;
    }

    /** Counts credits that found nothing to send. */
    public void onWasted(long count) {
        wasted += count;
    }

    /** Counts credits given up: no echo came. */
    public void onExpired(long count) {
        expired += count;
    }

    /** Takes back a verdict: data came after all for a credit that had been given up. */
    public void onRevived() {
        used++;
        if (lost > 0) {
            lost--;
        } else if (expired > 0) {
            expired--;
        } else {
            wasted--;
        }
    }

    /** {@return credits made} */
    public long sent() {
        return sent;
    }

    /** {@return credits whose data came} */
    public long used() {
        return used;
    }

    /** {@return credits lost in the network} */
    public long lost() {
        return lost;
    }

    /** {@return credits that found nothing to send} */
    public long wasted() {
        return wasted;
    }

    /** {@return credits given up} */
    public long expired() {
        return expired;
    }

    /** {@return credits of which nothing is known yet} */
    public long outstanding() {
        return sent - used - lost - wasted - expired;
    }

    @Override
    public String toString() {
        return "sent=" + sent + " used=" + used + " lost=" + lost + " wasted=" + wasted + " expired=" + expired;
    }
}
