package io.weir.pacer;

/**
 * Time stamps of frames that pass one end of a link, moved apart by what the link needs for each: a driver takes and
 * gives frames in batches, and reads its clock once for all of them.
 *
 * <p>Of the frames of one batch, each leaves when the former has left, and each came its own transmission time after
 * the former. Another batch has its own time: nothing is carried over, because a lead that a busy link never lets
 * shrink would only grow.
 *
 * <p>Owned by one thread. O(1), no allocation. Source: DX (section III, "Error calibration").
 */
public final class StampCalibration {
    private final long rateBps;
    private final boolean isOn;
    private long handedNanos = Long.MIN_VALUE;
    private long freeNanos;
    private long polledNanos = Long.MIN_VALUE;
    private long formerNanos;

    /**
     * Creates the calibration of one end of a link.
     *
     * @param rateBps the rate of the device, which may be more than what is sent by it
     * @param isOn whether stamps are moved at all
     */
    public StampCalibration(long rateBps, boolean isOn) {
        this.rateBps = RateMath.requireRate("rateBps", rateBps);
        this.isOn = isOn;
    }

    /** {@return when the first bit leaves of the frame that is handed over next, in the batch of {@code nowNanos}} */
    public long departureNanos(long nowNanos) {
        return isOn && nowNanos == handedNanos ? freeNanos : nowNanos;
    }

    /**
     * Notes that a frame has been handed over; {@link #departureNanos} was its stamp.
     *
     * @param frameNanos how long the device needs for it
     */
    public void onDeparture(long frameNanos, long nowNanos) {
        freeNanos = departureNanos(nowNanos) + frameNanos;
        handedNanos = nowNanos;
    }

    /**
     * {@return when the last bit of a frame came}
     *
     * @param stampNanos what the port says: the poll's time, or the device's stamp
     * @param nowNanos the time of the poll that found the frame: frames with the same are one batch, in their order
     */
    public long arrivalNanos(int wireBytes, long stampNanos, long nowNanos) {
        if (!isOn) {
            return stampNanos;
        }
        boolean isFirst = nowNanos != polledNanos;
        polledNanos = nowNanos;
        formerNanos = isFirst
                ? stampNanos
                : Math.max(stampNanos, formerNanos + RateMath.serializationNanosCeil(wireBytes, rateBps));
        return formerNanos;
    }
}
