package io.weir.cli.doctor;

import io.weir.transport.runtime.CpuSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Looks at the cores that loops run on: who else wants them, how fast they are, and what time they tell. */
final class CpuChecks {
    private static final String CPUS = "sys/devices/system/cpu/";
    /** Of ten seconds, the share in which some thread waited for a core. */
    private static final double WAITING_PERCENT_MAX = 25;

    private static final double STOLEN_PERCENT_MAX = 2;
    private static final int STAT_STOLEN_FIELD = 8;
    private static final double PERCENT = 100;
    private static final long IDLE_EXIT_MICROS_MAX = 50;

    /** Those that the C library reads without a system call. */
    private static final Set<String> FAST_CLOCKS =
            Set.of("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter");

    private CpuChecks() {}

    static void count(MachineView machine, Findings found) {
        CpuSet online = machine.onlineCpus();
        if (online.indexes().size() == 1) {
            found.add(FindingKind.CPU_SINGLE, "the machine has one CPU", "# give it two or more");
        }
        CpuSet chosen = machine.chosenCpus();
        CpuSet allowed = machine.allowedCpus();
        if (!chosen.isAny() && !allowed.isAny() && !allowed.indexes().containsAll(chosen.indexes())) {
            found.add(
                    FindingKind.CPU_NOT_ALLOWED,
                    "CPUs " + chosen + " were chosen, and the process may use " + allowed,
                    "# choose among those, or widen cpuset.cpus of its control group (AllowedCPUs= of a systemd unit)");
        }
    }

    static void load(MachineView machine, Findings found) {
        HostFiles files = machine.files();
        double waiting = Pressure.percent(files.text("proc/pressure/cpu"));
        if (waiting > WAITING_PERCENT_MAX) {
            found.add(
                    FindingKind.CPU_BUSY,
                    "threads waited for a core in " + waiting + " % of the last 10 s",
                    "# end what is not needed, or keep cores free for loops; see: top");
        }
        double stolen = stolenPercent(files.text("proc/stat"));
        if (stolen > STOLEN_PERCENT_MAX) {
            found.add(
                    FindingKind.CPU_STOLEN,
                    Math.round(stolen) + " % of the CPUs' time since the start went to others of this machine's host",
                    "# give the virtual machine dedicated cores");
        }
    }

    private static double stolenPercent(String stat) {
        String[] fields = stat.lines().findFirst().orElse("").split("\\s+", -1);
        double all = 0;
        // Behind the first eight kinds come guests', which are in the others already.
        for (int i = 1; i < fields.length && i <= STAT_STOLEN_FIELD; i++) {
            all += HostFiles.number(fields[i], 0, 10);
        }
        return all == 0 || fields.length <= STAT_STOLEN_FIELD
                ? 0
                : PERCENT * HostFiles.number(fields[STAT_STOLEN_FIELD], 0, 10) / all;
    }

    static void balancer(MachineView machine, Findings found) {
        HostFiles files = machine.files();
        files.names("proc").stream()
                .filter(process -> Character.isDigit(process.charAt(0)))
                .filter(process -> files.text("proc/" + process + "/comm").equals("irqbalance"))
                .findFirst()
                .ifPresent(process -> found.add(
                        FindingKind.IRQ_BALANCER,
                        "irqbalance runs as process " + process,
                        "systemctl disable --now irqbalance"));
    }

    static void quota(MachineView machine, Findings found) {
        String group = machine.files().lines("proc/self/cgroup").stream()
                .filter(line -> line.startsWith("0::/"))
                .map(line -> line.substring("0::/".length()))
                .findFirst()
                .orElse("");
        // The limits of the groups around it hold, too.
        for (String path = group; ; path = path.substring(0, Math.max(0, path.lastIndexOf('/')))) {
            String file = "sys/fs/cgroup/" + (path.isEmpty() ? "" : path + "/") + "cpu.max";
            String[] limit = machine.files().text(file).split("\\s+", -1);
            if (limit.length == 2 && !limit[0].equals("max")) {
                found.add(
                        FindingKind.CPU_QUOTA,
                        "/" + file + " allows " + limit[0] + " us of CPU time per " + limit[1] + " us",
                        "echo max > " + ShellText.word("/" + file) + "  # or CPUQuota= of the systemd unit");
                return;
            }
            if (path.isEmpty()) {
                return;
            }
        }
    }

    static void frequency(MachineView machine, Findings found) {
        List<String> slow = new ArrayList<>();
        Set<String> governors = new TreeSet<>();
        for (int cpu : machine.loopOrOnlineCpus().indexes()) {
            String governor = machine.files().text(CPUS + "cpu" + cpu + "/cpufreq/scaling_governor");
            if (!governor.isEmpty() && !governor.equals("performance")) {
                slow.add(Integer.toString(cpu));
                governors.add(governor);
            }
        }
        if (!slow.isEmpty()) {
            found.add(
                    FindingKind.CPU_GOVERNOR,
                    "the governor of CPUs " + String.join(",", slow) + " is " + String.join(", ", governors),
                    "for file in /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor;"
                            + " do echo performance > \"$file\"; done");
        }
        deepIdle(machine, found);
    }

    private static void deepIdle(MachineView machine, Findings found) {
        long micros = 0;
        for (int cpu : machine.loopOrOnlineCpus().indexes()) {
            String folder = CPUS + "cpu" + cpu + "/cpuidle/";
            for (String state : machine.files().names(folder)) {
                if (machine.files().number(folder + state + "/disable", 0) == 0) {
                    micros = Math.max(micros, machine.files().number(folder + state + "/latency", 0));
                }
            }
        }
        if (micros > IDLE_EXIT_MICROS_MAX) {
            found.add(
                    FindingKind.CPU_IDLE_DEEP,
                    "an idle core may need " + micros + " us to wake",
                    "cpupower idle-set -D " + IDLE_EXIT_MICROS_MAX + "  # or let loops spin: --idle spin");
        }
    }

    static void isolation(MachineView machine, Findings found) {
        CpuSet isolated = machine.isolatedCpus();
        CpuSet loops = machine.chosenCpus();
        int onlineCount = machine.onlineCpus().indexes().size();
        boolean isKept = loops.isAny() ? !isolated.isAny() : isolated.indexes().containsAll(loops.indexes());
        if (!isKept && onlineCount > 1) {
            found.add(
                    FindingKind.CPU_NOT_ISOLATED,
                    loops.isAny()
                            ? "the kernel keeps no CPU free for loops"
                            : "the scheduler puts other threads on CPUs " + loops + ", too",
                    "# start Linux with isolcpus=LIST, and Weir with --cpu LIST");
        }
    }

    static void clock(MachineView machine, Findings found) {
        String source = machine.files().text("sys/devices/system/clocksource/clocksource0/current_clocksource");
        if (!source.isEmpty() && !FAST_CLOCKS.contains(source)) {
            found.add(
                    FindingKind.CLOCK_SLOW,
                    "the clock source is " + source,
                    "echo tsc > /sys/devices/system/clocksource/clocksource0/current_clocksource");
        }
        boolean isShifted = machine.files().lines("proc/self/timens_offsets").stream()
                .map(line -> line.split("\\s+", -1))
                .anyMatch(fields -> fields.length == 3
                        && fields[0].equals("monotonic")
                        && !(fields[1].equals("0") && fields[2].equals("0")));
        if (isShifted) {
            found.add(
                    FindingKind.CLOCK_NAMESPACE,
                    "the process has a time namespace with another monotonic clock",
                    "# start it without one (unshare --time, timens of a container)");
        }
    }
}
