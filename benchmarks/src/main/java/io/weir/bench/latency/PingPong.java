package io.weir.bench.latency;

import io.weir.bench.command.Arguments;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Measures the round trip of a small message through the whole stack next to the kernel's UDP, over one veth pair
 * between two namespaces of this machine. Both run in this process and in turns (kernel, Weir, Weir, kernel, ...); what
 * counts is the ratio of the medians.
 */
public final class PingPong {
    private static final int PORT = 4720;
    /** Of the host that asks. */
    static final InetSocketAddress CLIENT = new InetSocketAddress(TwoHosts.ADDRESS_A, PORT);
    /** Of the host that answers. */
    static final InetSocketAddress SERVER = new InetSocketAddress(TwoHosts.ADDRESS_B, PORT);

    private static final int MTU_BYTES = 1_500;
    /** Pairs in which a thread that needs a core waited for it for longer are run again, a bounded number of times. */
    private static final double OFF_CORE_PERCENT_MAX = 4;

    private static final int ATTEMPTS_PER_PAIR = 3;

    private final PingPongOptions options;
    private final TwoHosts hosts;
    private final PrintStream out;

    private PingPong(PingPongOptions options, TwoHosts hosts, PrintStream out) {
        this.options = options;
        this.hosts = hosts;
        this.out = out;
    }

    /** Runs the benchmark; exits with 1 when a ratio is above what {@code --require} demands. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws Exception {
        PingPongOptions options =
                Arguments.readOrExit(() -> PingPongOptions.parse(List.of(arguments)), PingPongOptions.USAGE);
        System.exit(run(options, System.out) ? 0 : 1);
    }

    /** {@return a transport of one of the hosts, set up by default but for these} */
    static Transport openTransport(TwoHosts hosts, NetNamespace host, IdleMode idleMode, PingPongOptions options)
            throws IOException {
        return hosts.openTransport(
                host, TransportConfig.builder().idleMode(idleMode).build(), options.mode());
    }

    /** {@return whether Weir's medians are what the options demand} */
    static boolean run(PingPongOptions options, PrintStream out) throws Exception {
        try (TwoHosts hosts = TwoHosts.createQuiet(MTU_BYTES)) {
            return new PingPong(options, hosts, out).run();
        }
    }

    private boolean run() throws Exception {
        out.println("round trips of " + options.sizeBytes() + " B, mode " + options.mode() + ", " + options.pairCount()
                + " pairs of " + options.seconds() + " s, JDK " + Runtime.version());
        boolean reached = true;
        for (Contest contest : options.contests()) {
            LatencyReport report = measure(contest);
            report.print(out);
            reached &= options.ratioMax() == 0 || report.ratio() <= options.ratioMax();
        }
        return reached;
    }

    private LatencyReport measure(Contest contest) throws Exception {
        // The first run of each is its compiler's.
        run(contest.kernel());
        run(contest.weir());
        List<LatencyReport.Pair> pairs = new ArrayList<>();
        int quiet = 0;
        for (int i = 0; quiet < options.pairCount() && i < ATTEMPTS_PER_PAIR * options.pairCount(); i++) {
            LatencyReport.Pair pair = runPair(contest, i % 2 == 0);
            pairs.add(pair);
            quiet += !contest.needsCores() || pair.offCorePercent() <= OFF_CORE_PERCENT_MAX ? 1 : 0;
        }
        if (contest.needsCores()) {
            // Chosen by how much the machine disturbed them, not by what came out.
            pairs.sort(Comparator.comparingDouble(LatencyReport.Pair::offCorePercent));
        }
        int used = Math.min(options.pairCount(), pairs.size());
        return new LatencyReport(contest, pairs.subList(0, used), pairs.size() - used);
    }

    /** Kernel Weir, Weir kernel, ...: what drifts meanwhile favours neither. */
    private LatencyReport.Pair runPair(Contest contest, boolean isKernelFirst) throws Exception {
        if (isKernelFirst) {
            LatencyResult kernel = run(contest.kernel());
            return new LatencyReport.Pair(kernel, run(contest.weir()));
        }
        LatencyResult weir = run(contest.weir());
        return new LatencyReport.Pair(run(contest.kernel()), weir);
    }

    private LatencyResult run(Contender contender) throws Exception {
        TripTimer trips = new TripTimer(options.seconds());
        contender.run(hosts, options, trips);
        return trips.result();
    }
}
