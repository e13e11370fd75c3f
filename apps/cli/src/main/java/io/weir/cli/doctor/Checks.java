package io.weir.cli.doctor;

import io.weir.nic.net.InterfaceFacts;
import java.util.List;
import java.util.function.BiConsumer;

/** All checks of a machine: each looks at a view of it and adds what it finds, and does nothing else. */
final class Checks {
    private static final List<BiConsumer<MachineView, Findings>> OF_MACHINE = List.of(
            SoftwareChecks::java,
            SoftwareChecks::kernel,
            SoftwareChecks::rights,
            CpuChecks::count,
            CpuChecks::load,
            CpuChecks::balancer,
            CpuChecks::quota,
            CpuChecks::frequency,
            CpuChecks::isolation,
            CpuChecks::clock,
            MemoryChecks::pressure,
            MemoryChecks::numa,
            MemoryChecks::dpdk,
            TrafficChecks::receiving,
            TrafficChecks::neighbourTable,
            TrafficChecks::firewall);

    private static final List<DeviceCheck> OF_DEVICE = List.of(
            LinkChecks::state,
            LinkChecks::address,
            LinkChecks::mtu,
            LinkChecks::rate,
            DriverChecks::program,
            DriverChecks::features,
            DriverChecks::offloads,
            QueueChecks::queues,
            QueueChecks::spreading,
            QueueChecks::rings,
            QueueChecks::interrupts,
            QueueChecks::receiving,
            MemoryChecks::device,
            TrafficChecks::neighbours,
            TrafficChecks::broker);

    private Checks() {}

    /** One that needs an interface. */
    private interface DeviceCheck {
        void look(MachineView machine, DeviceView device, Findings found);
    }

    /** {@return what is wrong with a machine, and with the interface if it has one; the worst first} */
    static List<Finding> run(MachineView machine) {
        Findings found = new Findings();
        OF_MACHINE.forEach(check -> check.accept(machine, found));
        machine.device().ifPresent(device -> {
            if (device.notEthernet().isEmpty()) {
                OF_DEVICE.forEach(check -> check.look(machine, device, found));
            } else {
                found.add(
                        FindingKind.LINK_NOT_ETHERNET,
                        ShellText.line(device.notEthernet()),
                        "# name the interface that the packets leave by: ip route get ADDRESS");
            }
        });
        return found.sorted();
    }

    /** {@return whether the interface's frames stay within this machine} */
    static boolean isVirtual(InterfaceFacts facts) {
        return facts.isVeth();
    }
}
