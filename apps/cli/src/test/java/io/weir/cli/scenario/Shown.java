package io.weir.cli.scenario;

import io.weir.transport.protocol.PartSettings;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.Fault;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What a scenario shows of all that a scenario can say, so that nothing is left without an example. */
final class Shown {
    private Shown() {}

    /** {@return all that must be shown} */
    static Set<String> everything() {
        Set<String> things = new TreeSet<>(List.of(
                "network",
                "criteria",
                "series",
                "series per flow",
                "series per port",
                "warm-up",
                "ends when done",
                "constant processing",
                "distributed processing",
                "unequal rates",
                "paper meter",
                "ECN step",
                "ECN ramp",
                "ECN on departure",
                "host queue",
                "sized flows",
                "unlimited flows",
                "on and off",
                "staggered starts",
                "random starts",
                "stops",
                "incast",
                "loss",
                "burst",
                "duplicate",
                "reorder",
                "corrupt",
                "delay",
                "flapping"));
        Catalogue.portParts().forEach(part -> things.add("port " + part));
        for (Shape shape : Shape.values()) {
            things.add(shape.keyword());
        }
        for (TrafficBlock.Kind kind : TrafficBlock.Kind.values()) {
            things.add(kind.keyword());
        }
        for (FaultBlock.Kind kind : FaultBlock.Kind.values()) {
            things.add(kind.keyword());
        }
        for (Traffic.Pairing pairing : Traffic.Pairing.values()) {
            things.add("pairing " + pairing);
        }
        for (Network.Multipath multipath : Network.Multipath.values()) {
            things.add("multipath " + multipath);
        }
        for (ExpressPass.Rule rule : ExpressPass.Rule.values()) {
            things.add("feedback " + rule);
        }
        return things;
    }

    /** Adds what the plan shows. */
    static void in(ScenarioPlan plan, Set<String> shown) {
        Scenario scenario = plan.scenario();
        add(shown, !plan.criteria().isEmpty(), "criteria");
        add(shown, scenario.endsWhenDone(), "ends when done");
        add(shown, scenario.measurement().intervalNanos() > 0, "series");
        add(shown, scenario.measurement().perFlow(), "series per flow");
        add(shown, scenario.measurement().perPort(), "series per port");
        add(shown, scenario.measurement().warmUpNanos() > 0, "warm-up");
        add(shown, plan.yaml().contains("\nnetwork:"), "network");
        for (Shape shape : Shape.values()) {
            add(shown, plan.yaml().contains("kind: " + shape.keyword()), shape.keyword());
        }
        network(scenario.network(), shown);
        scenario.traffic().forEach(traffic -> traffic(traffic, shown));
        scenario.faults().forEach(fault -> fault(fault, shown));
    }

    private static void add(Set<String> shown, boolean isShown, String thing) {
        if (isShown) {
            shown.add(thing);
        }
    }

    private static void network(Network network, Set<String> shown) {
        shown.add("multipath " + network.multipath());
        network.hosts().forEach(host -> {
            boolean isConstant = host.delay().isConstant();
            add(shown, isConstant && host.delay().points().get(0).nanos() > 0, "constant processing");
            add(shown, !isConstant, "distributed processing");
            add(shown, host.queueFramesMax() > 0, "host queue");
        });
        add(
                shown,
                network.links().stream().mapToLong(LinkSpec::rateBps).distinct().count() > 1,
                "unequal rates");
        for (LinkSpec link : network.links()) {
            for (PortSpec port : List.of(link.leftPort(), link.rightPort())) {
                add(shown, port.credits().model() == CreditModel.PAPER, "paper meter");
                boolean isMarking = port.ecn() != null;
                add(shown, isMarking && port.ecn().minBytes() == port.ecn().maxBytes(), "ECN step");
                add(shown, isMarking && port.ecn().isOnDeparture(), "ECN on departure");
                add(shown, isMarking && port.ecn().minBytes() < port.ecn().maxBytes(), "ECN ramp");
                port.policies().forEach(policy -> shown.add("port " + ((PartSettings) policy).part()));
            }
        }
    }

    private static void traffic(Traffic traffic, Set<String> shown) {
        if (traffic.protocol() instanceof Settings protocol && protocol.kind() == ExpressPass.KIND) {
            shown.add("feedback " + protocol.get(ExpressPass.FEEDBACK));
        }
        if (traffic instanceof Traffic.Flows flows) {
            shown.add("flows");
            shown.add("pairing " + flows.pairing());
            add(shown, flows.bytes() != Traffic.UNLIMITED_BYTES, "sized flows");
            add(shown, flows.bytes() == Traffic.UNLIMITED_BYTES, "unlimited flows");
            add(shown, flows.offNanos() > 0, "on and off");
            add(shown, flows.start().everyNanos() > 0, "staggered starts");
            add(shown, flows.start().spreadNanos() > 0, "random starts");
            add(shown, !flows.stop().equals(Traffic.Times.NEVER), "stops");
        } else if (traffic instanceof Traffic.Poisson) {
            shown.add("poisson");
        } else if (traffic instanceof Traffic.Shuffle) {
            shown.add("shuffle");
        } else if (traffic instanceof Traffic.Exchange exchange) {
            shown.add("exchange");
            add(shown, exchange.servers().size() > 8, "incast");
        } else if (traffic instanceof Traffic.Messages) {
            shown.add("messages");
        } else if (traffic instanceof Traffic.Calls) {
            shown.add("calls");
        }
    }

    private static void fault(Fault fault, Set<String> shown) {
        if (fault instanceof Fault.BadLink link) {
            shown.add("bad-link");
            add(shown, link.impairment().lossPpm() > 0, "loss");
            add(shown, link.impairment().burstEnterPpm() > 0, "burst");
            add(shown, link.impairment().duplicatePpm() > 0, "duplicate");
            add(shown, link.impairment().reorderPpm() > 0, "reorder");
            add(shown, link.impairment().corruptPpm() > 0, "corrupt");
            add(shown, link.impairment().delayNanos() > 0, "delay");
        } else if (fault instanceof Fault.LinkDown down) {
            shown.add("link-down");
            add(shown, down.everyNanos() > 0, "flapping");
        } else {
            shown.add("pause");
        }
    }
}
