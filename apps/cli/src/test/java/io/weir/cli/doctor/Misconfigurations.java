package io.weir.cli.doctor;

import io.weir.nic.bpf.LoadedProgram;
import io.weir.nic.bpf.ProgramHolder;
import io.weir.nic.net.DriverSettings;
import io.weir.nic.net.KernelEvent;
import io.weir.nic.net.NeighbourState;
import io.weir.transport.runtime.CpuSet;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** How to bring about each kind of finding on a machine that has none. */
final class Misconfigurations {
    private static final int NEIGHBOUR_FAILED = 0x20;

    private Misconfigurations() {}

    /** {@return the change of a machine for each kind} */
    static Map<FindingKind, Consumer<FakeMachine>> all() {
        Map<FindingKind, Consumer<FakeMachine>> all = new EnumMap<>(FindingKind.class);
        ofSoftware(all);
        ofLink(all);
        ofDriver(all);
        ofQueues(all);
        ofTraffic(all);
        ofCpus(all);
        ofMemory(all);
        return all;
    }

    private static void ofSoftware(Map<FindingKind, Consumer<FakeMachine>> all) {
        all.put(FindingKind.JAVA_DIRECT_MEMORY, machine -> machine.directBytesMax = 8 << 20);
        all.put(FindingKind.JAVA_INTERPRETED, machine -> machine.javaFlags = List.of("-Xint"));
        all.put(
                FindingKind.JAVA_DEBUGGED,
                machine -> machine.javaFlags = List.of("-agentlib:jdwp=transport=dt_socket,server=y"));
        all.put(FindingKind.JAVA_UNTRIED, machine -> machine.javaVersion = 26);
        all.put(FindingKind.KERNEL_OLD, machine -> machine.file("proc/sys/kernel/osrelease", "5.4.0-150-generic"));
        all.put(
                FindingKind.KERNEL_WITHOUT_FEATURES,
                machine -> machine.file("proc/sys/kernel/osrelease", "5.10.0-28-amd64"));
        all.put(FindingKind.BPF_JIT_OFF, machine -> machine.file("proc/sys/net/core/bpf_jit_enable", "0"));
        all.put(FindingKind.BPF_JIT_HARDENED, machine -> machine.file("proc/sys/net/core/bpf_jit_harden", "2"));
        all.put(FindingKind.PAGE_SIZE, machine -> machine.pageBytes(65_536));
        // All but CAP_NET_ADMIN, and all but CAP_IPC_LOCK.
        all.put(FindingKind.CAPABILITIES_MISSING, machine -> machine.capabilities("000001ffffffefff"));
        all.put(FindingKind.MEMLOCK_LOW, machine -> machine.capabilities("000001ffffffbfff"));
    }

    private static void ofLink(Map<FindingKind, Consumer<FakeMachine>> all) {
        all.put(FindingKind.LINK_DOWN, machine -> {
            machine.isUp = false;
            machine.isRunning = false;
        });
        all.put(FindingKind.LINK_NO_CARRIER, machine -> machine.isRunning = false);
        all.put(FindingKind.LINK_NOT_ETHERNET, machine -> machine.notEthernet = "interface eth0 is the loopback");
        all.put(FindingKind.LINK_ENSLAVED, machine -> {
            machine.link(FakeMachine.DEVICE + "master", "../br0");
            machine.addresses = List.of();
        });
        all.put(FindingKind.ADDRESS_MISSING, machine -> machine.addresses = List.of());
        all.put(FindingKind.MTU_SMALL, machine -> machine.mtuBytes = 552);
        all.put(FindingKind.MTU_LARGE, machine -> machine.mtuBytes = 12_500);
        all.put(FindingKind.MTU_BEYOND_DRIVER, machine -> {
            machine.mtuBytes = 9000;
            machine.hasScatter = false;
        });
        all.put(FindingKind.MTU_BELOW_ETHERNET, machine -> machine.mtuBytes = 1400);
        all.put(FindingKind.LINK_HALF_DUPLEX, machine -> machine.file(FakeMachine.DEVICE + "duplex", "half"));
        all.put(FindingKind.LINK_RATE_UNKNOWN, machine -> machine.linkRateBps = 0);
        all.put(FindingKind.LINK_PAUSES, machine -> machine.hasPauses = true);
    }

    private static void ofDriver(Map<FindingKind, Consumer<FakeMachine>> all) {
        all.put(
                FindingKind.XDP_PROGRAM_FOREIGN,
                machine -> machine.program =
                        new LoadedProgram(77, "cil_xdp_entry", Optional.of(new ProgramHolder(4711, "cilium-agent"))));
        all.put(FindingKind.XDP_GENERIC_ONLY, machine -> machine.hasPrograms = false);
        all.put(FindingKind.XDP_COPIES, machine -> machine.hasZeroCopy = false);
        all.put(FindingKind.STAMPS_NOT_OF_DEVICE, machine -> machine.hasStamps = false);
        all.put(FindingKind.OFFLOAD_LRO, machine -> machine.features.add("rx-lro"));
        all.put(FindingKind.OFFLOAD_GRO_HW, machine -> machine.features.add("rx-gro-hw"));
        all.put(FindingKind.OFFLOAD_GRO_UDP, machine -> machine.features.add("rx-udp-gro-forwarding"));
        all.put(FindingKind.OFFLOAD_VLAN, machine -> machine.features.add("rx-vlan-hw-parse"));
    }

    private static void ofQueues(Map<FindingKind, Consumer<FakeMachine>> all) {
        all.put(FindingKind.QUEUES_FEW, machine -> {
            machine.receiveQueueCount = 1;
            machine.spreadQueues = new BitSet();
        });
        all.put(FindingKind.QUEUES_CANNOT_TRANSMIT, machine -> machine.transmitQueueCount = 1);
        all.put(FindingKind.RSS_UNEVEN, machine -> machine.spreadQueues = BitSet.valueOf(new long[] {1}));
        all.put(FindingKind.RSS_WITHOUT_PORTS, machine -> machine.hashesUdpPorts = false);
        all.put(FindingKind.RING_SMALL, machine -> machine.rings = new DriverSettings.Rings(256, 8160, 256, 8160));
        all.put(
                FindingKind.COALESCING_LONG,
                machine -> machine.coalescing = new DriverSettings.Coalescing(125, 5, false));
        all.put(
                FindingKind.COALESCING_ADAPTIVE,
                machine -> machine.coalescing = new DriverSettings.Coalescing(5, 5, true));
        all.put(FindingKind.IRQ_ON_LOOP_CPU, machine -> machine.file("proc/irq/60/effective_affinity_list", "3"));
        all.put(FindingKind.IRQ_BALANCER, machine -> machine.file("proc/812/comm", "irqbalance"));
        all.put(FindingKind.RPS_ON, machine -> machine.file(FakeMachine.DEVICE + "queues/rx-0/rps_cpus", "0c"));
        all.put(FindingKind.NAPI_DEFERRED, machine -> {
            machine.file(FakeMachine.DEVICE + "napi_defer_hard_irqs", "2");
            machine.file(FakeMachine.DEVICE + "gro_flush_timeout", "200000");
        });
        all.put(FindingKind.NAPI_THREADED, machine -> machine.file(FakeMachine.DEVICE + "threaded", "1"));
    }

    private static void ofTraffic(Map<FindingKind, Consumer<FakeMachine>> all) {
        all.put(FindingKind.BUSY_POLL_GLOBAL, machine -> machine.file("proc/sys/net/core/busy_poll", "50"));
        all.put(
                FindingKind.SOFTNET_DROPS,
                machine -> machine.file("proc/thread-self/net/softnet_stat", "07654e7b 0000001a 000001e6"));
        all.put(
                FindingKind.NEIGHBOUR_FAILED,
                machine -> machine.neighbours.add(new KernelEvent.Neighbour(
                        false, 2, FakeMachine.address("10.0.0.9"), 0, new NeighbourState(NEIGHBOUR_FAILED))));
        all.put(FindingKind.NEIGHBOUR_TABLE_FULL, machine -> machine.neighbourCount(1000));
        all.put(
                FindingKind.FIREWALL_DROPS_ICMP,
                machine -> machine.firewall = new Firewall(IptablesRules.parse(
                        "iptables", "*filter\n:INPUT ACCEPT [0:0]\n-A INPUT -p icmp -j DROP\nCOMMIT\n")));
        all.put(
                FindingKind.FIREWALL_DROPS_UDP,
                machine -> machine.firewall = new Firewall(IptablesRules.parse(
                        "iptables", "*filter\n:INPUT DROP [0:0]\n-A INPUT -p icmp -j ACCEPT\nCOMMIT\n")));
        all.put(FindingKind.BROKER_STALE, machine -> machine.file("run/weir/eth0.sock", ""));
    }

    private static void ofCpus(Map<FindingKind, Consumer<FakeMachine>> all) {
        all.put(FindingKind.CPU_NOT_ALLOWED, machine -> {
            machine.file("proc/self/status", "Cpus_allowed_list:\t0-1");
            machine.chosenCpus = CpuSet.parse("2-3");
        });
        all.put(FindingKind.CPU_SINGLE, machine -> {
            machine.file(FakeMachine.CPUS + "online", "0");
            machine.file(FakeMachine.CPUS + "isolated", "");
        });
        all.put(FindingKind.CPU_BUSY, machine -> machine.pressure("cpu", "61.70"));
        all.put(
                FindingKind.CPU_STOLEN,
                machine -> machine.file("proc/stat", "cpu  9470519 281639 1397293 4530652 19276 0 199540 1515100 4 0"));
        all.put(FindingKind.CPU_QUOTA, machine -> machine.file("sys/fs/cgroup/system.slice/cpu.max", "200000 100000"));
        all.put(
                FindingKind.CPU_GOVERNOR,
                machine -> machine.file(FakeMachine.CPUS + "cpu3/cpufreq/scaling_governor", "powersave"));
        all.put(
                FindingKind.CPU_IDLE_DEEP,
                machine -> machine.file(FakeMachine.CPUS + "cpu2/cpuidle/state1/disable", "0"));
        all.put(FindingKind.CPU_NOT_ISOLATED, machine -> machine.file(FakeMachine.CPUS + "isolated", ""));
        all.put(
                FindingKind.CLOCK_SLOW,
                machine -> machine.file("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet"));
        all.put(
                FindingKind.CLOCK_NAMESPACE,
                machine -> machine.file("proc/self/timens_offsets", "monotonic     86400         0"));
    }

    private static void ofMemory(Map<FindingKind, Consumer<FakeMachine>> all) {
        all.put(FindingKind.NUMA_REMOTE, machine -> machine.file(FakeMachine.DEVICE + "device/numa_node", "1"));
        all.put(FindingKind.NUMA_BALANCING, machine -> machine.file("proc/sys/kernel/numa_balancing", "1"));
        all.put(FindingKind.MEMORY_SHORT, machine -> machine.file("proc/meminfo", "MemAvailable:   99000 kB"));
        all.put(
                FindingKind.IOMMU_STRICT,
                machine -> machine.file(FakeMachine.DEVICE + "device/iommu_group/type", "DMA"));
        all.put(FindingKind.DPDK_WITHOUT_HUGEPAGES, machine -> machine.pciDriver("vfio-pci"));
        all.put(FindingKind.DPDK_WITHOUT_IOMMU, machine -> {
            machine.pciDriver("uio_pci_generic");
            machine.file("sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "256");
        });
    }
}
