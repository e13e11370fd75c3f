package io.weir.cli.doctor;

import io.weir.nic.net.DriverSettings;
import io.weir.nic.net.InterfaceFacts;
import io.weir.transport.runtime.CpuSet;
import java.util.List;

/** Looks at an interface's queues: how many, who feeds them, what they hold, and who is interrupted. */
final class QueueChecks {
    /** Fewer cores than these have little to share. */
    private static final int CORES_FOR_QUEUES = 4;
    /** Half of what a port of one queue has to receive into. */
    private static final int RING_FRAMES_MIN = 1024;

    private static final int COALESCING_MICROS_MAX = 50;
    private static final long NANOS_PER_MICRO = 1000;

    private QueueChecks() {}

    static void queues(MachineView machine, DeviceView device, Findings found) {
        InterfaceFacts facts = device.facts();
        String name = ShellText.word(facts.name());
        int transmitCount = device.settings().transmitQueueCount();
        int coreCount = machine.onlineCpus().indexes().size();
        if (transmitCount > 0 && transmitCount < facts.receiveQueueCount()) {
            found.add(
                    FindingKind.QUEUES_CANNOT_TRANSMIT,
                    facts.name() + " has " + facts.receiveQueueCount() + " receive queues and " + transmitCount
                            + " transmit queues",
                    "ethtool -L " + name + " rx " + transmitCount + " tx " + transmitCount);
        }
        if (facts.receiveQueueCount() == 1 && coreCount >= CORES_FOR_QUEUES && !Checks.isVirtual(facts)) {
            found.add(
                    FindingKind.QUEUES_FEW,
                    facts.name() + " has one receive queue, the machine " + coreCount + " CPUs",
                    "ethtool -L " + name + " combined " + CORES_FOR_QUEUES);
        }
    }

    static void spreading(MachineView machine, DeviceView device, Findings found) {
        InterfaceFacts facts = device.facts();
        String name = ShellText.word(facts.name());
        DriverSettings settings = device.settings();
        int spreadCount = settings.spreadQueues().cardinality();
        if (spreadCount > 0 && spreadCount < facts.receiveQueueCount()) {
            found.add(
                    FindingKind.RSS_UNEVEN,
                    "frames are spread over " + spreadCount + " of the " + facts.receiveQueueCount()
                            + " receive queues of " + facts.name(),
                    "ethtool -X " + name + " equal " + facts.receiveQueueCount());
        }
        if (!settings.hashesUdpPorts() && facts.receiveQueueCount() > 1) {
            found.add(
                    FindingKind.RSS_WITHOUT_PORTS,
                    "the queue of a UDP datagram on " + facts.name() + " does not depend on its ports",
                    "ethtool -N " + name + " rx-flow-hash udp4 sdfn; ethtool -N " + name + " rx-flow-hash udp6 sdfn");
        }
    }

    static void rings(MachineView machine, DeviceView device, Findings found) {
        DriverSettings.Rings rings = device.settings().rings();
        String name = ShellText.word(device.name());
        int possible = Math.min(RING_FRAMES_MIN, rings.receiveFramesMax());
        if (rings.receiveFrames() > 0 && rings.receiveFrames() < possible) {
            found.add(
                    FindingKind.RING_SMALL,
                    "a receive queue of " + device.name() + " holds " + rings.receiveFrames() + " frames of at most "
                            + rings.receiveFramesMax(),
                    "ethtool -G " + name + " rx " + possible);
        }
        DriverSettings.Coalescing coalescing = device.settings().coalescing();
        if (coalescing.receiveMicros() > COALESCING_MICROS_MAX) {
            found.add(
                    FindingKind.COALESCING_LONG,
                    device.name() + " waits " + coalescing.receiveMicros() + " us before it interrupts",
                    "ethtool -C " + name + " rx-usecs " + COALESCING_MICROS_MAX / 10);
        }
        if (coalescing.isAdaptive()) {
            found.add(
                    FindingKind.COALESCING_ADAPTIVE,
                    device.name() + " changes by itself how long it waits before it interrupts",
                    "ethtool -C " + name + " adaptive-rx off adaptive-tx off");
        }
    }

    static void interrupts(MachineView machine, DeviceView device, Findings found) {
        CpuSet loops = machine.loopCpus();
        CpuSet others = without(machine.onlineCpus(), loops);
        if (loops.isAny() || others.isAny()) {
            return;
        }
        for (String interrupt : machine.files().names(device.path("device/msi_irqs"))) {
            CpuSet cpus = machine.cpus("proc/irq/" + interrupt + "/effective_affinity_list");
            if (!cpus.isAny() && !cpus.and(loops).isAny()) {
                found.add(
                        FindingKind.IRQ_ON_LOOP_CPU,
                        "interrupt " + interrupt + " of " + device.name() + " comes on CPUs " + cpus + ", loops run on "
                                + loops,
                        "echo " + others + " > /proc/irq/" + interrupt + "/smp_affinity_list");
            }
        }
    }

    private static CpuSet without(CpuSet cpus, CpuSet left) {
        return new CpuSet(cpus.indexes().stream()
                .filter(index -> !left.indexes().contains(index))
                .toList());
    }

    static void receiving(MachineView machine, DeviceView device, Findings found) {
        HostFiles files = machine.files();
        String name = ShellText.word(device.name());
        long timeoutNanos = files.number(device.path("gro_flush_timeout"), 0);
        if (timeoutNanos > 0 && files.number(device.path("napi_defer_hard_irqs"), 0) > 0) {
            found.add(
                    FindingKind.NAPI_DEFERRED,
                    "the kernel leaves the receive work of " + device.name() + " for " + timeoutNanos / NANOS_PER_MICRO
                            + " us to who polls",
                    "for setting in napi_defer_hard_irqs gro_flush_timeout; do echo 0 > \"/sys/class/net/\"" + name
                            + "/$setting; done");
        }
        if (files.number(device.path("threaded"), 0) == 1) {
            found.add(
                    FindingKind.NAPI_THREADED,
                    "a thread of the kernel does the receive work of " + device.name(),
                    "echo 0 > \"/sys/class/net/\"" + name + "/threaded");
        }
        List<String> redirected = files.names(device.path("queues")).stream()
                .filter(queue -> queue.startsWith("rx-"))
                .filter(queue ->
                        files.text(device.path("queues/" + queue + "/rps_cpus")).matches(".*[1-9a-f].*"))
                .toList();
        if (!redirected.isEmpty()) {
            found.add(
                    FindingKind.RPS_ON,
                    "frames of " + device.name() + " are passed on to other CPUs (RPS of "
                            + String.join(", ", redirected) + ")",
                    "for file in /sys/class/net/" + name + "/queues/rx-*/rps_cpus; do echo 0 > \"$file\"; done");
        }
    }
}
