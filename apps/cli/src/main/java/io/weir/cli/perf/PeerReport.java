package io.weir.cli.perf;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.weir.cli.environment.PortFingerprint;
import java.util.List;

/**
 * What an interface reaches with a peer.
 *
 * @param peer the peer's address and port
 * @param port this end's port
 * @param peerPort the peer's
 * @param sizes what came of requests and responses of each size, one at a time
 * @param rates what a stream reaches in each direction, every byte compared with what was sent
 * @param blackHoles how often the path turned out to swallow frames that its interfaces take
 */
public record PeerReport(
        String peer,
        PortFingerprint port,
        PortFingerprint peerPort,
        List<Size> sizes,
        List<Rate> rates,
        long blackHoles) {
    public PeerReport {
        sizes = List.copyOf(sizes);
        rates = List.copyOf(rates);
    }

    /**
     * Requests and responses of one size.
     *
     * @param bytes the payload of each
     * @param answered how many requests were answered
     * @param p50Nanos half took no longer
     * @param p99Nanos 99 in a hundred took no longer
     * @param retransmittedFrames data frames that either end retransmitted
     */
    public record Size(int bytes, long answered, long p50Nanos, long p99Nanos, long retransmittedFrames) {}

    /**
     * A stream.
     *
     * @param direction forward is to the peer
     * @param goodputBps payload bits per second
     * @param rttNanos the round-trip time meanwhile
     * @param retransmittedFrames data frames that were retransmitted
     * @param drops frames that came and were dropped, at both ends
     * @param pauses how often a loop did not run although it should have, at both ends
     * @param problem what went wrong, or null
     */
    public record Rate(
            String direction,
            double goodputBps,
            long rttNanos,
            long retransmittedFrames,
            long drops,
            long pauses,
            String problem) {}

    /** {@return whether requests of every size were answered} */
    @JsonIgnore
    public boolean isEverySizeAnswered() {
        return sizes.stream().allMatch(size -> size.answered() > 0);
    }

    /** {@return whether all bytes came as they were sent} */
    @JsonIgnore
    public boolean isAllRight() {
        return rates.stream().allMatch(rate -> rate.problem() == null);
    }
}
