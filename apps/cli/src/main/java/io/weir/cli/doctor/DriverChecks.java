package io.weir.cli.doctor;

import io.weir.nic.bpf.LoadedProgram;
import io.weir.nic.bpf.ProgramHolder;
import io.weir.nic.net.DriverFeatures;
import io.weir.nic.net.KernelVersion;
import io.weir.nic.xdp.AfXdp;
import java.util.List;
import java.util.Set;

/** Looks at what an interface's driver offers to XDP, at the program on it, and at offloads in its way. */
final class DriverChecks {
    private DriverChecks() {}

    static void program(MachineView machine, DeviceView device, Findings found) {
        if (device.program().isEmpty() || device.program().get().isOfWeir()) {
            return;
        }
        LoadedProgram program = device.program().get();
        String name = ShellText.word(device.name());
        String what = device.name() + " has the XDP program " + program.id()
                + (program.name().isEmpty() ? "" : " (" + ShellText.line(program.name()) + ")");
        String remedy = program.holder()
                .map(holder -> "# end process " + holder.processId() + ", or use another interface")
                .orElse("ip link set dev " + name + " xdp off; ip link set dev " + name + " xdpgeneric off");
        found.add(
                FindingKind.XDP_PROGRAM_FOREIGN,
                what
                        + program.holder()
                                .map(holder -> " of process " + holder.processId() + ", " + program(holder))
                                .orElse(", which no process that can be seen keeps there"),
                remedy);
    }

    /** The words behind the first may be secrets. */
    private static String program(ProgramHolder holder) {
        return ShellText.line(holder.command().split(" ", 2)[0]);
    }

    static void features(MachineView machine, DeviceView device, Findings found) {
        DriverFeatures features = device.features();
        String driver = device.facts().driver().isEmpty()
                ? "the driver of " + device.name()
                : "driver " + device.facts().driver() + " of " + device.name();
        String see = "# a NIC whose driver does: docs/TESTING.md, Other kernels and NICs";
        if (!features.problem().isEmpty()) {
            // An old kernel, which has a finding of its kind.
            return;
        }
        String problem = AfXdp.driverProblem(
                device.facts().driver(), KernelVersion.parse(machine.files().text("proc/sys/kernel/osrelease")));
        if (problem != null && features.programs()) {
            found.add(FindingKind.XDP_COPIES, driver + ": " + problem, see);
        } else if (!features.programs()) {
            found.add(FindingKind.XDP_GENERIC_ONLY, driver + " runs no XDP programs", see);
        } else if (!features.zeroCopy() && !Checks.isVirtual(device.facts())) {
            found.add(FindingKind.XDP_COPIES, driver + " has no zero-copy", see);
        }
        if (!features.receiveStamps() && !Checks.isVirtual(device.facts())) {
            found.add(
                    FindingKind.STAMPS_NOT_OF_DEVICE,
                    driver + " does not tell programs when a frame came; the kernel does, later",
                    see);
        }
    }

    static void offloads(MachineView machine, DeviceView device, Findings found) {
        Set<String> on = device.settings().features();
        String change = "ethtool -K " + ShellText.word(device.name()) + " ";
        if (on.contains("rx-lro")) {
            found.add(FindingKind.OFFLOAD_LRO, device.name() + " joins received frames (LRO)", change + "lro off");
        }
        if (on.contains("rx-gro-hw")) {
            found.add(
                    FindingKind.OFFLOAD_GRO_HW,
                    device.name() + " joins received frames in the device (rx-gro-hw)",
                    change + "rx-gro-hw off");
        }
        for (String feature : List.of("rx-udp-gro-forwarding", "rx-gro-list")) {
            if (on.contains(feature)) {
                found.add(
                        FindingKind.OFFLOAD_GRO_UDP,
                        device.name() + " has " + feature + " on",
                        change + feature + " off");
            }
        }
        if (on.contains("rx-vlan-hw-parse") && !Checks.isVirtual(device.facts())) {
            found.add(
                    FindingKind.OFFLOAD_VLAN,
                    device.name() + " takes the tags of VLANs off (rxvlan)",
                    change + "rxvlan off");
        }
    }
}
