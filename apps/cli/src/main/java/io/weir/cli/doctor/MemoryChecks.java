package io.weir.cli.doctor;

import io.weir.transport.runtime.CpuSet;
import java.util.List;
import java.util.Set;

/** Looks at memory: whether there is some, where it is, and how devices reach it. */
final class MemoryChecks {
    private static final double WAITING_PERCENT_MAX = 1;
    private static final long AVAILABLE_KIB_MIN = 256 << 10;
    private static final String NODES = "sys/devices/system/node/";
    private static final String PCI = "sys/bus/pci/devices/";
    /** PCI's class of network controllers. */
    private static final String NETWORK_CLASS = "0x02";

    private static final Set<String> UIO_DRIVERS = Set.of("uio_pci_generic", "igb_uio");
    private static final String VFIO_DRIVER = "vfio-pci";
    private static final String WITHOUT_IOMMU = "sys/module/vfio/parameters/enable_unsafe_noiommu_mode";

    private MemoryChecks() {}

    static void pressure(MachineView machine, Findings found) {
        HostFiles files = machine.files();
        double waiting = Pressure.percent(files.text("proc/pressure/memory"));
        long availableKib = files.numberOf("proc/meminfo", "MemAvailable", Long.MAX_VALUE);
        if (waiting > WAITING_PERCENT_MAX || availableKib < AVAILABLE_KIB_MIN) {
            found.add(
                    FindingKind.MEMORY_SHORT,
                    availableKib < AVAILABLE_KIB_MIN
                            ? (availableKib >> 10) + " MiB of memory are available"
                            : "threads waited for memory in " + waiting + " % of the last 10 s",
                    "# end what is not needed, or add memory; see: free -m");
        }
    }

    static void numa(MachineView machine, Findings found) {
        int nodeCount = machine.cpus(NODES + "online").indexes().size();
        if (nodeCount > 1 && machine.files().number("proc/sys/kernel/numa_balancing", 0) != 0) {
            found.add(
                    FindingKind.NUMA_BALANCING,
                    "kernel.numa_balancing is on, with " + nodeCount + " nodes",
                    "sysctl -w kernel.numa_balancing=0");
        }
    }

    static void device(MachineView machine, DeviceView device, Findings found) {
        HostFiles files = machine.files();
        long node = files.number(device.path("device/numa_node"), -1);
        CpuSet near = machine.cpus(NODES + "node" + node + "/cpulist");
        CpuSet loops = machine.loopCpus();
        if (!near.isAny() && !loops.isAny() && !near.indexes().containsAll(loops.indexes())) {
            found.add(
                    FindingKind.NUMA_REMOTE,
                    device.name() + " is at NUMA node " + node + " (CPUs " + near + "), and loops run on " + loops,
                    "# choose loops' CPUs among those: --cpu " + near);
        }
        String type = files.text(device.path("device/iommu_group/type"));
        if (type.equals("DMA")) {
            found.add(
                    FindingKind.IOMMU_STRICT,
                    "the IOMMU of " + device.name() + " is strict",
                    "# start Linux with iommu.strict=0, or iommu=pt");
        }
    }

    static void dpdk(MachineView machine, Findings found) {
        HostFiles files = machine.files();
        List<String> bound = files.names(PCI).stream()
                .filter(device -> files.text(PCI + device + "/class").startsWith(NETWORK_CLASS))
                .filter(device -> isDpdk(driver(files, device)))
                .toList();
        if (bound.isEmpty()) {
            return;
        }
        String devices = String.join(", ", bound);
        boolean hasPages = files.names("sys/kernel/mm/hugepages").stream()
                .anyMatch(size -> files.number("sys/kernel/mm/hugepages/" + size + "/free_hugepages", 0) > 0);
        if (!hasPages) {
            found.add(
                    FindingKind.DPDK_WITHOUT_HUGEPAGES,
                    devices + " is bound to DPDK, and there are no free hugepages",
                    "echo 256 > /proc/sys/vm/nr_hugepages");
        }
        boolean isOpen = bound.stream().anyMatch(device -> UIO_DRIVERS.contains(driver(files, device)))
                || files.text(WITHOUT_IOMMU).equals("Y");
        if (isOpen) {
            found.add(
                    FindingKind.DPDK_WITHOUT_IOMMU,
                    devices + " is bound to DPDK without an IOMMU",
                    "# start Linux with intel_iommu=on or amd_iommu=on, then: dpdk-devbind.py --bind=vfio-pci "
                            + bound.get(0));
        }
    }

    private static String driver(HostFiles files, String device) {
        return files.linkName(PCI + device + "/driver").orElse("");
    }

    private static boolean isDpdk(String driver) {
        return driver.equals(VFIO_DRIVER) || UIO_DRIVERS.contains(driver);
    }
}
