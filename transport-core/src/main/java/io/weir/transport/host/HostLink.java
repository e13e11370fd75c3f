package io.weir.transport.host;

import io.weir.pacer.LinkDrain;
import io.weir.pacer.RateMath;
import io.weir.pacer.StampCalibration;
import io.weir.transport.frame.Frame;

/**
 * The host's own link, as what leaves sees it: when it is free, and what time stamp the next frame bears.
 *
 * <p>A token bucket of a frame at the link's rate ({@link LinkDrain}), which gives at most ten frames a poll. What a
 * late poll could not make up for, the next ones do, as far as the drain's own allowance goes: DX (section III, "Burst
 * reduction") says nothing of a remainder, and to lose it would cost bandwidth after each pause of the driver.
 */
final class HostLink {
    // = dx section III: "The upper bound is 10 packets"
    static final int FRAMES_PER_POLL_MAX = 10;

    private final LinkDrain drain;
    private final StampCalibration calibration;
    private final Handovers handovers = new Handovers();
    private final boolean controlsBursts;
    /**
     * The longest that the device is taken to need for what it was given before: a late poll's share, and a poll's
     * frames.
     */
    private final long leadNanosMax;

    private final long deviceRateBps;
    /** The time of the latest poll that took a frame. */
    private long pollNanos = -1;
    /** Frames that the latest poll has taken. */
    private int framesInPoll;
    /** When the device has sent all that it was given, if it sends at its rate. */
    private long deviceFreeNanos;
    /** How long, when the latest poll began, the device may still have been busy with frames of the polls before. */
    private long leadNanos;

    HostLink(HostConfig config, HostLinkConfig link) {
        controlsBursts = config.stamping().controlsBursts();
        drain = new LinkDrain(link.rateBps(), config.slack());
        deviceRateBps = link.deviceRateBps();
        calibration = new StampCalibration(deviceRateBps, config.stamping().calibrates());
        leadNanosMax = config.slack().catchUpNanos()
                + RateMath.serializationNanosCeil((long) FRAMES_PER_POLL_MAX * link.dataWireBytesMax(), deviceRateBps);
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

    /** Lets frames leave at another rate than the configuration's from now on. */
    void setRateBps(long rateBps) {
        drain.setRateBps(rateBps);
    }

    /** Lets bytes leave beyond the rate, because of a pause of the driver. */
    void makeUp(long bytes, long bytesMax) {
        drain.makeUp(bytes, bytesMax);
    }

    /** The driver has handed over what the latest poll took. */
    void onFlushed(long nowNanos) {
        handovers.add(pollNanos, nowNanos - pollNanos + leadNanos);
    }

    /**
     * {@return how much later than its stamp {@code t1} a frame may have left, because its driver or device took so
     * long}
     */
    long slackNanos(int t1) {
        return handovers.slackNanos(t1);
    }

    /** {@return bytes of frames taken that have not left by {@code nowNanos}} */
    long bytesLeft(long nowNanos) {
        return drain.bytesLeft(nowNanos);
    }

    /** Takes a frame, {@link #isFree} having said yes. */
    void start(Frame frame, long nowNanos) {
        if (nowNanos != pollNanos) {
            framesInPoll = 0;
            leadNanos = Math.max(0, Math.min(deviceFreeNanos - nowNanos, leadNanosMax));
        }
        framesInPoll++;
        pollNanos = nowNanos;
        long frameNanos = RateMath.serializationNanosCeil(frame.wireBytes(), deviceRateBps);
        deviceFreeNanos = Math.max(deviceFreeNanos, nowNanos) + frameNanos;
        calibration.onDeparture(frameNanos, nowNanos);
        drain.start(frame.wireBytes(), frame.readyNanos(), nowNanos);
    }
}
