package io.weir.transport.scenario.plan;

import io.weir.transport.scenario.ProcessingDelay;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.scenario.topology.Wiring.Port;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The recursion of equation 1 over the ports of all switches: from those whose credits go to hosts only, backwards. A
 * port whose own delays lead back to it has none; neither have those that lead to such a port.
 *
 * <p>Source: ExpressPass (SIGCOMM 2017), section 3.1, equation 1.
 */
final class DelayRecursion {
    private static final long FRAME_BYTES_MIN = 84;

    private final Wiring wiring;
    private final PlanSettings settings;
    private final boolean isStrict;
    private final List<PortFacts[]> facts;
    private final PortGraph graph;
    private final DelayRange[][] ranges;

    /**
     * Computes the delays of all ports.
     *
     * @param isStrict whether to add what the equation leaves out: bursts that meters let pass, frames that cannot be
     *     interrupted, and frames that are shorter than the largest
     */
    DelayRecursion(Wiring wiring, PlanSettings settings, List<PortFacts[]> facts, PortGraph graph, boolean isStrict) {
        this.wiring = wiring;
        this.settings = settings;
        this.facts = facts;
        this.graph = graph;
        this.isStrict = isStrict;
        this.ranges = new DelayRange[wiring.nodeCount()][];
        for (int node = wiring.hostCount(); node < ranges.length; node++) {
            ranges[node] = new DelayRange[wiring.ports(node).size()];
        }
        computeAll();
    }

    /** {@return the delays of credits that come in by a port of a switch, or null if there is no bound} */
    DelayRange range(int node, int port) {
        return ranges[node][port];
    }

    /** Takes ports whose next ports are all done, until there are no more. */
    private void computeAll() {
        int[][] missing = new int[ranges.length][];
        ArrayDeque<int[]> ready = new ArrayDeque<>();
        for (int node = wiring.hostCount(); node < ranges.length; node++) {
            missing[node] = new int[ranges[node].length];
            for (int port = 0; port < missing[node].length; port++) {
                missing[node][port] = switchesBehind(node, port);
                if (missing[node][port] == 0) {
                    ready.add(new int[] {node, port});
                }
            }
        }
        while (!ready.isEmpty()) {
            int[] next = ready.poll();
            ranges[next[0]][next[1]] = compute(next[0], next[1]);
            for (int[] before : leadingTo(next[0], next[1])) {
                if (--missing[before[0]][before[1]] == 0) {
                    ready.add(before);
                }
            }
        }
    }

    private int switchesBehind(int node, int port) {
        return (int) graph.onward(node, port).stream()
                .filter(out -> !wiring.isHost(wiring.ports(node).get(out).peer()))
                .count();
    }

    /** {@return the ports whose credits may come in by this one next} */
    private List<int[]> leadingTo(int node, int port) {
        List<int[]> before = new ArrayList<>();
        Port link = wiring.ports(node).get(port);
        if (!wiring.isHost(link.peer())) {
            int count = wiring.ports(link.peer()).size();
            for (int i = 0; i < count; i++) {
                if (graph.onward(link.peer(), i).get(link.peerPort())) {
                    before.add(new int[] {link.peer(), i});
                }
            }
        }
        return before;
    }

    // = expresspass section 3.1, equation 1:
    // "d_p = max(d_credit) + max(t(p, q) + d_q + spread of d_q) - min(t(p, q) + d_q)"
    private DelayRange compute(int node, int port) {
        DelayBreakdown least = null;
        DelayBreakdown most = null;
        BitSet onward = graph.onward(node, port);
        for (int out = onward.nextSetBit(0); out >= 0; out = onward.nextSetBit(out + 1)) {
            DelayRange there = beyond(node, out);
            least = least == null || there.least().nanos() < least.nanos() ? there.least() : least;
            most = most == null || there.most().nanos() > most.nanos() ? there.most() : most;
        }
        // No credit comes in by the port of the only host.
        return least == null ? new DelayRange(DelayBreakdown.NONE, DelayBreakdown.NONE) : new DelayRange(least, most);
    }

    /**
     * {@return the delays of a credit that leaves by port {@code out}: its own queue, the link both ways, and what is
     * behind}
     */
    private DelayRange beyond(int node, int out) {
        Port link = wiring.ports(node).get(out);
        PortFacts here = facts.get(node)[out];
        PortFacts there = facts.get(link.peer())[link.peerPort()];
        DelayRange behind = wiring.isHost(link.peer()) ? host(link.peer()) : ranges[link.peer()][link.peerPort()];
        long waitNanos = here.passNanosCeil(here.queueCredits());
        DelayBreakdown queue = wiring.isHost(link.peer()) ? DelayBreakdown.NONE : behind.spread();
        DelayBreakdown most = behind.most()
                .plus(queue)
                .plus(new DelayBreakdown(
                        waitNanos, 0, linkNanos(here, there, there.dataBytes()) + slackNanos(here, there)));
        long smallest = isStrict ? FRAME_BYTES_MIN : there.dataBytes();
        return new DelayRange(behind.least().plus(new DelayBreakdown(0, 0, linkNanos(here, there, smallest))), most);
    }

    private static long linkNanos(PortFacts here, PortFacts there, long dataBytes) {
        long creditBytes = here.meter().creditShape().wireBytesMin();
        return 2 * here.link().propagationNanos()
                + here.serializationNanos(creditBytes)
                + there.serializationNanos(dataBytes);
    }

    /**
     * {@return what the equation leaves out: a frame before the credit, and before the data a frame and a burst of the
     * meter}
     */
    private long slackNanos(PortFacts here, PortFacts there) {
        return isStrict ? here.serializationNanos(here.dataBytes()) + there.passNanosCeil(there.burstCredits() + 1) : 0;
    }

    private DelayRange host(int host) {
        ProcessingDelay delay = wiring.network().hosts().get(host).seenAfter();
        long least = delay.points().get(0).nanos();
        long most = settings.hostSpreadNanos() == PlanSettings.OF_HOSTS
                ? delay.points().get(delay.points().size() - 1).nanos()
                : least + settings.hostSpreadNanos();
        return new DelayRange(new DelayBreakdown(0, least, 0), new DelayBreakdown(0, most, 0));
    }
}
