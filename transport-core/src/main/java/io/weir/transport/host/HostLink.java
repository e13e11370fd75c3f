package io.weir.transport.host;

import io.weir.pacer.LinkDrain;
import io.weir.pacer.StampCalibration;
import io.weir.transport.frame.Frame;

/**
 * The host's own link, as what leaves sees it: when it is free, and what time stamp the next frame bears.
 *
 * <p>A token bucket of a frame at the link's rate ({@link LinkDrain}), which gives at most ten frames a poll. What a late poll
 * could not make up for, the next ones do, as far as the drain's own allowance goes: DX (section III, "Burst reduction") says
 * nothing of a remainder, and to lose it would cost bandwidth after each pause of the driver.
 */
final class HostLink {
    // = dx III  "The upper bound is 10 packets"
    static final int FRAMES_PER_POLL_MAX = 10;

    private final LinkDrain drain;
    private final StampCalibration calibration;
    private final boolean controlsBursts;
    private long pollNanos = -1;
    private int framesInPoll;

    HostLink(HostConfig config) {
        controlsBursts = config.stamping().controlsBursts();
        drain = new LinkDrain(config.linkRateBps(), config.slack());
        calibration =
                new StampCalibration(config.stampRateBps(), config.stamping().calibrates());
    }

    /** {@return whether a frame may be handed over now} */
    boolean isFree(long nowNanos) {
        return !controlsBursts || (drain.isFree(nowNanos) && !isPollSpent(nowNanos));
    }

    private boolean isPollSpent(long nowNanos) {
        return nowNanos == pollNanos && framesInPoll >= FRAMES_PER_POLL_MAX;
    }

    /** {@return when a frame may be handed over that is ready at {@code readyNanos}} */
    long freeNanos(long readyNanos, long nowNanos) {
        if (!controlsBursts) {
            return readyNanos;
        }
        return Math.max(Math.max(readyNanos, drain.readyNanos()), isPollSpent(nowNanos) ? nowNanos + 1 : 0);
    }

    /** {@return the time stamp of the frame that is handed over next} */
    long departureNanos(long nowNanos) {
        return calibration.departureNanos(nowNanos);
    }

    /** Takes a frame, {@link #isFree} having said yes. */
    void start(Frame frame, long nowNanos) {
        framesInPoll = nowNanos == pollNanos ? framesInPoll + 1 : 1;
        pollNanos = nowNanos;
        calibration.onDeparture(frame.wireBytes(), nowNanos);
        drain.start(frame.wireBytes(), frame.readyNanos(), nowNanos);
    }
}
