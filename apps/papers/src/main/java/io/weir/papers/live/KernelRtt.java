package io.weir.papers.live;

import io.weir.cli.traffic.ArrivalLog;
import io.weir.cli.traffic.RunningTraffic;
import io.weir.cli.traffic.TcpFlow;
import io.weir.cli.traffic.TcpTraffic;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.runtime.OwnTimeLimit;
import io.weir.transport.scenario.run.NetworkNodes;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The round-trip time that the kernel's TCP knows of a flow that is as fast as it can be, asked again and again by
 * ss(8). It is smoothed over about eight acknowledgements, so that single ones vary more than this shows.
 */
final class KernelRtt {
    private static final int ASK_SECONDS_MAX = 5;
    private static final double MICROS_PER_MILLI = 1e3;
    private static final Pattern RTT = Pattern.compile("\\brtt:([0-9.]+)/");

    private KernelRtt() {}

    /** {@return what was read in {@code nanos}, in microseconds} */
    static List<Double> measure(NetNamespace left, NetNamespace right, long nanos) throws IOException {
        InetAddress address = NetworkNodes.address(1).toInetAddress();
        try (RunningTraffic<ArrivalLog> flow = new TcpTraffic(new TcpFlow.Route(left, right, address)).startBulk()) {
            List<Double> micros = sample(left, nanos);
            if (flow.figures().totalBytes() == 0) {
                throw new IOException("kernel TCP moved nothing in " + nanos + " ns");
            }
            return micros;
        }
    }

    private static List<Double> sample(NetNamespace namespace, long nanos) throws IOException {
        List<Double> micros = new ArrayList<>();
        long endNanos = System.nanoTime() + nanos;
        while (System.nanoTime() < endNanos) {
            Matcher matcher = RTT.matcher(ask(namespace));
            if (matcher.find()) {
                micros.add(Double.parseDouble(matcher.group(1)) * MICROS_PER_MILLI);
            }
        }
        return micros.subList(micros.size() / 10, micros.size());
    }

    private static String ask(NetNamespace namespace) throws IOException {
        Process process = new ProcessBuilder(
                        "ip", "netns", "exec", namespace.name(), "ss", "-tinH", "state", "established")
                .redirectErrorStream(true)
                .start();
        try {
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!OwnTimeLimit.ofSeconds(ASK_SECONDS_MAX).await(process::waitFor) || process.exitValue() != 0) {
                throw new IOException("ss, of iproute2, failed: " + text.strip());
            }
            return text;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
