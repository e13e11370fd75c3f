package io.weir.cli.perf.carrier;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** What the kernel's TCP counts of all connections of this network namespace. */
final class KernelCounts {
    private static final Path SNMP = Path.of("/proc/self/net/snmp");
    private static final Path NETSTAT = Path.of("/proc/self/net/netstat");
    private static final Path CONGESTION_CONTROL = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");
    private static final HostCounts.Credits NO_CREDITS = new HostCounts.Credits(0, 0, 0, 0, 0);

    private KernelCounts() {}

    /** {@return the counts until now; those that the kernel does not tell are 0} */
    static HostCounts read() {
        long segments = value(lines(SNMP), "Tcp:", "RetransSegs");
        long timeouts = value(lines(NETSTAT), "TcpExt:", "TCPTimeouts");
        long bytes = value(lines(NETSTAT), "TcpExt:", "TCPRetransBytes");
        return new HostCounts(bytes, segments, timeouts, NO_CREDITS, 0, 0);
    }

    /** {@return the name of what new connections are scheduled by, or {@code unknown}} */
    static String congestionControl() {
        List<String> lines = lines(CONGESTION_CONTROL);
        return lines.isEmpty() ? "unknown" : lines.get(0).strip();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }

    /** {@return the figure under a heading: for each group the kernel writes a line of names, then one of figures} */
    static long value(List<String> lines, String group, String name) {
        List<String> ofGroup =
                lines.stream().filter(line -> line.startsWith(group)).toList();
        if (ofGroup.size() < 2) {
            return 0;
        }
        int column = Arrays.asList(ofGroup.get(0).split(" ", -1)).indexOf(name);
        String[] figures = ofGroup.get(1).split(" ", -1);
        return column < 0 || column >= figures.length ? 0 : Long.parseLong(figures[column]);
    }
}
