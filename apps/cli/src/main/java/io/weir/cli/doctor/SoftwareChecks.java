package io.weir.cli.doctor;

import io.weir.nic.net.Capabilities;
import io.weir.nic.xdp.AfXdp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at Java, at the kernel, and at what the process may do. */
final class SoftwareChecks {
    private static final int JAVA_TRIED_MAX = 25;
    private static final Pattern RELEASE = Pattern.compile("(\\d{1,4})\\.(\\d{1,4}).*");
    private static final int VERSION_SHIFT = 16;
    /** 5.10, and 6.3, from which on the kernel tells what drivers offer. */
    private static final int VERSION_MIN = 5 << VERSION_SHIFT | 10;

    private static final int VERSION_WITH_FEATURES = 6 << VERSION_SHIFT | 3;
    private static final int PAGE_BYTES = 4096;
    private static final int AUXILIARY_PAGE_SIZE = 6;
    private static final String JIT = "proc/sys/net/core/bpf_jit_enable";
    private static final String JIT_HARDENING = "proc/sys/net/core/bpf_jit_harden";

    /** The pool of a port with one queue: 8,192 frames, in slots of 2 KiB, or of a page where frames are longer. */
    private static final int POOL_FRAMES = 8192;

    private static final int SLOT_BYTES_SMALL = 2048;
    private static final int SLOT_BYTES = 4096;
    private static final int SLOT_MTU_BYTES_MAX = 1774;

    private SoftwareChecks() {}

    static void java(MachineView machine, Findings found) {
        JavaFacts java = machine.java();
        long poolBytes = poolBytes(machine);
        if (java.directBytesMax() < poolBytes) {
            found.add(
                    FindingKind.JAVA_DIRECT_MEMORY,
                    "Java gives out " + mebibytes(java.directBytesMax()) + " of direct memory; a port takes "
                            + mebibytes(poolBytes),
                    "export JDK_JAVA_OPTIONS=-XX:MaxDirectMemorySize=256m");
        }
        List<String> flags = java.flags();
        if (flags.contains("-Xint")) {
            found.add(FindingKind.JAVA_INTERPRETED, "Java was started with -Xint", "# start Java without -Xint");
        }
        flags.stream()
                .filter(flag -> flag.startsWith("-agentlib:jdwp") || flag.startsWith("-Xrunjdwp"))
                .findFirst()
                .ifPresent(flag -> found.add(
                        FindingKind.JAVA_DEBUGGED,
                        "Java was started with " + ShellText.line(flag),
                        "# start Java without it"));
        if (java.version() > JAVA_TRIED_MAX) {
            found.add(
                    FindingKind.JAVA_UNTRIED,
                    "Java " + java.version() + " is newer than " + JAVA_TRIED_MAX,
                    "# set JAVA_HOME to a JDK of 17 to " + JAVA_TRIED_MAX);
        }
    }

    static void kernel(MachineView machine, Findings found) {
        HostFiles files = machine.files();
        String release = files.text("proc/sys/kernel/osrelease");
        Matcher version = RELEASE.matcher(release);
        int number = version.matches()
                ? Integer.parseInt(version.group(1)) << VERSION_SHIFT | Integer.parseInt(version.group(2))
                : VERSION_WITH_FEATURES;
        String upgrade = "# start Linux 6.6 or newer, as of the distribution's newest kernel package";
        if (number < VERSION_MIN) {
            found.add(FindingKind.KERNEL_OLD, "Linux " + release + " is older than 5.10", upgrade);
        } else if (number < VERSION_WITH_FEATURES) {
            found.add(FindingKind.KERNEL_WITHOUT_FEATURES, "Linux " + release + " is older than 6.3", upgrade);
        }
        if (files.number(JIT, 1) == 0) {
            found.add(FindingKind.BPF_JIT_OFF, "net.core.bpf_jit_enable is 0", "sysctl -w net.core.bpf_jit_enable=1");
        }
        if (files.number(JIT_HARDENING, 0) > 1) {
            found.add(
                    FindingKind.BPF_JIT_HARDENED,
                    "net.core.bpf_jit_harden is 2, for privileged programs too",
                    "sysctl -w net.core.bpf_jit_harden=1");
        }
        long pageBytes = pageBytes(files.bytes("proc/self/auxv"));
        if (pageBytes != PAGE_BYTES) {
            found.add(
                    FindingKind.PAGE_SIZE,
                    "pages have " + pageBytes + " bytes, not " + PAGE_BYTES,
                    "# start a kernel with pages of 4 KiB");
        }
    }

    /** {@return what the kernel told the process at its start, in pairs of a key and a value} */
    private static long pageBytes(byte[] auxiliary) {
        ByteBuffer pairs = ByteBuffer.wrap(auxiliary).order(ByteOrder.nativeOrder());
        while (pairs.remaining() >= 2 * Long.BYTES) {
            long key = pairs.getLong();
            long value = pairs.getLong();
            if (key == AUXILIARY_PAGE_SIZE) {
                return value;
            }
        }
        return PAGE_BYTES;
    }

    static void rights(MachineView machine, Findings found) {
        long capabilities = machine.capabilities();
        boolean isServed = machine.device()
                .map(device -> machine.isListening("/" + MachineView.brokerSocket(device)))
                .orElse(false);
        List<String> missing = Capabilities.missingForXdp(capabilities);
        if (!missing.isEmpty() && !isServed) {
            found.add(
                    FindingKind.CAPABILITIES_MISSING,
                    "missing " + String.join(", ", missing),
                    "# run as root, or give them as ambient capabilities: SECURITY.md, Privileges");
        }
        // The hard limit: a port raises the soft one to it.
        String[] limit = machine.files().lines("proc/self/limits").stream()
                .filter(line -> line.startsWith("Max locked memory"))
                .map(line ->
                        line.substring("Max locked memory".length()).strip().split("\\s+", -1))
                .findFirst()
                .orElse(new String[0]);
        long bytes = limit.length < 2 ? Long.MAX_VALUE : HostFiles.number(limit[1], Long.MAX_VALUE, 10);
        long poolBytes = poolBytes(machine);
        if (!Capabilities.mayLockMemory(capabilities) && bytes < poolBytes && !isServed) {
            found.add(
                    FindingKind.MEMLOCK_LOW,
                    "without CAP_IPC_LOCK " + mebibytes(bytes) + " may be locked; a port takes " + mebibytes(poolBytes),
                    "ulimit -l unlimited  # as root, or LimitMEMLOCK=infinity of a systemd unit");
        }
    }

    private static long poolBytes(MachineView machine) {
        int mtuBytes = machine.device().map(device -> device.facts().mtuBytes()).orElse(0);
        long slotBytes = mtuBytes <= SLOT_MTU_BYTES_MAX
                ? SLOT_BYTES_SMALL
                : mtuBytes <= AfXdp.ONE_PIECE_MTU_BYTES_MAX ? SLOT_BYTES : 2 * SLOT_BYTES;
        return POOL_FRAMES * slotBytes;
    }

    private static String mebibytes(long bytes) {
        return (bytes >> 20) + " MiB";
    }
}
