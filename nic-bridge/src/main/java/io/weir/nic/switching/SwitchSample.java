package io.weir.nic.switching;

import io.weir.transport.telemetry.CounterId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a switch had counted, and held, at one moment of its loop.
 *
 * @param nowNanos the loop's time
 * @param ports its ports, in order
 * @param counts what the switch counts beyond its ports
 * @param stallNanos how long its thread had been off its core
 * @param stallCount how often
 */
public record SwitchSample(
        long nowNanos, List<PortSample> ports, Map<CounterId, Long> counts, long stallNanos, long stallCount) {
    public SwitchSample {
        ports = List.copyOf(ports);
        counts = Collections.unmodifiableMap(new EnumMap<>(counts));
    }

    /** {@return the same with these ports after its own} */
    public SwitchSample withPorts(List<PortSample> more) {
        List<PortSample> all = new ArrayList<>(ports);
        all.addAll(more);
        return new SwitchSample(nowNanos, all, counts, stallNanos, stallCount);
    }

    /** {@return what a switch of so many ports has counted before it runs} */
    public static SwitchSample zero(int portCount) {
        Map<CounterId, Long> none = new EnumMap<>(CounterId.class);
        for (CounterId id : CounterId.values()) {
            none.put(id, 0L);
        }
        PortSample port = new PortSample(none, List.of(), 0, 0, 0, 0, 0, 0, null);
        return new SwitchSample(0, Collections.nCopies(portCount, port), none, 0, 0);
    }
}
