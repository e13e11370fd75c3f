package io.weir.transport.host;

import io.weir.pacer.StampCalibration;
import io.weir.transport.frame.Frame;
import io.weir.transport.wire.SharedHostMac;

/**
 * When frames came to a host, as near to the wire as its port can tell, or whether they may have waited in the rings
 * for as long as its driver paused.
 *
 * <p>Owned by the host's thread; O(1) per call, no allocation.
 */
final class ArrivalTimes {
    /** From which length of a pause on what lay in the rings is stale: the lifetime of a credit. */
    private static final long STALE_NANOS = 1_000_000;

    private final StampCalibration link;
    /** Of frames of other processes of this host; null where it has no memory with any. */
    private final StampCalibration memory;
    /** When the latest frame came, by the port's stamp or the poll's time; written by {@link #onFrame}. */
    private long latestNanos;
    /**
     * Until when frames that come may have waited for a pause; what lay in the rings is taken before, so {@link
     * #onCaughtUp} ends it.
     */
    private long lateUntilNanos = Long.MIN_VALUE;

    ArrivalTimes(HostConfig config) {
        this.link = newStamps(config, config.link());
        this.memory = config.memory() == null ? null : newStamps(config, config.memory());
    }

    private static StampCalibration newStamps(HostConfig config, HostLinkConfig by) {
        return new StampCalibration(by.deviceRateBps(), config.stamping().calibrates());
    }

    /** A frame has come; each is told once, in their order. */
    void onFrame(Frame frame, long nowNanos) {
        StampCalibration stamps = memory != null && SharedHostMac.isFrom(frame) ? memory : link;
        latestNanos = stamps.arrivalNanos(frame.wireBytes(), frame.stampNanos(nowNanos), nowNanos);
    }

    /**
     * Credits found in the rings after a pause may be as old as the pause. A host that keeps up with what comes has
     * emptied its rings after as long again; one that does not may have full rings at any time.
     */
    void onPause(long pauseNanos, long nowNanos) {
        if (pauseNanos >= STALE_NANOS) {
            lateUntilNanos = nowNanos + pauseNanos;
        }
    }

    /** The rings were empty. */
    void onCaughtUp(long nowNanos) {
        lateUntilNanos = nowNanos;
    }

    /** {@return when the frame at hand came} */
    long latestNanos() {
        return latestNanos;
    }

    /** {@return whether what comes now may have waited for as long as the host did not run} */
    boolean isAfterPause(long nowNanos) {
        return nowNanos < lateUntilNanos;
    }
}
