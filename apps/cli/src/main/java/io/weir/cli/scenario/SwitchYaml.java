package io.weir.cli.scenario;

import io.weir.cli.unit.ExactQuantity;
import io.weir.cli.yaml.ParameterBlock;
import io.weir.cli.yaml.YamlTree;
import io.weir.transport.scenario.plan.PortBound;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Ports as the file of {@code weir switch} has them. The interfaces are called after the Nodes that they lead to. */
final class SwitchYaml {
    private SwitchYaml() {}

    /** {@return a whole file: the ports of one switch} */
    static String file(List<PortBound> ports) {
        return YamlTree.toYaml(
                Map.of("ports", ports.stream().map(SwitchYaml::port).toList()));
    }

    /** {@return one element of the list of ports} */
    static String element(PortBound port) {
        return YamlTree.toYaml(List.of(port(port)));
    }

    private static Map<String, Object> port(PortBound bound) {
        Map<String, Object> port = new LinkedHashMap<>();
        port.put("interface", bound.peer());
        port.put("rate", ExactQuantity.rate(bound.linkRateBps()));
        port.put("mtu", bound.mtuBytes());
        if (bound.isBounded()) {
            port.put("dataQueue", ExactQuantity.size(bound.dataQueueBytes()));
        }
        port.put("credits", ParameterBlock.toDocument(bound.credits()));
        return port;
    }
}
