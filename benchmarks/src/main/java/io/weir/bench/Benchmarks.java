package io.weir.bench;

import io.weir.bench.compare.Compare;
import io.weir.bench.held.HeldBenchmark;
import io.weir.bench.latency.PingPong;
import io.weir.bench.loops.LoopsBenchmark;
import io.weir.bench.path.PathBenchmark;
import io.weir.bench.pauses.PauseBenchmark;
import io.weir.bench.raw.DpdkRates;
import io.weir.bench.raw.RawBenchmark;
import io.weir.bench.selector.SelectorBenchmark;
import io.weir.bench.sharing.SharingBenchmark;
import io.weir.bench.sim.SimBenchmark;
import io.weir.bench.sockets.SocketBenchmark;
import java.util.Arrays;

/** Runs the benchmark that the first argument names. */
public final class Benchmarks {
    private static final String USAGE = """
            usage: java -jar weir-benchmarks.jar BENCHMARK [OPTIONS]
              compare  Weir, kernel TCP and UDP, Netty and Aeron in turns: goodput, round trips, connections, CPU
              raw      frames through AF_XDP from Java and from C over libxdp; through DPDK and by testpmd
              latency  round trips of small messages through the whole stack, and by the kernel's UDP
              sockets  java.net.Socket over Weir next to Weir's own sockets, in one process
              held     what an open, idle connection costs
              selector what a ready key costs in a selector with ten thousand, next to one alone, in memory
              path     processor time of a data frame through both ends of the stack, in memory
              loops    what several loops carry against one, in memory
              parts    the parts of that path one by one, with JMH, whose options it takes (-h)
              dpdk     how many frames the DPDK port moves; docs/BENCHMARKS.md
              sharing  processes of one host through a broker's memory, and over loopback TCP; the broker's hop
              sim      packet-hops of a scenario in virtual time
              pauses   how loops pause on this machine, and how protocols fare with such pauses in virtual time
            An unknown option makes a benchmark list its options. Those that use network namespaces need root.""";

    private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

    private Benchmarks() {}

    /** Runs it; its exit status says whether it reached what its {@code --require} demands. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws Exception {
        if (System.getProperty(LOG_LEVEL) == null) {
            // Ports are opened and closed all the time here.
            System.setProperty(LOG_LEVEL, "warn");
        }
        String name = arguments.length == 0 ? "" : arguments[0];
        String[] options = arguments.length == 0 ? arguments : Arrays.copyOfRange(arguments, 1, arguments.length);
        switch (name) {
            case "compare" -> Compare.main(options);
            case "raw" -> RawBenchmark.main(options);
            case "dpdk" -> DpdkRates.main(options);
            case "latency" -> PingPong.main(options);
            case "sockets" -> SocketBenchmark.main(options);
            case "held" -> HeldBenchmark.main(options);
            case "selector" -> SelectorBenchmark.main(options);
            case "path" -> PathBenchmark.main(options);
            case "loops" -> LoopsBenchmark.main(options);
            case "parts" -> org.openjdk.jmh.Main.main(options);
            case "sharing" -> SharingBenchmark.main(options);
            case "sim" -> SimBenchmark.main(options);
            case "pauses" -> PauseBenchmark.main(options);
            default -> {
                System.err.println(USAGE);
                System.exit(2);
            }
        }
    }
}
