package io.weir.cli.perf;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.weir.cli.environment.Fingerprint;
import io.weir.cli.perf.carrier.HostCounts;
import io.weir.cli.perf.carrier.LoopReport;
import io.weir.cli.unit.Rates;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What one end of a test saw, and what it ran on.
 *
 * @param role which end
 * @param linkRateBps the rate of the link, as this end's stack assumes it
 * @param streams each stream
 * @param counts what the host counted during the test
 * @param loop how its loop ran during the test
 * @param cpu what its process took of the cores during the test
 * @param latency how long requests took, or null where none were made
 * @param workload how long messages took, or null where none were sent
 * @param text what it has printed, or null where nobody wanted that
 * @param environment what this end ran on
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SideReport(
        Role role,
        long linkRateBps,
        List<StreamReport> streams,
        HostCounts counts,
        LoopReport loop,
        CpuUse cpu,
        Latency latency,
        WorkloadReport workload,
        String text,
        Fingerprint environment) {
    SideReport {
        streams = List.copyOf(streams);
    }

    /** {@return what scheduled the streams, each protocol once, with this end's parameters of it} */
    String protocols() {
        return streams.stream()
                .filter(stream -> stream.protocol() != null)
                .map(stream -> stream.protocol() + " (" + stream.preset() + ")")
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /** {@return payload bytes of the streams on which this end is the sender, or of the others} */
    long bytes(boolean isSender) {
        return streams.stream()
                .filter(stream -> stream.sender() == isSender)
                .mapToLong(StreamReport::bytes)
                .sum();
    }

    /** {@return the same with those of before the measurement} */
    long allBytes(boolean isSender) {
        return streams.stream()
                .filter(stream -> stream.sender() == isSender)
                .mapToLong(stream -> stream.bytes() + stream.omittedBytes())
                .sum();
    }

    /** {@return how long the stream took that took longest} */
    long nanos() {
        return streams.stream().mapToLong(StreamReport::nanos).max().orElse(0);
    }

    /** {@return the goodput of the same streams: their bytes over the time of the one that took longest} */
    double goodputBps(boolean isSender) {
        long nanos = streams.stream()
                .filter(stream -> stream.sender() == isSender)
                .mapToLong(StreamReport::nanos)
                .max()
                .orElse(0);
        return Rates.bps(bytes(isSender), nanos);
    }
}
