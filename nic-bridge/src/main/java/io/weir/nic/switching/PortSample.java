package io.weir.nic.switching;

import io.weir.transport.telemetry.CounterId;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a port of a switch had counted, and held, at one moment.
 *
 * @param counts what the port counts, every reason
 * @param ingress what came by each port of the switch, in their order
 * @param dataQueueBytes bytes in the data queue, as on the wire
 * @param dataQueueBytesMax the most that there have been
 * @param dataQueueBytesWindowMax the most that there have been since the sample before
 * @param creditQueueFrames credits that wait for the meter
 * @param creditQueueFramesMax the most that have waited
 * @param lostFrames frames that were lost before the switch saw them
 * @param failure why the port can move no more frames, or null while it can
 */
public record PortSample(
        Map<CounterId, Long> counts,
        List<IngressSample> ingress,
        long dataQueueBytes,
        long dataQueueBytesMax,
        long dataQueueBytesWindowMax,
        int creditQueueFrames,
        int creditQueueFramesMax,
        long lostFrames,
        String failure) {
    public PortSample {
        ingress = List.copyOf(ingress);
        counts = Collections.unmodifiableMap(new EnumMap<>(counts));
    }

    /** {@return what came by a port, or nothing if the switch had fewer} */
    public IngressSample ingressOr(int index) {
        return index < ingress.size() ? ingress.get(index) : IngressSample.ZERO;
    }

    /** {@return one count} */
    public long count(CounterId id) {
        return counts.get(id);
    }
}
