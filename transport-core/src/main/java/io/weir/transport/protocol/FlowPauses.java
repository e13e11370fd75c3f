package io.weir.transport.protocol;

/**
 * The pauses at both ends of a connection, as its two flows at this host see them. Owned by the host's thread; O(1), no
 * allocation.
 */
public final class FlowPauses {
    private final HostPauses host;
    /**
     * How long the peer has said that its pauses are, in nanoseconds; written by {@link #onPeer}, at most the host's
     * limit.
     */
    private long peerNanos;

    /** Creates the view of a connection whose peer has announced nothing. */
    public FlowPauses(HostPauses host) {
        this.host = host;
    }

    /** The peer has announced its pauses. What it can gain by exaggeration ends at the host's own limit. */
    public void onPeer(long announcedNanos) {
        peerNanos = Math.min(announcedNanos, host.budget().peerNanosMax());
    }

    /** {@return how long the peer's pauses are} */
    public long peerNanos() {
        return peerNanos;
    }

    /** {@return the pauses of this host} */
    public HostPauses host() {
        return host;
    }
}
