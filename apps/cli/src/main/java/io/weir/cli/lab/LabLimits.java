package io.weir.cli.lab;

import io.weir.cli.environment.EnvironmentException;
import io.weir.pacer.RateMath;
import io.weir.transport.node.ConfigException;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.ProcessingDelay;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.StampNoise;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.topology.Routes;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.wire.Ethernet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What a laboratory of one loop can carry, looked at before anything is touched.
 *
 * <p>The load is bounded from above: every pair of hosts that talks is counted to the narrowest link of its way, and no
 * more crosses such links together than their rates. Each receiver's credits are counted at its link's rate.
 */
final class LabLimits {
    /** Data frames and credits, from one host to another, that one core moves in a second with a margin. */
    static final long FRAMES_PER_SECOND_MAX = 130_000;
    /** Each has a namespace, a veth pair and two ports. */
    static final int HOSTS_MAX = 64;

    private final Scenario scenario;
    private final Wiring wiring;
    private final Routes routes;

    LabLimits(Scenario scenario, Wiring wiring) {
        this.scenario = scenario;
        this.wiring = wiring;
        this.routes = new Routes(wiring);
    }

    /** Refuses what no laboratory can do, and, unless {@code isForced}, more than one can carry. */
    void check(boolean isForced) {
        checkSize();
        checkProtocols();
        checkStamps();
        checkPauses();
        checkQueues();
        long frames = framesPerSecond();
        if (frames > FRAMES_PER_SECOND_MAX && !isForced) {
            throw new EnvironmentException(String.format(
                    Locale.ROOT,
                    "the scenario may need %,d data frames and credits per second, and the lab's one loop moves about %,d;"
                            + " lower the rates to 1/%d or less (as in --set topology.rate=100Mbps), run it with weir sim,"
                            + " or let it take longer than its time with --force",
                    frames,
                    FRAMES_PER_SECOND_MAX,
                    (frames + FRAMES_PER_SECOND_MAX - 1) / FRAMES_PER_SECOND_MAX));
        }
    }

    /** Refuses more hosts than a laboratory has. */
    void checkSize() {
        if (wiring.hostCount() > HOSTS_MAX) {
            throw new EnvironmentException(
                    "the scenario has " + wiring.hostCount() + " hosts, and the lab makes at most " + HOSTS_MAX
                            + "; make the topology smaller (--set topology.hosts=8), or run it with weir sim");
        }
    }

    private void checkProtocols() {
        for (Traffic traffic : scenario.traffic()) {
            String obstacle = traffic.protocol().realPortObstacle();
            if (!obstacle.isEmpty()) {
                throw new ConfigException("traffic '" + traffic.id() + "' has protocol "
                        + traffic.protocol().preset() + ", which cannot run on real ports: " + obstacle
                        + "; run the scenario with weir sim, or choose another protocol");
            }
        }
    }

    private void checkStamps() {
        for (HostSpec host : wiring.network().hosts()) {
            if (!host.stampNoise().equals(StampNoise.NONE)) {
                throw new ConfigException("host " + host.name() + " has stampNoise="
                        + host.stampNoise().deviationNanos()
                        + "ns, and the lab's stamps have the noise of this machine; run the scenario with weir sim, or take"
                        + " stampNoise out");
            }
        }
    }

    private void checkPauses() {
        List<String> names = new ArrayList<>();
        wiring.network().hosts().stream()
                .filter(host -> !host.pauses().isNone())
                .forEach(host -> names.add(host.name()));
        wiring.network().switches().stream()
                .filter(node -> !node.pauses().isNone())
                .forEach(node -> names.add(node.name()));
        if (!names.isEmpty()) {
            throw new ConfigException(names.get(0) + (names.size() > 1 ? " and others have" : " has")
                    + " a trace of pauses, and the lab's loop pauses as this machine makes it; run the scenario with weir"
                    + " sim, or take pauses out");
        }
    }

    private void checkQueues() {
        for (HostSpec host : wiring.network().hosts()) {
            if (host.queueFramesMax() > 0) {
                throw new ConfigException("host " + host.name() + " has queue=FIFO " + host.queueFramesMax()
                        + ", and in the lab a host's flows take turns at its link; run the scenario with weir sim, or take"
                        + " queue out");
            }
        }
    }

    /** {@return an upper bound of the data frames and credits that are made in a second} */
    long framesPerSecond() {
        Set<Long> pairs = pairs();
        Map<List<Integer>, Long> narrowest = new LinkedHashMap<>();
        Map<Integer, Long> receivers = new LinkedHashMap<>();
        for (long pair : pairs) {
            int from = (int) (pair >>> Integer.SIZE);
            int to = (int) pair;
            narrowest(from, to, narrowest);
            receivers.put(to, framesPerSecond(wiring.hostLink(to)));
        }
        return sum(narrowest) + sum(receivers);
    }

    private static long sum(Map<?, Long> frames) {
        return frames.values().stream().mapToLong(Long::longValue).sum();
    }

    private static long framesPerSecond(LinkSpec link) {
        return RateMath.bytesInNanosFloor(RateMath.NANOS_PER_SECOND, link.rateBps())
                / (link.mtuBytes() + Ethernet.FRAMING_BYTES);
    }

    /** Enters the narrowest link on the way, in its direction. */
    private void narrowest(int from, int to, Map<List<Integer>, Long> found) {
        List<Integer> place = List.of();
        long least = Long.MAX_VALUE;
        int node = from;
        while (node != to) {
            int portIndex = wiring.isHost(node) ? 0 : routes.nextPorts(node, to)[0];
            Wiring.Port port = wiring.ports(node).get(portIndex);
            long frames = framesPerSecond(wiring.link(port));
            if (frames < least) {
                least = frames;
                place = List.of(node, portIndex);
            }
            node = port.peer();
        }
        found.put(place, least);
    }

    private Set<Long> pairs() {
        Set<Long> pairs = new LinkedHashSet<>();
        for (Traffic traffic : scenario.traffic()) {
            if (traffic instanceof Traffic.Flows flows) {
                addPairs(pairs, flows.from(), flows.to(), flows.pairing() == Traffic.Pairing.ZIP);
            } else if (traffic instanceof Traffic.Poisson flows) {
                addPairs(pairs, flows.from(), flows.to(), false);
            } else if (traffic instanceof Traffic.Shuffle flows) {
                addPairs(pairs, flows.hosts(), flows.hosts(), false);
            } else if (traffic instanceof Traffic.Exchange exchange) {
                addPairs(pairs, exchange.servers(), List.of(exchange.client()), false);
            } else if (traffic instanceof Traffic.Messages messages) {
                addPairs(pairs, messages.from(), messages.to(), true);
            } else if (traffic instanceof Traffic.Calls calls) {
                addPairs(pairs, calls.from(), calls.to(), true);
                addPairs(pairs, calls.to(), calls.from(), true);
            }
        }
        return pairs;
    }

    private void addPairs(Set<Long> pairs, List<String> from, List<String> to, boolean isZipped) {
        if (isZipped) {
            for (int i = 0; i < Math.max(from.size(), to.size()); i++) {
                addPair(pairs, from.get(i % from.size()), to.get(i % to.size()));
            }
        } else {
            from.forEach(source -> to.forEach(destination -> addPair(pairs, source, destination)));
        }
    }

    private void addPair(Set<Long> pairs, String from, String to) {
        if (!from.equals(to)) {
            pairs.add((long) wiring.host(from) << Integer.SIZE | wiring.host(to));
        }
    }

    /** {@return what the scenario has and the lab cannot do} */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        for (LinkSpec link : wiring.network().links()) {
            if (wiring.isHost(wiring.node(link.left())) && wiring.isHost(wiring.node(link.right()))) {
                notes.add("the link between " + link.left() + " and " + link.right()
                        + " has no switch that could play its delay: it has none");
            }
        }
        long delayed = wiring.network().hosts().stream()
                .filter(host -> !host.delay().equals(ProcessingDelay.NONE))
                .count();
        if (delayed > 0) {
            notes.add(delayed + " hosts have a processing delay in the scenario: here they have this machine's");
        }
        return notes;
    }
}
