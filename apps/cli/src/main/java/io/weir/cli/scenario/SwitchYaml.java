package io.weir.cli.scenario;

import io.weir.cli.unit.ExactQuantity;
import io.weir.cli.yaml.ParameterBlock;
import io.weir.transport.scenario.plan.PortBound;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/** Ports as the file of {@code weir switch} has them. The interfaces are called after the Nodes that they lead to. */
final class SwitchYaml {
    private SwitchYaml() {}

    /** {@return a whole file: the ports of one switch} */
    static String file(List<PortBound> ports) {
        return dump(Map.of("ports", ports.stream().map(SwitchYaml::port).toList()));
    }

    /** {@return one element of the list of ports} */
    static String element(PortBound port) {
        return dump(List.of(port(port)));
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

    private static String dump(Object document) {
        DumpSettings settings = DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setIndicatorIndent(2)
                .setIndentWithIndicator(true)
                .build();
        return new Dump(settings).dumpToString(document);
    }
}
