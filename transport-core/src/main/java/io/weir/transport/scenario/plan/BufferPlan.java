package io.weir.transport.scenario.plan;

import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.scenario.topology.Wiring.Port;
import java.util.ArrayList;
import java.util.List;

/**
 * How much data each port of every switch may have to queue, over the shortest paths between all hosts.
 *
 * <p>Source: ExpressPass (SIGCOMM 2017), section 3.1, equation 1. A port is bounded by the spread of the time between a
 * credit that comes in by it and the data that the credit brings: that much data may arrive at once. Of this, the time
 * that credits wait counts with the credits' share of the link, the rest without, which gives the printed values of the
 * paper's Table 1 for the links of racks upwards.
 *
 * <p>Deviation: {@code dataQueueBytes} adds what the equation leaves out, so that it is a bound: at each port the burst
 * that its meter lets pass, a frame that is being sent when a credit or data comes, and paths that are shorter for
 * short frames. Frames that no credit permits (openings, acknowledgements, other traffic) come on top.
 *
 * <p>Where a credit grants k frames no switch meters. Then a port to a host is bounded by that host's own meter, with k
 * frames in place of the meter's burst, as long as no more is asked of a sender than its link carries; what it cannot
 * send at once is spread of hosts. A port between switches has no bound: the credits of several hosts may ask for more
 * than its link carries.
 *
 * <p>Pauses of hosts and switches are spread of host delay that is known in bytes: the budget of each that may make up
 * at the same moment.
 */
public final class BufferPlan {
    private final Wiring wiring;
    private final List<PortFacts[]> facts = new ArrayList<>();
    private final DelayRecursion equation;
    private final DelayRecursion strict;
    private final long pauseBytes;
    private final int creditFrames;

    private BufferPlan(Network network, PlanSettings settings) {
        wiring = new Wiring(network);
        for (int node = 0; node < wiring.nodeCount(); node++) {
            facts.add(factsOf(node, settings));
        }
        PortGraph graph = new PortGraph(wiring);
        equation = new DelayRecursion(wiring, settings, facts, graph, false);
        strict = new DelayRecursion(wiring, settings, facts, graph, true);
        pauseBytes = settings.pauseBytes();
        creditFrames = settings.creditFrames();
    }

    private PortFacts[] factsOf(int node, PlanSettings settings) {
        return wiring.ports(node).stream()
                .map(port -> PortFacts.of(wiring, node, port, settings))
                .toArray(PortFacts[]::new);
    }

    /** {@return the bounds of all ports of all switches, in the network's order} */
    public static List<PortBound> of(Network network, PlanSettings settings) {
        BufferPlan plan = new BufferPlan(network, settings);
        List<PortBound> bounds = new ArrayList<>();
        for (int node = plan.wiring.hostCount(); node < plan.wiring.nodeCount(); node++) {
            for (int port = 0; port < plan.wiring.ports(node).size(); port++) {
                bounds.add(plan.bound(node, port));
            }
        }
        return bounds;
    }

    private PortBound bound(int node, int port) {
        Port link = wiring.ports(node).get(port);
        PortFacts own = facts.get(node)[port];
        boolean isShared = creditFrames > 1 && !wiring.isHost(link.peer());
        DelayRange range = isShared ? null : equation.range(node, port);
        long creditBytes = creditFrames > 1 ? creditFrames * own.dataBytes() : 0;
        DelayBreakdown spread = range == null ? null : range.spread();
        return new PortBound(
                wiring.name(node),
                wiring.name(link.peer()),
                own.link().rateBps(),
                own.link().mtuBytes(),
                own.credits(),
                own.meter(),
                own.burstCredits(),
                spread,
                spread == null ? 0 : own.bytesPassed(spread.creditNanos(), own.costBytes()) + creditBytes,
                spread == null ? 0 : own.bytesPassed(spread.hostNanos(), own.dataBytes()) + pauseBytes,
                spread == null ? 0 : own.bytesPassed(spread.pathNanos(), own.dataBytes()),
                spread == null ? 0 : dataQueueBytes(own, strict.range(node, port)) + pauseBytes);
    }

    private static long dataQueueBytes(PortFacts own, DelayRange range) {
        long frames = own.burstCredits() + 2;
        return own.bytesPassed(range.spread().nanos(), own.dataBytes()) + frames * own.dataBytes();
    }
}
