package io.weir.cli.doctor;

import io.weir.nic.net.KernelEvent;
import java.util.List;

/** Looks at how the kernel moves frames that Weir's are among: its backlog, neighbours, packet filter and broker. */
final class TrafficChecks {
    private static final String NEIGHBOURS = "proc/sys/net/ipv4/neigh/default/gc_thresh3";
    private static final int HEXADECIMAL = 16;
    /** Of the table of neighbours, what may be in use. */
    private static final double NEIGHBOURS_SHARE_MAX = 0.9;

    private TrafficChecks() {}

    static void receiving(MachineView machine, Findings found) {
        HostFiles files = machine.files();
        if (files.number("proc/sys/net/core/busy_poll", 0) > 0 || files.number("proc/sys/net/core/busy_read", 0) > 0) {
            found.add(
                    FindingKind.BUSY_POLL_GLOBAL,
                    "net.core.busy_poll or net.core.busy_read is set",
                    "sysctl -w net.core.busy_poll=0 net.core.busy_read=0");
        }
        long dropped = files.lines("proc/thread-self/net/softnet_stat").stream()
                .map(line -> line.split("\\s+", -1))
                .filter(fields -> fields.length > 1)
                .mapToLong(fields -> HostFiles.number(fields[1], 0, HEXADECIMAL))
                .sum();
        if (dropped > 0) {
            found.add(
                    FindingKind.SOFTNET_DROPS,
                    "the kernel's backlogs were full " + dropped + " times since the start",
                    "sysctl -w net.core.netdev_max_backlog=10000");
        }
    }

    static void neighbourTable(MachineView machine, Findings found) {
        HostFiles files = machine.files();
        long most = files.number(NEIGHBOURS, Long.MAX_VALUE);
        long known = files.lines("proc/thread-self/net/stat/arp_cache").stream()
                .skip(1)
                .mapToLong(line -> HostFiles.number(line.split("\\s+", 2)[0], 0, HEXADECIMAL))
                .max()
                .orElse(0);
        if (known > NEIGHBOURS_SHARE_MAX * (double) most) {
            found.add(
                    FindingKind.NEIGHBOUR_TABLE_FULL,
                    "the kernel knows " + known + " neighbours of at most " + most,
                    "sysctl -w net.ipv4.neigh.default.gc_thresh3=" + 4 * most);
        }
    }

    static void neighbours(MachineView machine, DeviceView device, Findings found) {
        List<KernelEvent.Neighbour> failed = device.neighbours().stream()
                .filter(neighbour -> neighbour.state().isFailed())
                .toList();
        if (!failed.isEmpty()) {
            String first = failed.get(0).address().getHostAddress();
            found.add(
                    FindingKind.NEIGHBOUR_FAILED,
                    "hosts that do not answer on the link of " + device.name() + ": " + failed.size() + ", one is "
                            + first,
                    "# are they up, and in this network? ping " + first);
        }
    }

    static void firewall(MachineView machine, Findings found) {
        String name = machine.device().map(DeviceView::name).orElse("");
        for (FirewallChain where : machine.firewall().dropsOf(Firewall.Probe.ICMP_ERROR, name)) {
            found.add(
                    FindingKind.FIREWALL_DROPS_ICMP,
                    where.name() + " drops what ICMP says of Weir's frames",
                    Firewall.acceptance(where, Firewall.Probe.ICMP_ERROR));
        }
        for (FirewallChain where : machine.firewall().dropsOf(Firewall.Probe.UDP_ANSWER, name)) {
            found.add(
                    FindingKind.FIREWALL_DROPS_UDP,
                    where.name() + " drops UDP's answers",
                    Firewall.acceptance(where, Firewall.Probe.UDP_ANSWER));
        }
    }

    static void broker(MachineView machine, DeviceView device, Findings found) {
        String path = MachineView.brokerSocket(device);
        if (machine.files().exists(path) && !machine.isListening("/" + path)) {
            found.add(
                    FindingKind.BROKER_STALE,
                    "/" + path + " is there, and no broker listens at it",
                    "weir broker --interface " + ShellText.word(device.name()) + "  # or: rm "
                            + ShellText.word("/" + path));
        }
    }
}
