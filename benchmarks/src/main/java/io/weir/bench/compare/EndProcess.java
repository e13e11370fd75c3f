package io.weir.bench.compare;

import io.weir.bench.command.ChildCommand;
import io.weir.bench.compare.end.EndOutput;
import io.weir.bench.compare.end.EndProgram;
import io.weir.bench.compare.end.EndSpec;
import io.weir.nic.net.NetNamespace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A process of a comparison: what it has said so far, and its end, which comes with this object's at the latest. */
final class EndProcess implements AutoCloseable {
    private static final List<String> FURTHER_FLAGS = List.of(
            // For Aeron.
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    private static final long EXIT_SECONDS_MAX = 8;
    /** How often a process that says nothing is looked at: it may have ended silently. */
    private static final long CHECK_MILLIS = 200;

    private static final int REASON_CHARS_MAX = 300;
    private static final Set<EndProcess> LIVING = ConcurrentHashMap.newKeySet();
    /** Whether this process ends; set once, by endAll. */
    private static volatile boolean isEnding;

    private final String role;
    private final long startNanos;
    private final Process process;
    private final Path errors;
    private final Thread reader;
    /** Lines by their first word; the reader writes. */
    private final Map<String, String> lines = new ConcurrentHashMap<>();

    private final Map<String, Double> values = new ConcurrentHashMap<>();
    /** Has permits when lines have come since it was looked at last. */
    private final Semaphore news = new Semaphore(0);

    private EndProcess(String role, long startNanos, Process process, Path errors) {
        this.role = role;
        this.startNanos = startNanos;
        this.process = process;
        this.errors = errors;
        this.reader = new Thread(this::read, "compare-read");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a process.
     *
     * @param namespace where it runs, or null for that of this process
     * @param archiveFlags flags of the JVM about an archive of classes
     */
    static EndProcess start(NetNamespace namespace, EndSpec spec, List<String> archiveFlags) throws IOException {
        List<String> flags = new ArrayList<>(FURTHER_FLAGS);
        flags.addAll(archiveFlags);
        flags.addAll(ChildCommand.flagsIn(ChildCommand.WEIR_FLAGS));
        // What Netty's users pass too.
        flags.addAll(ChildCommand.flagsIn("/io/weir/netty/jvm.args"));
        String agentRules = spec.text(EndSpec.AGENT_RULES, "");
        if (!agentRules.isEmpty()) {
            flags.add(AgentFlag.of(agentRules));
        }
        return start(ChildCommand.of(namespace, flags, EndProgram.class, spec.words()), spec);
    }

    /** Starts a program that is told and says the same, in a namespace. */
    static EndProcess start(NetNamespace namespace, EndSpec spec, Path program) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", namespace.name(), program.toString()));
        command.addAll(spec.words());
        return start(command, spec);
    }

    private static EndProcess start(List<String> command, EndSpec spec) throws IOException {
        Path errors = Files.createTempFile("weir-compare", ".err");
        long startNanos = System.nanoTime();
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        EndProcess end = new EndProcess(spec.text(EndSpec.ROLE), startNanos, process, errors);
        LIVING.add(end);
        if (isEnding) {
            end.close();
            throw new IOException("the comparison is being ended");
        }
        return end;
    }

    /** Ends what runs, when this process does; nothing starts from now on. */
    static void endAll() {
        isEnding = true;
        LIVING.forEach(end -> {
            try {
                end.close();
            } catch (IOException e) {
                System.err.println("left behind: " + end.errors + " (" + e.getMessage() + ")");
            }
        });
    }

    private void read() {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line;
            while ((line = output.readLine()) != null) {
                note(line);
            }
        } catch (IOException e) {
            // The process was ended.
        }
    }

    private void note(String line) {
        int space = line.indexOf(' ');
        String word = space < 0 ? line : line.substring(0, space);
        String rest = space < 0 ? "" : line.substring(space + 1);
        if (word.equals(EndOutput.VALUE)) {
            String[] parts = rest.split(" ", -1);
            values.put(parts[0], Double.valueOf(parts[1]));
        } else {
            lines.put(word, rest);
            news.release();
        }
    }

    /** {@return what followed a word, once it has said that} */
    String await(String word, double secondsMax) throws EndException, InterruptedException {
        long deadlineNanos = System.nanoTime() + (long) (secondsMax * TimeUnit.SECONDS.toNanos(1));
        while (System.nanoTime() - deadlineNanos < 0) {
            String said = lines.get(word);
            if (said != null) {
                return said;
            }
            requireWell();
            if (news.tryAcquire(CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
                news.drainPermits();
            }
        }
        throw new EndException(role + " did not say \"" + word + "\" within " + Math.round(secondsMax) + " s");
    }

    /** Fails if it has failed. */
    void requireWell() throws EndException, InterruptedException {
        if (!process.isAlive()) {
            reader.join(TimeUnit.SECONDS.toMillis(1));
        }
        String failure = lines.get(EndOutput.FAILED);
        if (failure != null) {
            throw new EndException(role + ": " + shortened(failure));
        }
        if (!process.isAlive() && !lines.containsKey(EndOutput.DONE)) {
            throw new EndException(role + " ended with status " + process.exitValue() + ": " + lastErrors());
        }
    }

    /** Tells it to end, and waits until it has said all. */
    void stop() throws EndException, InterruptedException {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It is gone already.
        }
        await(EndOutput.DONE, EXIT_SECONDS_MAX);
    }

    /** Waits until it has ended by itself, after its last word, and fails if it does not. */
    void awaitExit(long secondsMax) throws EndException, InterruptedException {
        if (!process.waitFor(secondsMax, TimeUnit.SECONDS)) {
            throw new EndException(role + " did not end within " + secondsMax + " s");
        }
    }

    long openNanos() {
        return Long.parseLong(lines.get(EndOutput.OPEN));
    }

    long startNanos() {
        return startNanos;
    }

    Map<String, Double> values() {
        return new HashMap<>(values);
    }

    /** {@return what had arrived when} */
    Arrivals arrivals() {
        return Arrivals.parse(lines.getOrDefault(EndOutput.SAMPLES, ""));
    }

    long pid() {
        return process.pid();
    }

    private String lastErrors() {
        try {
            return shortened(Files.readString(errors).strip());
        } catch (IOException e) {
            return "it said nothing";
        }
    }

    private static String shortened(String text) {
        String line = text.replaceAll("\\s+", " ");
        return line.length() <= REASON_CHARS_MAX ? line : line.substring(0, REASON_CHARS_MAX) + "...";
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        boolean isInterrupted = false;
        try {
            process.waitFor(EXIT_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            isInterrupted = true;
        }
        LIVING.remove(this);
        Files.deleteIfExists(errors);
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
