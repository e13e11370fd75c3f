package io.weir.nic.broker;

import io.weir.nic.SmallFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many UDP ports the users of a broker have. A port takes a descriptor per address of the interface; some stay for
 * accepting clients and for what the broker asks the kernel, a few ports for root, and no other user gets more than
 * half. Any thread.
 */
final class PortQuota {
    /** Ports that only root gets. */
    static final int ROOT_PORTS = 64;
    /** What a client takes besides ports: its socket, its bell, and two of the kernel's answers underway. */
    private static final int DESCRIPTORS_PER_CLIENT = 4;
    /** The JVM's own files, the interface's sockets and maps. */
    private static final int OWN_DESCRIPTORS = 128;

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern OPEN_FILES = Pattern.compile("Max open files +(\\d+)");
    private static final int OPEN_FILES_ASSUMED = 1_024;

    private final int descriptorsMax;
    /** Ports of each user. With the lock. */
    private final Map<Integer, Integer> taken = new HashMap<>();
    /** Ports of all. With the lock. */
    private int takenCount;

    /** With so many descriptors for ports. */
    PortQuota(int descriptorsMax) {
        this.descriptorsMax = descriptorsMax;
    }

    /** {@return one for this process: what its limit leaves, at least half of it} */
    static PortQuota ofProcess() {
        int limit = openFilesMax();
        int others = Broker.CLIENTS_MAX * DESCRIPTORS_PER_CLIENT + OWN_DESCRIPTORS;
        return new PortQuota(Math.max(limit / 2, limit - others));
    }

    private static int openFilesMax() {
        try {
            Matcher matcher = OPEN_FILES.matcher(SmallFile.read(LIMITS));
            return matcher.find()
                    ? (int) Math.min(Integer.MAX_VALUE, Long.parseLong(matcher.group(1)))
                    : OPEN_FILES_ASSUMED;
        } catch (IOException | NumberFormatException e) {
            return OPEN_FILES_ASSUMED;
        }
    }

    /**
     * Takes a port for a user.
     *
     * @param addressCount addresses of the interface
     * @return null, or why the user gets none: what is exceeded, and how to raise it
     */
    synchronized String take(int user, String userName, int addressCount) {
        int portsMax = descriptorsMax / Math.max(1, addressCount);
        int ofUser = taken.getOrDefault(user, 0);
        int ofUserMax = user == 0 ? portsMax : portsMax / 2;
        int ofAllMax = user == 0 ? portsMax : Math.max(0, portsMax - ROOT_PORTS);
        String remedy = "; close some, or raise the broker's limit of open files (LimitNOFILE=, ulimit -n)";
        if (ofUser >= ofUserMax) {
            return "user " + userName + " has " + ofUser + " UDP ports of the broker, the most of one user ("
                    + ofUserMax + ")" + remedy;
        }
        if (takenCount >= ofAllMax) {
            return "the broker's processes have " + takenCount + " UDP ports, the most of all (" + ofAllMax + ")"
                    + remedy;
        }
        taken.put(user, ofUser + 1);
        takenCount++;
        return null;
    }

    /** A user gives a port back. */
    synchronized void giveBack(int user) {
        takenCount--;
        taken.computeIfPresent(user, (known, count) -> count > 1 ? count - 1 : null);
    }
}
