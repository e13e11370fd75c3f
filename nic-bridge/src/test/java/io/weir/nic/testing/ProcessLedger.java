package io.weir.nic.testing;

import io.weir.transport.runtime.OwnTimeLimit;
import io.weir.transport.telemetry.AccountId;
import io.weir.transport.telemetry.Ledger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What this process has of the kernel at one moment: descriptors but those of files (sockets, rings, bells, programs
 * and maps of BPF, namespaces), Weir's threads, memory mapped from the kernel, namespaces with a name. A test takes one
 * before and one after: what has come and not gone is left behind.
 */
public final class ProcessLedger {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path MAPPINGS = Path.of("/proc/self/maps");
    private static final Path NAMESPACES = Path.of("/run/netns");
    /** Where a range of memory begins and ends, and what it is mapped from, if that is no file. */
    private static final Pattern MAPPING =
            Pattern.compile("(\\p{XDigit}+)-(\\p{XDigit}+) \\S+ \\S+ \\S+ \\S+ +((?:socket:|/memfd:|anon_inode:).*)");

    /** What our threads are named by. Those of the virtual machine and of libraries stay when they like. */
    private static final String OUR_THREADS = "weir";

    private static final long CLOSING_NANOS_MAX = TimeUnit.SECONDS.toNanos(20);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    static {
        try {
            // The JDK keeps a socket from the first channel on.
            DatagramChannel.open().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final Set<String> descriptors;
    private final TreeMap<Long, String> threads = new TreeMap<>();
    private final TreeMap<String, Long> mappings = new TreeMap<>();
    private final Set<String> namespaces;

    private ProcessLedger() throws IOException {
        descriptors = Set.copyOf(descriptors());
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith(OUR_THREADS)) {
                threads.put(thread.getId(), thread.getName());
            }
        }
        for (String line : Files.readAllLines(MAPPINGS)) {
            Matcher matcher = MAPPING.matcher(line);
            if (matcher.matches()) {
                long start = Long.parseUnsignedLong(matcher.group(1), 16);
                mappings.put(
                        matcher.group(3) + " at " + matcher.group(1),
                        Long.parseUnsignedLong(matcher.group(2), 16) - start);
            }
        }
        namespaces = namespaces();
    }

    /** {@return what there is now} */
    public static ProcessLedger now() throws IOException {
        return new ProcessLedger();
    }

    private static List<String> descriptors() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> entries = Files.list(DESCRIPTORS)) {
            for (Path entry : entries.toList()) {
                String target = targetOf(entry);
                // Classes come from files, which the virtual machine opens when it likes.
                if (target != null && !(target.startsWith("/") && !target.startsWith("/memfd:"))) {
                    found.add(entry.getFileName() + " " + target);
                }
            }
        }
        return found;
    }

    /** {@return what a descriptor is, or null if it has been closed meanwhile} */
    private static String targetOf(Path entry) {
        try {
            return Files.readSymbolicLink(entry).toString();
        } catch (IOException e) {
            return null;
        }
    }

    /** {@return those of this process} */
    private static Set<String> namespaces() throws IOException {
        if (!Files.isDirectory(NAMESPACES)) {
            return Set.of();
        }
        String own = "weir-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> files = Files.list(NAMESPACES)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(own))
                    .collect(Collectors.toSet());
        }
    }

    /** {@return what has come since {@code before} and is there still} */
    public Ledger since(ProcessLedger before) {
        return new Ledger()
                .add(AccountId.DESCRIPTORS, newDescriptors(before).count())
                .add(AccountId.THREADS, newThreads(before).count())
                .add(
                        AccountId.MAPPED_BYTES,
                        newMappings(before).mapToLong(mappings::get).sum())
                .add(AccountId.NAMESPACES, newNamespaces(before).count());
    }

    private Stream<String> newDescriptors(ProcessLedger before) {
        return descriptors.stream().filter(Predicate.not(before.descriptors::contains));
    }

    private Stream<Long> newThreads(ProcessLedger before) {
        return threads.keySet().stream().filter(id -> !before.threads.containsKey(id));
    }

    private Stream<String> newMappings(ProcessLedger before) {
        return mappings.keySet().stream().filter(name -> !before.mappings.containsKey(name));
    }

    private Stream<String> newNamespaces(ProcessLedger before) {
        return namespaces.stream().filter(Predicate.not(before.namespaces::contains));
    }

    /** {@return each thing that has come since {@code before} and is there still, by name} */
    public List<String> listSince(ProcessLedger before) {
        List<String> names = new ArrayList<>();
        newDescriptors(before).map(name -> "descriptor " + name).forEach(names::add);
        newThreads(before).map(id -> "thread " + threads.get(id)).forEach(names::add);
        newMappings(before).map(name -> "mapping " + name).forEach(names::add);
        newNamespaces(before).map(name -> "namespace " + name).forEach(names::add);
        return names;
    }

    /**
     * Waits until all that has come since this ledger was taken is gone: threads end a moment after what they served.
     *
     * @throws AssertionError if something stays
     */
    public void requireNothingLeft() throws IOException {
        OwnTimeLimit limit = OwnTimeLimit.ofNanos(CLOSING_NANOS_MAX);
        ProcessLedger after = now();
        while (!after.since(this).isBalanced() && limit.leftNanos() > 0) {
            LockSupport.parkNanos(LOOK_NANOS);
            after = now();
        }
        if (!after.since(this).isBalanced()) {
            throw new AssertionError(after.since(this) + " left behind: " + after.listSince(this));
        }
    }
}
