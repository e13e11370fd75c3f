package io.weir.cli.perf.carrier;

import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;

/**
 * What a host counted over some time, all its connections together.
 *
 * @param retransmittedBytes payload bytes retransmitted
 * @param retransmittedFrames the data frames or segments that had them
 * @param retransmissionTimeouts how often a time-out was why
 * @param credits what happened to credits
 * @param drops frames received and dropped, whatever the reason
 * @param pauses how often the loop did not run although it should have
 */
public record HostCounts(
        long retransmittedBytes,
        long retransmittedFrames,
        long retransmissionTimeouts,
        Credits credits,
        long drops,
        long pauses) {
    /**
     * Credits, as a host counts them.
     *
     * @param sent made for the peers' data
     * @param received for data of this host
     * @param used that sent a frame
     * @param wasted that found nothing to send
     * @param expired that came too late
     */
    public record Credits(long sent, long received, long used, long wasted, long expired) {
        private Credits minus(Credits earlier) {
            return new Credits(
                    sent - earlier.sent,
                    received - earlier.received,
                    used - earlier.used,
                    wasted - earlier.wasted,
                    expired - earlier.expired);
        }
    }

    static HostCounts of(Counters counters) {
        return new HostCounts(
                counters.get(CounterId.BYTES_RETRANSMITTED),
                counters.get(CounterId.FRAMES_RETRANSMITTED),
                counters.get(CounterId.RETRANSMISSION_TIMEOUTS),
                new Credits(
                        counters.get(CounterId.CREDITS_SENT),
                        counters.get(CounterId.CREDITS_RECEIVED),
                        counters.get(CounterId.CREDITS_USED),
                        counters.get(CounterId.CREDITS_WASTED),
                        counters.get(CounterId.CREDITS_EXPIRED)),
                counters.drops(),
                counters.get(CounterId.PAUSES));
    }

    /** {@return what was counted since {@code earlier}} */
    public HostCounts minus(HostCounts earlier) {
        return new HostCounts(
                retransmittedBytes - earlier.retransmittedBytes,
                retransmittedFrames - earlier.retransmittedFrames,
                retransmissionTimeouts - earlier.retransmissionTimeouts,
                credits.minus(earlier.credits),
                drops - earlier.drops,
                pauses - earlier.pauses);
    }
}
