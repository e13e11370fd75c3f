package io.weir.papers;

import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The links between switches of a result. */
public final class Trunks {
    private Trunks() {}

    /**
     * {@return the utilisation of the least used trunk, each in its busier direction: data goes one way, credits the
     * other}
     */
    public static double leastUtilization(ScenarioResult result) {
        return byTrunk(result).values().stream()
                .mapToDouble(Double::doubleValue)
                .min()
                .orElseThrow();
    }

    private static Map<String, Double> byTrunk(ScenarioResult result) {
        var switches = result.ports().stream().map(PortResult::node).collect(Collectors.toSet());
        Map<String, Double> byTrunk = new TreeMap<>();
        for (PortResult port : result.ports()) {
            if (switches.contains(port.port())) {
                String trunk =
                        port.node().compareTo(port.port()) < 0 ? port.node() + port.port() : port.port() + port.node();
                byTrunk.merge(trunk, port.utilization(), Math::max);
            }
        }
        return byTrunk;
    }
}
