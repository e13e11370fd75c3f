package io.weir.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Document;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Looks in the sources of the commands and of what they use for waits that end after a fixed time by the clock: on a
 * busy machine they end before anything has had the time to happen. {@code OwnTimeLimit} counts what there was. Limits
 * of the protocol, and those that an application gives, are arguments and no constants.
 */
class FixedDeadlinesTest {
    private static final Pattern FIXED =
            Pattern.compile("\\b(?:get|await|waitFor|awaitTermination|join|timedJoin|poll|tryLock|tryAcquire)\\("
                    + "(?:[^()\n]*\\b\\w+_MAX\\b[^()\n]*|\\d\\w*, (?:TimeUnit\\.)?(?:[A-Z]*SECONDS|MINUTES))\\)"
                    + "|completeOnTimeout|orTimeout|System\\.nanoTime\\(\\) - \\w+ (?:<|>=?) \\w*_MAX");

    /** The kernel gives a queue back after a while, whatever this process does. */
    private static final Set<String> EXEMPT = Set.of("Umem.java: System.nanoTime() - startNanos < BIND_NANOS_MAX");

    private static final List<String> MODULES =
            List.of("/apps/cli/", "/apps/papers/", "/nic-bridge/", "/transport-core/");

    private static List<String> faults(String name, String source) {
        List<String> faults = new ArrayList<>();
        FIXED.matcher(source).results().forEach(found -> faults.add(name + ": " + found.group()));
        return faults;
    }

    @Test
    void sources_ofTheCommandsAndTheStack_haveNone() {
        List<String> faults = new ArrayList<>();
        int files = 0;
        for (Path file : Document.files(".java")) {
            String path = file.toString();
            if (path.contains("/src/main/") && MODULES.stream().anyMatch(path::contains)) {
                files++;
                faults.addAll(faults(file.getFileName().toString(), Document.read(file)));
            }
        }
        assertEquals(EXEMPT, Set.copyOf(faults));
        assertTrue(files > 500, "only " + files + " files were found");
    }

    @Test
    void canaries_oneOfEachKind_areFound() {
        List<String> canaries = List.of(
                "answer.get(SECONDS_MAX, TimeUnit.SECONDS);",
                "started.await(END_SECONDS_MAX, SECONDS)",
                "process.waitFor(10, TimeUnit.SECONDS)",
                "thread.join(JOIN_MILLIS_MAX);",
                "future.completeOnTimeout(null, 5, TimeUnit.SECONDS)",
                "if (System.nanoTime() - startNanos >= EXECUTE_NANOS_MAX) {");
        for (String canary : canaries) {
            assertEquals(1, faults("Canary.java", canary).size(), canary);
        }
        assertEquals(List.of(), faults("Canary.java", "OwnTimeLimit.ofSeconds(END_SECONDS_MAX).await(started::await)"));
    }
}
