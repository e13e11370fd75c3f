package io.weir.cli.doctor;

import io.weir.nic.bpf.LoadedProgram;
import io.weir.nic.net.DriverFeatures;
import io.weir.nic.net.DriverSettings;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.KernelEvent;
import io.weir.nic.net.LocalAddress;
import io.weir.transport.runtime.CpuSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A server with two processors and a NIC that can do everything, on which there is nothing to find; a test breaks one
 * thing of it. Its files are in a folder.
 */
final class FakeMachine {
    static final String DEVICE = "sys/class/net/eth0/";
    static final String CPUS = "sys/devices/system/cpu/";

    private final Path root;

    int javaVersion = 25;
    List<String> javaFlags = List.of("-XX:InlineSmallCode=1000");
    long directBytesMax = 1L << 30;
    String name = "eth0";
    int mtuBytes = 1500;
    boolean isUp = true;
    boolean isRunning = true;
    int receiveQueueCount = 4;
    int transmitQueueCount = 4;
    long linkRateBps = 25_000_000_000L;
    List<LocalAddress> addresses = List.of(new LocalAddress(address("10.0.0.1"), 24));
    boolean hasPrograms = true;
    boolean hasStamps = true;
    boolean hasZeroCopy = true;
    String driver = "ixgbe";
    boolean hasScatter = true;
    final Set<String> features = new TreeSet<>(Set.of("rx-checksum", "rx-gro"));
    DriverSettings.Rings rings = new DriverSettings.Rings(2048, 8160, 2048, 8160);
    DriverSettings.Coalescing coalescing = new DriverSettings.Coalescing(5, 5, false);
    boolean hasPauses;
    boolean hashesUdpPorts = true;
    BitSet spreadQueues = BitSet.valueOf(new long[] {0xF});
    LoadedProgram program;
    final List<KernelEvent.Neighbour> neighbours = new ArrayList<>();
    String notEthernet = "";
    boolean hasDevice = true;
    CpuSet chosenCpus = CpuSet.ANY;
    Firewall firewall = Firewall.NONE;

    FakeMachine(Path root) {
        this.root = root;
        software();
        cpus();
        memory();
        device();
    }

    private void software() {
        file("proc/sys/kernel/osrelease", "6.18.44-amd64");
        file("proc/sys/net/core/bpf_jit_enable", "1");
        file("proc/sys/net/core/bpf_jit_harden", "0");
        pageBytes(4096);
        file("proc/thread-self/status", "Name:\tjava\nCapInh:\t0000000000000000\nCapEff:\t000001ffffffffff");
        file("proc/self/status", "Name:\tjava\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7");
        lockedBytes("8388608");
        file("proc/self/cgroup", "0::/system.slice/weir.service");
        file("sys/fs/cgroup/system.slice/weir.service/cpu.max", "max 100000");
        file("sys/fs/cgroup/system.slice/cpu.max", "max 100000");
        file("proc/thread-self/net/unix", "Num       RefCount Protocol Flags    Type St Inode Path");
        file("proc/sys/net/core/busy_poll", "0");
        file("proc/sys/net/core/busy_read", "0");
        file("proc/thread-self/net/softnet_stat", "07654e7b 00000000 000001e6\n0730397e 00000000 000001f0");
        file("proc/sys/net/ipv4/neigh/default/gc_thresh3", "1024");
        neighbourCount(4);
    }

    private void cpus() {
        file(CPUS + "online", "0-7");
        file(CPUS + "isolated", "2-3");
        for (int cpu = 0; cpu < 8; cpu++) {
            file(CPUS + "cpu" + cpu + "/cpufreq/scaling_governor", "performance");
            file(CPUS + "cpu" + cpu + "/cpuidle/state0/latency", "2");
            file(CPUS + "cpu" + cpu + "/cpuidle/state1/latency", "133");
            file(CPUS + "cpu" + cpu + "/cpuidle/state1/disable", "1");
        }
        file("proc/stat", "cpu  9470519 281639 1397293 4530652 19276 0 199540 1510 4 0\ncpu0 1 2 3");
        pressure("cpu", "0.32");
        file("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc");
        file("proc/self/timens_offsets", "monotonic           0         0\nboottime            0         0");
    }

    private void memory() {
        pressure("memory", "0.00");
        file("proc/meminfo", "MemTotal:       65842640 kB\nMemAvailable:   32842640 kB");
        file("sys/devices/system/node/online", "0-1");
        file("sys/devices/system/node/node0/cpulist", "0-3");
        file("sys/devices/system/node/node1/cpulist", "4-7");
        file("proc/sys/kernel/numa_balancing", "0");
        pciDriver(driver);
        file("sys/bus/pci/devices/0000:03:00.0/class", "0x020000");
        file("sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "0");
    }

    private void device() {
        file(DEVICE + "duplex", "full");
        file(DEVICE + "device/numa_node", "0");
        file(DEVICE + "device/iommu_group/type", "DMA-FQ");
        file(DEVICE + "device/msi_irqs/60", "msix");
        file("proc/irq/60/effective_affinity_list", "1");
        file(DEVICE + "napi_defer_hard_irqs", "0");
        file(DEVICE + "gro_flush_timeout", "0");
        file(DEVICE + "threaded", "0");
        file(DEVICE + "queues/rx-0/rps_cpus", "00");
        file(DEVICE + "queues/tx-0/xps_cpus", "ff");
    }

    /** Writes a file. */
    void file(String path, String text) {
        write(path, (text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private void write(String path, byte[] bytes) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(file.getParent());
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes a symbolic link, in place of one that is there. */
    void link(String path, String target) {
        try {
            Path link = root.resolve(path);
            Files.createDirectories(link.getParent());
            Files.deleteIfExists(link);
            Files.createSymbolicLink(link, Path.of(target));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void pageBytes(long bytes) {
        write(
                "proc/self/auxv",
                ByteBuffer.allocate(4 * Long.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .putLong(33)
                        .putLong(0x7ffc_0000_0000L)
                        .putLong(6)
                        .putLong(bytes)
                        .array());
    }

    void capabilities(String effective) {
        file("proc/thread-self/status", "Name:\tjava\nCapEff:\t" + effective);
    }

    void lockedBytes(String hard) {
        file(
                "proc/self/limits",
                "Limit                     Soft Limit           Hard Limit           Units     \n"
                        + "Max locked memory         65536                " + hard + "              bytes     ");
    }

    void pressure(String of, String percent) {
        file(
                "proc/pressure/" + of,
                "some avg10=" + percent + " avg60=0.00 avg300=0.00 total=31625131326\nfull avg10=0");
    }

    void neighbourCount(int count) {
        String line = String.format("%08x  0002136d 000203bc", count);
        file("proc/thread-self/net/stat/arp_cache", "entries  allocs   destroys\n" + line + "\n" + line);
    }

    void pciDriver(String driver) {
        link("sys/bus/pci/devices/0000:03:00.0/driver", "../../../../bus/pci/drivers/" + driver);
    }

    static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** {@return what checks see} */
    MachineView view() {
        return new MachineView(
                new HostFiles(root),
                new JavaFacts(javaVersion, javaFlags, directBytesMax),
                hasDevice ? Optional.of(deviceView()) : Optional.empty(),
                firewall,
                chosenCpus);
    }

    private DeviceView deviceView() {
        InterfaceFacts facts = new InterfaceFacts(
                name,
                2,
                0x0200_0a00_0001L,
                mtuBytes,
                isUp,
                isRunning,
                receiveQueueCount,
                driver,
                linkRateBps,
                program == null ? 0 : program.id(),
                addresses);
        DriverSettings settings = new DriverSettings(
                features, transmitQueueCount, rings, coalescing, hasPauses, hasPauses, hashesUdpPorts, spreadQueues);
        return new DeviceView(
                facts,
                new DriverFeatures(hasPrograms, hasStamps, hasStamps, hasZeroCopy, hasScatter, ""),
                settings,
                Optional.ofNullable(program),
                neighbours,
                notEthernet);
    }
}
