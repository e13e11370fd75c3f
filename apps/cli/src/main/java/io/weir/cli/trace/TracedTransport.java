package io.weir.cli.trace;

import io.weir.cli.environment.EnvironmentException;
import io.weir.transport.observation.CounterFolder;
import io.weir.transport.observation.CounterReading;
import io.weir.transport.observation.CounterSnapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The transport whose frames are wanted.
 *
 * @param file its counter file, next to which its frames are
 * @param counts what it said about itself
 */
record TracedTransport(Path file, CounterSnapshot counts) {
    /**
     * {@return the one that a word of the command line means} One of a process that was killed counts, too.
     *
     * @param wanted a process or an interface, or null where there is one transport alone
     */
    static TracedTransport find(CounterFolder folder, String wanted) {
        CounterFolder.Listing listing = folder.list();
        List<TracedTransport> found = new ArrayList<>();
        List<String> problems = new ArrayList<>(listing.problems());
        for (Path file : listing.files()) {
            CounterReading reading = CounterReading.of(file);
            if (reading.snapshot() == null) {
                problems.add(reading.problem());
            } else if (isNamed(reading.snapshot(), wanted)) {
                found.add(new TracedTransport(file, reading.snapshot()));
            }
        }
        String name = wanted == null ? "" : " of a process or interface " + wanted;
        if (found.isEmpty()) {
            throw new EnvironmentException("no transport" + name
                    + (problems.isEmpty() ? "" : " that can be read: " + problems.get(0))
                    + "; weir stat lists all");
        }
        if (found.size() > 1) {
            throw new EnvironmentException("there are " + found.size() + " transports" + name + ": "
                    + found.stream().map(TracedTransport::name).collect(Collectors.joining(", "))
                    + "; name one by its process");
        }
        return found.get(0);
    }

    private static boolean isNamed(CounterSnapshot counts, String word) {
        return word == null
                || word.equals(Long.toString(counts.processId()))
                || word.equals(counts.facts().interfaceName());
    }

    String interfaceName() {
        return counts.facts().interfaceName();
    }

    /** {@return what it is, in a few words} */
    String name() {
        return interfaceName() + " of process " + counts.processId();
    }
}
