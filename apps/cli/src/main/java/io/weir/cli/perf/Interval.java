package io.weir.cli.perf;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.weir.cli.perf.carrier.HostCounts;
import java.util.List;

/**
 * What one end saw between two moments of a test.
 *
 * @param startNanos since the start of the test
 * @param endNanos since the start of the test
 * @param streams each stream
 * @param sentBytes payload acknowledged to this end
 * @param sentBps the same as a rate
 * @param receivedBytes payload received by this end
 * @param receivedBps the same as a rate
 * @param omitted whether the measurement had not begun
 * @param counts what the host counted meanwhile
 * @param latency how long requests took that were answered meanwhile, or null where none are made
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Interval(
        long startNanos,
        long endNanos,
        List<StreamShare> streams,
        long sentBytes,
        double sentBps,
        long receivedBytes,
        double receivedBps,
        boolean omitted,
        HostCounts counts,
        Latency latency) {
    /**
     * One stream's share of an interval.
     *
     * @param stream which
     * @param sender whether this end sent
     * @param bytes payload bytes
     * @param goodputBps the same as a rate
     * @param rttNanos the smoothed round-trip time, 0 when this end knows none
     * @param rttVariationNanos how much round-trip times differ from it
     * @param windowBytes how much may be in flight, or is where there is no window
     * @param peerWindowBytes how much the peer has room for
     * @param retransmittedFrames data frames or segments that this end retransmitted
     */
    record StreamShare(
            int stream,
            boolean sender,
            long bytes,
            double goodputBps,
            long rttNanos,
            long rttVariationNanos,
            long windowBytes,
            long peerWindowBytes,
            long retransmittedFrames) {}
}
