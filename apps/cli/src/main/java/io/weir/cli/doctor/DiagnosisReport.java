package io.weir.cli.doctor;

import io.weir.cli.environment.Fingerprint;
import io.weir.cli.output.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a bug report needs to know of a machine, in one text: the build, the findings, and what the kernel tells of
 * its load, its queues and the interface. No payload is in it, no file of a user, and of Java's flags and the kernel's
 * only those that are known to be harmless.
 */
final class DiagnosisReport {
    private static final int LINES_MAX = 400;

    private static final List<String> FILES = List.of(
            "proc/sys/kernel/osrelease",
            "proc/loadavg",
            "proc/stat",
            "proc/pressure/cpu",
            "proc/pressure/memory",
            "proc/pressure/irq",
            "proc/meminfo",
            "proc/self/limits",
            "proc/self/cgroup",
            "proc/interrupts",
            "proc/softirqs",
            "proc/thread-self/net/softnet_stat",
            "proc/thread-self/net/snmp",
            "proc/thread-self/net/dev",
            "sys/devices/system/cpu/online",
            "sys/devices/system/cpu/isolated",
            "sys/devices/system/node/online",
            "sys/devices/system/clocksource/clocksource0/current_clocksource");

    private static final List<String> FILES_OF_DEVICE = List.of(
            "mtu",
            "operstate",
            "duplex",
            "speed",
            "napi_defer_hard_irqs",
            "gro_flush_timeout",
            "threaded",
            "device/numa_node");

    /** What the kernel was started with, as far as it is about cores and memory. */
    private static final Set<String> KERNEL_WORDS = Set.of(
            "isolcpus",
            "nohz_full",
            "rcu_nocbs",
            "iommu",
            "intel_iommu",
            "amd_iommu",
            "iommu.strict",
            "mitigations",
            "default_hugepagesz",
            "hugepagesz",
            "hugepages",
            "idle",
            "processor.max_cstate",
            "intel_idle.max_cstate",
            "nosmt");

    private DiagnosisReport() {}

    /** {@return the lines of the report, with all addresses} */
    static List<String> lines(MachineView machine, DoctorResult result, Fingerprint environment) {
        List<String> lines = new ArrayList<>();
        lines.add("weir doctor, a report for a bug");
        section(lines, "environment", List.of(Json.line(environment)));
        section(lines, "findings", DoctorText.report(result));
        section(lines, "java", java(machine.java()));
        String started = Stream.of(machine.files().text("proc/cmdline").split("\\s+", -1))
                .filter(word -> KERNEL_WORDS.contains(word.split("=", 2)[0]))
                .reduce("", (all, word) -> all.isEmpty() ? word : all + " " + word);
        section(lines, "kernel started with", List.of(started));
        machine.device().ifPresent(device -> {
            section(
                    lines,
                    "interface",
                    List.of(
                            device.facts().toString(),
                            device.features().toString(),
                            device.settings().toString(),
                            "program="
                                    + device.program()
                                            .map(program -> program.id() + " " + program.name())
                                            .orElse("none"),
                            "neighbours=" + device.neighbours()));
            FILES_OF_DEVICE.forEach(file -> add(lines, machine.files(), device.path(file)));
            section(lines, "statistics", statistics(machine.files(), device.path("statistics")));
        });
        FILES.forEach(file -> add(lines, machine.files(), file));
        return lines;
    }

    private static List<String> java(JavaFacts java) {
        List<String> lines = new ArrayList<>();
        lines.add("version=" + java.version() + " directBytesMax=" + java.directBytesMax());
        // Properties may hold what is nobody's business.
        java.flags().stream().filter(flag -> flag.startsWith("-X")).forEach(lines::add);
        return lines;
    }

    private static List<String> statistics(HostFiles files, String folder) {
        return files.names(folder).stream()
                .map(name -> Map.entry(name, files.text(folder + "/" + name)))
                .filter(entry -> !entry.getValue().equals("0"))
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
    }

    private static void add(List<String> lines, HostFiles files, String path) {
        List<String> text = files.lines(path);
        if (!text.isEmpty()) {
            section(lines, "/" + path, text);
        }
    }

    private static void section(List<String> lines, String title, List<String> text) {
        lines.add("");
        lines.add("== " + title);
        text.stream().limit(LINES_MAX).forEach(lines::add);
        if (text.size() > LINES_MAX) {
            lines.add("(" + (text.size() - LINES_MAX) + " more lines)");
        }
    }
}
