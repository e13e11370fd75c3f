package io.weir.cli.lab;

import io.weir.transport.host.HostStack;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.scenario.Fault;
import io.weir.transport.scenario.Randomness;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.run.World;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.sim.FaultInjector;
import io.weir.transport.sim.FaultyHost;
import io.weir.transport.sim.FaultyPort;
import io.weir.transport.wire.Payload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes a scenario's faults happen on real ports: the same injectors, from the same seeds, as in virtual time. */
final class LabFaults {
    private final Scenario scenario;
    private final Wiring wiring;
    private final Map<String, FaultInjector> injectors = new LinkedHashMap<>();
    private final Map<String, FaultyHost> hosts = new LinkedHashMap<>();

    /** Reads the faults of links; those of hosts begin with {@link #start}. */
    LabFaults(Scenario scenario, Wiring wiring) {
        this.scenario = scenario;
        this.wiring = wiring;
        for (Fault fault : scenario.faults()) {
            if (fault instanceof Fault.BadLink bad) {
                directions(bad.left(), bad.right(), bad.direction())
                        .forEach(link -> link.impair(bad.fromNanos(), bad.untilNanos(), bad.impairment()));
            } else if (fault instanceof Fault.LinkDown down) {
                directions(down.left(), down.right(), down.direction())
                        .forEach(link ->
                                link.cut(down.fromNanos(), down.untilNanos(), down.downNanos(), down.everyNanos()));
            }
        }
    }

    private List<FaultInjector> directions(String left, String right, Fault.Direction direction) {
        List<FaultInjector> found = new ArrayList<>();
        wiring.forEachPort(
                left,
                right,
                direction,
                (node, port) -> found.add(injectors.computeIfAbsent(key(wiring.name(node), port), this::newInjector)));
        return found;
    }

    private static String key(String node, int port) {
        return node + ":" + port;
    }

    private FaultInjector newInjector(String key) {
        return new FaultInjector(Randomness.of(scenario.seed(), "fault", key), Payload.CARRIED);
    }

    /** {@return the ports of a Node, those with faults behind what plays them} */
    List<NetPort> wrap(int node, List<NetPort> ports) {
        List<NetPort> wrapped = new ArrayList<>();
        for (int i = 0; i < ports.size(); i++) {
            FaultInjector injector = injectors.get(key(wiring.name(node), i));
            wrapped.add(injector == null ? ports.get(i) : new FaultyPort(ports.get(i), injector));
        }
        return wrapped;
    }

    /** {@return the host, behind what pauses it if it pauses at times} */
    Node wrap(String name, HostStack stack) {
        boolean pauses = scenario.faults().stream()
                .anyMatch(fault ->
                        fault instanceof Fault.HostPause pause && pause.host().equals(name));
        return pauses ? hosts.computeIfAbsent(name, added -> new FaultyHost(() -> stack)) : stack;
    }

    /** Schedules what happens to hosts. */
    void start(World world) {
        for (Fault fault : scenario.faults()) {
            if (fault instanceof Fault.HostPause pause) {
                schedule(world, pause, pause.fromNanos());
            }
        }
    }

    private void schedule(World world, Fault.HostPause pause, long atNanos) {
        if (atNanos >= pause.untilNanos()) {
            return;
        }
        world.at(atNanos, wiring.host(pause.host()), () -> {
            hosts.get(pause.host()).pause(pause.pauseNanos(), world.nowNanos());
            if (pause.everyNanos() > 0) {
                schedule(world, pause, atNanos + pause.everyNanos());
            }
        });
    }

    /** Returns the frames that paused hosts hold. */
    void close() {
        hosts.values().forEach(FaultyHost::close);
    }
}
