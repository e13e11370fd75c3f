package io.weir.cli.scenario;

import io.weir.cli.output.TextTable;
import io.weir.cli.unit.QuantityPrinter;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.cli.yaml.ParameterBlock;
import io.weir.cli.yaml.YamlTree;
import io.weir.transport.scenario.plan.DelayBreakdown;
import io.weir.transport.scenario.plan.PortBound;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The plan for people: ports that are alike in one row, and how to configure one of each kind. */
final class PlanText {
    private final PrintWriter out;

    PlanText(PrintWriter out) {
        this.out = out;
    }

    /** What two ports that are configured alike have in common. */
    private record Kind(long linkRateBps, int mtuBytes, Object credits, DelayBreakdown spread, long dataQueueBytes) {
        static Kind of(PortBound bound) {
            return new Kind(
                    bound.linkRateBps(), bound.mtuBytes(), bound.credits(), bound.spread(), bound.dataQueueBytes());
        }
    }

    void print(List<PortBound> bounds) {
        Map<Kind, List<PortBound>> kinds = new LinkedHashMap<>();
        bounds.forEach(bound ->
                kinds.computeIfAbsent(Kind.of(bound), kind -> new ArrayList<>()).add(bound));
        TextTable table = TextTable.withHeadings(
                "port, alike, link, credits, hosts, paths, equation 1, data queue, credit queue, meter");
        kinds.values().forEach(alike -> row(table, alike.get(0), alike.size()));
        table.print(out);
        out.println();
        out.println(
                "Equation 1 is the sum of the three columns before it. A data queue that long is never full of credited data.");
        for (List<PortBound> alike : kinds.values()) {
            PortBound first = alike.get(0);
            out.println();
            out.println("# " + name(first) + (alike.size() == 1 ? "" : ", and " + (alike.size() - 1) + " more"));
            out.print(element(first));
        }
        out.println();
    }

    private static void row(TextTable table, PortBound bound, int count) {
        boolean isBounded = bound.isBounded();
        table.row(
                name(bound),
                Integer.toString(count),
                Rates.print(bound.linkRateBps()),
                isBounded ? Sizes.print(bound.creditBytes()) : "-",
                isBounded ? Sizes.print(bound.hostBytes()) : "-",
                isBounded ? Sizes.print(bound.pathBytes()) : "-",
                isBounded ? Sizes.print(bound.equationBytes()) : "no bound",
                isBounded ? Sizes.print(bound.dataQueueBytes()) : "no bound",
                Sizes.print(bound.meter().queueBytesMax()),
                Rates.print(bound.meter().rateBps()));
    }

    private static String name(PortBound bound) {
        return bound.node() + " > " + bound.peer();
    }

    /** {@return a file of {@code weir switch}, whose ports are called after the Nodes that they lead to} */
    static String file(List<PortBound> ports) {
        return YamlTree.toYaml(
                Map.of("ports", ports.stream().map(PlanText::port).toList()));
    }

    /** {@return one element of the list of ports} */
    static String element(PortBound port) {
        return YamlTree.toYaml(List.of(port(port)));
    }

    private static Map<String, Object> port(PortBound bound) {
        Map<String, Object> port = new LinkedHashMap<>();
        port.put("interface", bound.peer());
        port.put("rate", QuantityPrinter.rate(bound.linkRateBps()));
        port.put("mtu", bound.mtuBytes());
        if (bound.isBounded()) {
            port.put("dataQueue", QuantityPrinter.size(bound.dataQueueBytes()));
        }
        port.put("credits", ParameterBlock.toDocument(bound.credits()));
        return port;
    }
}
