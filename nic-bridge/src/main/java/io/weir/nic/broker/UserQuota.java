package io.weir.nic.broker;

import io.weir.nic.SmallFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of something the users of a broker have. The last sixteenth of it is for root alone, and no other user gets
 * more than half. Any thread.
 */
final class UserQuota {
    private static final int ROOT_PART = 16;

    /** What a client takes besides ports: its socket, its bell, and two of the kernel's answers underway. */
    private static final int DESCRIPTORS_PER_CLIENT = 4;
    /** The JVM's own files, the interface's sockets and maps. */
    private static final int OWN_DESCRIPTORS = 128;

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern OPEN_FILES = Pattern.compile("Max open files +(\\d+)");
    private static final int OPEN_FILES_ASSUMED = 1_024;
    private static final int BYTES_PER_MEGABYTE = 1_000_000;

    private final long amountMax;
    private final LongFunction<String> inWords;
    private final String remedy;
    /** What each user has, never 0. With the lock. */
    private final Map<Integer, Long> taken = new HashMap<>();
    /** What all have. With the lock. */
    private long takenOfAll;

    /**
     * A quota of which nobody has anything.
     *
     * @param inWords an amount with its unit, for a sentence
     * @param remedy how to raise it, for the end of a sentence
     */
    UserQuota(long amountMax, LongFunction<String> inWords, String remedy) {
        this.amountMax = amountMax;
        this.inWords = inWords;
        this.remedy = remedy;
    }

    /**
     * {@return one of this process's descriptors for UDP ports, each of which takes one per address of the interface:
     * what the limit of open files leaves besides clients and the kernel's answers, at least half of it}
     */
    static UserQuota ofDescriptors() {
        int limit = openFilesMax();
        int others = Broker.CLIENTS_MAX * DESCRIPTORS_PER_CLIENT + OWN_DESCRIPTORS;
        return new UserQuota(
                Math.max(limit / 2, limit - others),
                amount -> amount + " descriptors of UDP ports",
                "close some ports, or raise the broker's limit of open files (LimitNOFILE=, ulimit -n)");
    }

    /** {@return one of memory for rings} */
    static UserQuota ofMemory(long bytesMax) {
        return new UserQuota(
                bytesMax,
                amount -> amount / BYTES_PER_MEGABYTE + " MB of rings",
                "end some processes, or give the broker more (--memory)");
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
     * Takes some for a user.
     *
     * @return null, or why the user gets none: what is exceeded, and how to raise it
     */
    synchronized String take(int user, String userName, long amount) {
        long ofUser = taken.getOrDefault(user, 0L);
        long ofUserMax = user == 0 ? amountMax : amountMax / 2;
        long ofAllMax = user == 0 ? amountMax : amountMax - amountMax / ROOT_PART;
        if (ofUser + amount > ofUserMax) {
            return excess("user " + userName + " has", ofUser, amount, "one user", ofUserMax);
        }
        if (takenOfAll + amount > ofAllMax) {
            return excess("the broker's processes have", takenOfAll, amount, "all but root", ofAllMax);
        }
        taken.put(user, ofUser + amount);
        takenOfAll += amount;
        return null;
    }

    private String excess(String who, long had, long amount, String whose, long max) {
        return who + " " + inWords.apply(had) + ", and " + inWords.apply(amount) + " more would exceed what " + whose
                + " may have (" + inWords.apply(max) + "); " + remedy;
    }

    /** A user gives back what it took. */
    synchronized void giveBack(int user, long amount) {
        takenOfAll -= amount;
        taken.compute(user, (known, had) -> had == amount ? null : Long.valueOf(had - amount));
    }

    /** {@return what all have} */
    synchronized long takenOfAll() {
        return takenOfAll;
    }
}
