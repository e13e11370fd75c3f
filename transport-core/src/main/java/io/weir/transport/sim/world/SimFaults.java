package io.weir.transport.sim.world;

import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.Fault;
import io.weir.transport.scenario.Randomness;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.sim.FaultInjector;
import io.weir.transport.sim.FaultyHost;
import io.weir.transport.sim.SimLink;
import io.weir.transport.sim.SimNode;
import io.weir.transport.sim.Simulator;
import io.weir.transport.wire.Payload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes a scenario's faults happen in virtual time. Links and hosts without faults pay nothing for the possibility. */
final class SimFaults {
    private final Scenario scenario;
    private final Wiring wiring;
    private final List<SimNode> nodes;
    private final Map<String, FaultyHost> faultyHosts;
    private final Map<SimLink, FaultInjector> injectors = new LinkedHashMap<>();

    /** Looks at the faults of a scenario whose Nodes, numbered as in {@code wiring}, stand. */
    SimFaults(Scenario scenario, Wiring wiring, List<SimNode> nodes, Map<String, FaultyHost> faultyHosts) {
        this.scenario = scenario;
        this.wiring = wiring;
        this.nodes = nodes;
        this.faultyHosts = faultyHosts;
    }

    /** {@return whether a host pauses at times, so that something must stand between it and its driver} */
    static boolean pauses(Scenario scenario, String host) {
        return scenario.faults().stream()
                .anyMatch(fault ->
                        fault instanceof Fault.HostPause pause && pause.host().equals(host));
    }

    /** Schedules and sets everything that goes wrong. */
    void install(Simulator simulator) {
        for (Fault fault : scenario.faults()) {
            if (fault.fromNanos() < 0 || fault.untilNanos() <= fault.fromNanos()) {
                throw new ConfigException(fault + " ends before it begins; set fromNanos below untilNanos");
            }
            if (fault instanceof Fault.BadLink bad) {
                directions(bad.left(), bad.right(), bad.direction())
                        .forEach(link -> link.impair(bad.fromNanos(), bad.untilNanos(), bad.impairment()));
            } else if (fault instanceof Fault.LinkDown down) {
                directions(down.left(), down.right(), down.direction())
                        .forEach(link ->
                                link.cut(down.fromNanos(), down.untilNanos(), down.downNanos(), down.everyNanos()));
            } else if (fault instanceof Fault.HostPause pause) {
                SimNode node = nodes.get(wiring.host(pause.host()));
                faultyHosts.get(pause.host()).pause(simulator, node, pause);
            }
        }
    }

    /** {@return what goes wrong on the links between two Nodes, of which there may be several} */
    private List<FaultInjector> directions(String left, String right, Fault.Direction direction) {
        List<FaultInjector> found = new ArrayList<>();
        wiring.forEachPort(left, right, direction, (node, port) -> {
            SimLink link = nodes.get(node).link(port);
            String name = wiring.name(node) + ":" + port;
            found.add(injectors.computeIfAbsent(link, key -> newInjector(key, name)));
        });
        return found;
    }

    private FaultInjector newInjector(SimLink link, String name) {
        FaultInjector injector = new FaultInjector(Randomness.of(scenario.seed(), "fault", name), Payload.ELIDED);
        link.setFault(injector);
        return injector;
    }
}
