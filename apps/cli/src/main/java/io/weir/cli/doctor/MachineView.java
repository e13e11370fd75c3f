package io.weir.cli.doctor;

import io.weir.nic.NicException;
import io.weir.nic.broker.BrokerConfig;
import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.CpuSet;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A machine as checks see it. The only part that looks: a test gives a folder in place of {@code /}, and answers in
 * place of the kernel's.
 *
 * @param files procfs, sysfs and the like
 * @param java the Java that runs
 * @param device the interface that was named, or empty
 * @param firewall the packet filter
 * @param chosenCpus the CPUs that loops shall run on, {@link CpuSet#ANY} where none were named
 */
record MachineView(HostFiles files, JavaFacts java, Optional<DeviceView> device, Firewall firewall, CpuSet chosenCpus) {
    private static final String ONLINE = "sys/devices/system/cpu/online";

    /** {@return this machine, and an interface of the calling thread's network namespace unless its name is null} */
    static MachineView live(String interfaceName, CpuSet chosenCpus) throws NicException {
        return new MachineView(
                new HostFiles(Path.of("/")),
                JavaFacts.current(),
                interfaceName == null ? Optional.empty() : Optional.of(DeviceView.of(interfaceName)),
                Firewall.live(),
                chosenCpus);
    }

    /** {@return the CPUs of a file in the kernel's notation, none where it does not tell} */
    CpuSet cpus(String path) {
        try {
            return CpuSet.parse(files.text(path));
        } catch (ConfigException e) {
            return CpuSet.ANY;
        }
    }

    /** {@return the CPUs that are on} */
    CpuSet onlineCpus() {
        return cpus(ONLINE);
    }

    /** {@return the CPUs that the kernel leaves to those who ask for them} */
    CpuSet isolatedCpus() {
        return cpus("sys/devices/system/cpu/isolated");
    }

    /** {@return the CPUs that loops run on: those named, else the isolated ones; none where that is not known} */
    CpuSet loopCpus() {
        return chosenCpus.isAny() ? isolatedCpus() : chosenCpus;
    }

    /** {@return the same, but where that is not known all that are on} */
    CpuSet loopOrOnlineCpus() {
        CpuSet loops = loopCpus();
        return loops.isAny() ? onlineCpus() : loops;
    }

    /** {@return the CPUs that the process may use} */
    CpuSet allowedCpus() {
        try {
            return CpuSet.parse(files.value("proc/self/status", "Cpus_allowed_list"));
        } catch (ConfigException e) {
            return CpuSet.ANY;
        }
    }

    /** {@return the effective capabilities of this thread} */
    long capabilities() {
        return HostFiles.number(files.value("proc/thread-self/status", "CapEff"), 0, 16);
    }

    /** {@return whether a process listens at this path of a Unix socket} */
    boolean isListening(String socketPath) {
        return files.lines("proc/thread-self/net/unix").stream().anyMatch(line -> line.endsWith(" " + socketPath));
    }

    /** {@return where a broker of the interface listens, without the first slash} */
    static String brokerSocket(DeviceView device) {
        return BrokerConfig.socketOf(device.name()).toString().substring(1);
    }
}
