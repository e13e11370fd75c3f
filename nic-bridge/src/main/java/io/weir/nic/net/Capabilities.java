package io.weir.nic.net;

import io.weir.nic.NicException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The capabilities that AF_XDP needs, checked before anything is changed. Locked memory is not among them: a limit that
 * is high enough does as well, and the kernel says when it is not.
 */
public final class Capabilities {
    private static final Path STATUS = Path.of("/proc/thread-self/status");
    private static final String EFFECTIVE = "CapEff:";
    private static final int NET_ADMIN = 12;
    private static final int NET_RAW = 13;
    private static final int IPC_LOCK = 14;
    private static final int SYS_ADMIN = 21;
    private static final int PERFMON = 38;
    private static final int BPF = 39;

    private Capabilities() {}

    /** Refuses when the calling thread may not open AF_XDP sockets, or not load and attach the program. */
    public static void requireForXdp() throws NicException {
        List<String> missing = missingForXdp(effective());
        if (!missing.isEmpty()) {
            throw new NicException(
                    "missing " + String.join(", ", missing)
                            + ": run as root, or give them to the process as ambient capabilities, by AmbientCapabilities= of a systemd unit"
                            + " or by setpriv (SECURITY.md, Privileges, has both); setcap on java keeps it from finding its libraries");
        }
    }

    /**
     * {@return those that AF_XDP needs and a thread lacks, each with its purpose}
     *
     * @param effective the thread's effective capabilities, as the kernel's status file has them after CapEff
     */
    public static List<String> missingForXdp(long effective) {
        List<String> missing = new ArrayList<>();
        if (!has(effective, NET_RAW)) {
            missing.add("CAP_NET_RAW (AF_XDP sockets)");
        }
        if (!has(effective, NET_ADMIN)) {
            missing.add("CAP_NET_ADMIN (attaching the XDP program)");
        }
        if (!has(effective, BPF) && !has(effective, SYS_ADMIN)) {
            missing.add("CAP_BPF (loading the XDP program)");
        }
        // Without it the kernel's verifier allows a program no arithmetic on where a frame's parts are.
        if (!has(effective, PERFMON) && !has(effective, SYS_ADMIN)) {
            missing.add("CAP_PERFMON (loading the XDP program)");
        }
        return missing;
    }

    /** {@return whether a thread with these effective capabilities may lock memory beyond the limit} */
    public static boolean mayLockMemory(long effective) {
        return has(effective, IPC_LOCK);
    }

    private static boolean has(long effective, int capability) {
        return (effective >>> capability & 1) != 0;
    }

    private static long effective() throws NicException {
        try {
            for (String line : Files.readAllLines(STATUS)) {
                if (line.startsWith(EFFECTIVE)) {
                    return Long.parseUnsignedLong(
                            line.substring(EFFECTIVE.length()).strip(), 16);
                }
            }
        } catch (IOException e) {
            throw new NicException("read the capabilities from " + STATUS + ": " + e.getMessage(), e);
        }
        throw new NicException("no line " + EFFECTIVE + " in " + STATUS);
    }
}
