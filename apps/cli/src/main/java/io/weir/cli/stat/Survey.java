package io.weir.cli.stat;

import io.weir.transport.observation.CounterFolder;
import io.weir.transport.observation.CounterReading;
import io.weir.transport.telemetry.Subject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * All transports, switches and brokers of this machine, as far as this user may see them.
 *
 * @param transports those that could be read, whatever they are
 * @param notes a sentence for each file or folder that could not, or that was removed
 */
record Survey(List<SeenTransport> transports, List<String> notes) {
    /** {@return what there is now; files of processes that have ended are removed} */
    static Survey of(CounterFolder folder) {
        CounterFolder.Listing listing = folder.list();
        List<SeenTransport> transports = new ArrayList<>();
        List<String> notes = new ArrayList<>(listing.problems());
        for (Path file : listing.files()) {
            CounterReading reading = CounterReading.of(file);
            if (reading.isStale()) {
                notes.add(file + " is of a process that has ended, and "
                        + (reading.remove() ? "was removed" : "cannot be removed; ask its user, or root"));
            } else if (reading.snapshot() == null) {
                notes.add(reading.problem());
            } else {
                transports.add(new SeenTransport(
                        file,
                        SeenTransport.programOf(reading.snapshot().processId()),
                        reading.snapshot(),
                        System.nanoTime()));
            }
        }
        return new Survey(List.copyOf(transports), List.copyOf(notes));
    }

    /** {@return those that a word of the command line means; all for null} */
    Survey only(String word) {
        if (word == null) {
            return this;
        }
        return new Survey(transports.stream().filter(seen -> seen.isNamed(word)).toList(), notes);
    }

    /** {@return those of one kind} */
    List<SeenTransport> of(Subject subject) {
        return transports.stream().filter(seen -> seen.is(subject)).toList();
    }

    /** {@return the same transport in this survey, or null} */
    SeenTransport find(SeenTransport earlier) {
        for (SeenTransport seen : transports) {
            if (seen.file().equals(earlier.file())
                    && seen.counts().openedMillis() == earlier.counts().openedMillis()) {
                return seen;
            }
        }
        return null;
    }
}
