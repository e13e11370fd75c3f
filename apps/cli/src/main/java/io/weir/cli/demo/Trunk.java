package io.weir.cli.demo;

import io.weir.cli.lab.Laboratory;
import io.weir.cli.scenario.ScenarioFile;
import io.weir.cli.yaml.YamlFile;
import io.weir.cli.yaml.YamlOverride;
import io.weir.pacer.PauseBudget;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.switching.SwitchPort;
import io.weir.transport.telemetry.CounterId;
import java.util.Set;

/**
 * The bottleneck of {@code demo.yaml}: the link between its switches. Data goes to the right host; the port at the
 * right switch meters the credits for it (ExpressPass section 3.1).
 */
final class Trunk {
    private static final String FILE = "demo.yaml";
    private static final String LEFT_HOST = "left";
    private static final String LEFT_SWITCH = "left-switch";
    private static final String RIGHT_SWITCH = "right-switch";
    private static final int LINK = 2;
    /** The file's one flow. */
    static final String FLOW = "flow";
    /** The file's exchange of messages of 64 B. */
    static final String EXCHANGE = "exchange";

    private final SwitchPort toRight;
    private final SwitchPort toLeft;
    private final SwitchPort toSender;

    Trunk(Laboratory lab) {
        toRight = lab.port(LEFT_SWITCH, RIGHT_SWITCH);
        toLeft = lab.port(RIGHT_SWITCH, LEFT_SWITCH);
        toSender = lab.port(LEFT_SWITCH, LEFT_HOST);
    }

    /** {@return how the laboratory of the scenario is to be made} */
    static Laboratory.Options options() {
        return new Laboratory.Options(PauseBudget.DEFAULT, LEFT_SWITCH, RIGHT_SWITCH);
    }

    /** {@return {@code demo.yaml} with what the plan changes} */
    static Scenario scenario(DemoPlan plan) {
        return ScenarioFile.parse(
                        FILE,
                        YamlFile.resource(Trunk.class, FILE),
                        set("--seed", "seed", Long.toString(plan.seed())),
                        set("--host-rate", "network.links[0].rate", plan.hostBps() + "bps"),
                        set("--host-rate", "network.links[1].rate", plan.hostBps() + "bps"),
                        set("--delay", "network.links[0].delay", plan.propagationNanos() + "ns"),
                        set("--delay", "network.links[1].delay", plan.propagationNanos() + "ns"),
                        set("--rate", "network.links[" + LINK + "].rate", plan.bottleneckBps() + "bps"))
                .scenario();
    }

    /** {@return the same for virtual time, with the traffic of these names alone} */
    static Scenario virtual(DemoPlan plan, String... traffic) {
        Scenario scenario = scenario(plan);
        Set<String> names = Set.of(traffic);
        return scenario.withTraffic(scenario.traffic().stream()
                .filter(each -> names.contains(each.id()))
                .toList());
    }

    /** {@return what a result says of the trunk's port towards the right host} */
    static PortResult toRight(ScenarioResult result) {
        return result.ports().stream()
                .filter(port -> port.node().equals(LEFT_SWITCH) && port.port().equals(RIGHT_SWITCH))
                .findFirst()
                .orElseThrow();
    }

    private static YamlOverride set(String option, String key, String value) {
        return YamlOverride.parse(option, key + "=" + value);
    }

    /** {@return how the trunk meters credits} */
    static CreditPortConfig credits(DemoPlan plan) {
        LinkSpec link = scenario(plan).network().links().get(LINK);
        return link.leftPort().credits().toConfig(link.rateBps(), link.mtuBytes());
    }

    /** {@return data frames towards the right host that were dropped at the trunk, or on the way to its switch} */
    long dataDrops() {
        return toRight.counters().get(CounterId.DROP_DATA_QUEUE)
                + toSender.counters().get(CounterId.DROP_INGRESS_QUEUE);
    }

    /** {@return bytes, as they count on the wire, that left by the trunk towards the right host} */
    long wireBytes() {
        return toRight.counters().get(CounterId.WIRE_BYTES_SENT);
    }

    /** {@return credits that came to the trunk's meter} */
    long creditsMetered() {
        return toLeft.counters().get(CounterId.CREDITS_RECEIVED);
    }

    /** {@return credits that the trunk's meter dropped} */
    long creditsDropped() {
        return toLeft.counters().get(CounterId.DROP_CREDIT_QUEUE);
    }
}
