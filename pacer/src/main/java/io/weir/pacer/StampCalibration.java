package io.weir.pacer;

/**
 * Time stamps of frames that pass one end of a link, moved apart by what the link needs for each: a driver takes and gives
 * frames in batches, and reads its clock once for all of them.
 *
 * <p>Departures: a frame leaves no earlier than the one before has left, whatever batches they belong to, because the frames
 * of a batch queue up before the wire. Arrivals: of frames that one poll found, each came at least its own transmission time
 * after the former; what another poll found has a stamp of its own.
 *
 * <p>Owned by one thread. O(1), no allocation. Source: DX (section III, "Error calibration").
 */
public final class StampCalibration {
    private final long rateBps;
    private final boolean isOn;
    private final LinkDrain wire;
    private long batchNanos = Long.MIN_VALUE;
    private long formerNanos;

    /**
     * Creates the calibration of one end of a link.
     *
     * @param rateBps the link's rate
     * @param isOn whether stamps are moved at all
     */
    public StampCalibration(long rateBps, boolean isOn) {
        this.rateBps = rateBps;
        this.isOn = isOn;
        this.wire = new LinkDrain(rateBps, Slack.NONE);
    }

    /** {@return when the first bit leaves of the frame that is handed over next, at {@code handedNanos}} */
    public long departureNanos(long handedNanos) {
        return isOn ? Math.max(handedNanos, wire.freeNanos()) : handedNanos;
    }

    /** Notes that a frame has been handed over; {@link #departureNanos} was its stamp. */
    public void onDeparture(int wireBytes, long handedNanos) {
        wire.start(wireBytes, handedNanos, handedNanos);
    }

    /**
     * {@return when the last bit of a frame came}
     *
     * @param stampNanos what the port says: the poll's time, or the device's stamp
     * @param polledNanos the time of the poll that found the frame: frames with the same are one batch, in their order
     */
    public long arrivalNanos(int wireBytes, long stampNanos, long polledNanos) {
        if (!isOn) {
            return stampNanos;
        }
        boolean isFirst = polledNanos != batchNanos;
        batchNanos = polledNanos;
        formerNanos = isFirst
                ? stampNanos
                : Math.max(stampNanos, formerNanos + RateMath.serializationNanosCeil(wireBytes, rateBps));
        return formerNanos;
    }
}
