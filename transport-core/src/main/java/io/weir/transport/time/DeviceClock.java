package io.weir.transport.time;

/**
 * A device's clock as the driver's: what stamps of the one are by the other, although neither is set by the other, they
 * drift apart, and each may step.
 *
 * <p>A frame was on the wire before the poll that found it. So the least distance between poll and stamp is the
 * distance between the clocks and the shortest way from wire to poll, which stays. It is the least of the last one to
 * two milliseconds: clocks that differ by 100 ppm come apart by 0.2 us in that time, and a step is forgotten after it.
 *
 * <p>Owned by one thread. O(1), no allocation.
 */
public final class DeviceClock {
    private static final long WINDOW_NANOS = 1_000_000;
    private static final long UNKNOWN = Long.MAX_VALUE;

    private long windowEndNanos;
    private long distanceNanos = UNKNOWN;
    private long formerDistanceNanos = UNKNOWN;

    /** Creates a clock of which nothing is known. */
    public DeviceClock() {}

    /**
     * {@return when a frame came, by the driver's clock: never after the poll}
     *
     * @param deviceNanos the device's stamp
     * @param polledNanos the driver's time of the poll that found the frame
     */
    public long arrivalNanos(long deviceNanos, long polledNanos) {
        if (polledNanos >= windowEndNanos) {
            // After a long silence neither window tells anything of now.
            formerDistanceNanos = polledNanos - windowEndNanos < WINDOW_NANOS ? distanceNanos : UNKNOWN;
            distanceNanos = UNKNOWN;
            windowEndNanos = polledNanos + WINDOW_NANOS;
        }
        distanceNanos = Math.min(distanceNanos, polledNanos - deviceNanos);
        return toDriverNanos(deviceNanos);
    }

    /** {@return whether any stamp has been seen, without which {@link #toDriverNanos} knows nothing} */
    public boolean isKnown() {
        return distanceNanos != UNKNOWN;
    }

    /** {@return what a stamp of the device is by the driver's clock} */
    public long toDriverNanos(long deviceNanos) {
        return deviceNanos + Math.min(distanceNanos, formerDistanceNanos);
    }
}
