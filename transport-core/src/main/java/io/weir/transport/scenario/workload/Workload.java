package io.weir.transport.scenario.workload;

import io.weir.pacer.SeededRandom;
import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.Randomness;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.topology.Wiring;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The flows of a scenario, all of them, in the order of its traffic. Each kind of traffic has independent randomness,
 * from the seed and its name: changing one changes nothing about another.
 */
public final class Workload {
    private final Scenario scenario;
    private final Wiring wiring;
    private final List<FlowPlan> flows = new ArrayList<>();
    private final List<Traffic.Exchange> exchanges = new ArrayList<>();
    private final List<MessagePlan> messages = new ArrayList<>();
    private final List<CallPlan> calls = new ArrayList<>();

    /** Expands the traffic of a scenario, or says what is wrong with it. */
    public Workload(Scenario scenario, Wiring wiring) {
        this.scenario = scenario;
        this.wiring = wiring;
        Set<String> ids = new HashSet<>();
        for (Traffic traffic : scenario.traffic()) {
            if (!ids.add(traffic.id())) {
                throw new ConfigException("there are two kinds of traffic called '" + traffic.id() + "'; rename one");
            }
            expand(traffic);
        }
    }

    private void expand(Traffic traffic) {
        SeededRandom random = Randomness.of(scenario.seed(), "traffic", traffic.id());
        if (traffic instanceof Traffic.Flows entry) {
            flows.addAll(new PairedFlows(entry, wiring, random).expand());
        } else if (traffic instanceof Traffic.Poisson entry) {
            flows.addAll(new PoissonArrivals(entry, wiring, random).expand());
        } else if (traffic instanceof Traffic.Shuffle entry) {
            flows.addAll(new ShuffleFlows(entry, wiring, random).expand());
        } else if (traffic instanceof Traffic.Exchange entry) {
            check(entry);
            exchanges.add(entry);
        } else if (traffic instanceof Traffic.Messages entry) {
            messages.add(new MessagePlan(entry, wiring, random));
        } else if (traffic instanceof Traffic.Calls entry) {
            calls.add(new CallPlan(entry, wiring, random));
        }
    }

    private void check(Traffic.Exchange exchange) {
        int client = wiring.host(exchange.client());
        for (String server : exchange.servers()) {
            if (wiring.host(server) == client) {
                throw new ConfigException(
                        "exchange '" + exchange.id() + "': host '" + server + "' would ask itself; remove it");
            }
        }
        if (exchange.servers().isEmpty()
                || exchange.requestBytes() < 1
                || exchange.responseBytes() < 1
                || exchange.rounds() < 1) {
            throw new ConfigException("exchange '" + exchange.id() + "' needs at least one server, and requestBytes="
                    + exchange.requestBytes() + ", responseBytes=" + exchange.responseBytes() + " and rounds="
                    + exchange.rounds() + " of at least 1");
        }
    }

    /** {@return the flows} */
    public List<FlowPlan> flows() {
        return flows;
    }

    /** {@return the messages that come at a rate} */
    public List<MessagePlan> messages() {
        return messages;
    }

    /** {@return the calls of connections that each ask by themselves} */
    public List<CallPlan> calls() {
        return calls;
    }

    /** {@return the exchanges of messages, which make their connections themselves} */
    public List<Traffic.Exchange> exchanges() {
        return exchanges;
    }
}
