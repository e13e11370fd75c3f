package io.weir.cli.stat;

import io.weir.transport.observation.CounterSnapshot;
import io.weir.transport.telemetry.GaugeId;
import io.weir.transport.telemetry.Subject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A transport, a switch, one of its ports or a broker as it was seen from outside.
 *
 * @param file where it counts
 * @param program what its process runs, in short
 * @param counts what it counted
 * @param seenNanos when it was looked at, by {@link System#nanoTime}
 */
record SeenTransport(Path file, String program, CounterSnapshot counts, long seenNanos) {
    /** A loop that has not reported for so long has slept since: it had nothing to do. */
    private static final long SILENT_MILLIS = 2_500;

    /** The word that means all switches. */
    static final String SWITCH = "switch";

    /** The options of java that have a value behind them. */
    private static final Set<String> WITH_VALUE = Set.of(
            "-cp",
            "-classpath",
            "--class-path",
            "-p",
            "--module-path",
            "--add-opens",
            "--add-exports",
            "--add-modules");

    /** {@return what a process runs: of Java the main class or the archive} */
    static String programOf(long processId) {
        try {
            byte[] line = Files.readAllBytes(Path.of("/proc", Long.toString(processId), "cmdline"));
            return programOf(List.of(new String(line, StandardCharsets.UTF_8).split("\0", -1)));
        } catch (IOException e) {
            return "?";
        }
    }

    static String programOf(List<String> words) {
        String first = words.get(0).substring(words.get(0).lastIndexOf('/') + 1);
        if (!first.equals("java")) {
            return first.isEmpty() ? "?" : first;
        }
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            if (WITH_VALUE.contains(word)) {
                i++;
            } else if (!word.startsWith("-") && !word.startsWith("@")) {
                String name = word.substring(word.lastIndexOf('/') + 1);
                return name.endsWith(".jar") ? name : name.substring(name.lastIndexOf('.') + 1);
            }
        }
        return first;
    }

    /** {@return the user whose process it is} */
    String user() {
        return file.getParent().getFileName().toString();
    }

    /** {@return whether a word of the command line means it} */
    boolean isNamed(String word) {
        return (word.equals(SWITCH) && (is(Subject.SWITCH) || is(Subject.SWITCH_PORT)))
                || word.equals(Long.toString(counts.processId()))
                || word.equals(counts.facts().interfaceName());
    }

    /** {@return whether it is such a subject} */
    boolean is(Subject subject) {
        return counts.facts().subject() == subject;
    }

    /** {@return the protocols that it speaks, the preferred first} */
    List<String> protocols() {
        return List.copyOf(protocolsByCode().values());
    }

    /** {@return the name of a protocol} */
    String protocolOf(long code) {
        return code == 0 ? "-" : protocolsByCode().getOrDefault(code, "protocol " + code);
    }

    private Map<Long, String> protocolsByCode() {
        Map<Long, String> names = new LinkedHashMap<>();
        for (String word : counts.facts().protocols().split(" ", -1)) {
            int colon = word.lastIndexOf(':');
            try {
                names.put(Long.parseLong(word.substring(colon + 1)), word.substring(0, Math.max(0, colon)));
            } catch (NumberFormatException e) {
                // The file may be damaged.
                names.put(-1L - names.size(), word);
            }
        }
        return names;
    }

    /** {@return whether a loop has reported lately, so that its rates are those of now} */
    private static boolean isAwake(CounterSnapshot.Loop loop) {
        long reportedMillis = loop.gauges().getOrDefault(GaugeId.REPORTED_MILLIS.name(), 0L);
        return System.currentTimeMillis() - reportedMillis < SILENT_MILLIS;
    }

    /** {@return a gauge that is 0 of a loop that sleeps, all loops together} */
    long rate(GaugeId id) {
        long sum = 0;
        for (CounterSnapshot.Loop loop : counts.loops()) {
            sum += isAwake(loop) ? loop.gauges().getOrDefault(id.name(), 0L) : 0;
        }
        return sum;
    }

    /** {@return the share of their time that its loops had work, on average} */
    long dutyPpm() {
        return rate(GaugeId.DUTY_PPM) / counts.loops().size();
    }

    long gauge(GaugeId id) {
        return counts.gauge(id.name());
    }

    /** {@return what it counted by name, all loops together} */
    Map<String, Long> counters() {
        Map<String, Long> sums = new LinkedHashMap<>();
        for (CounterSnapshot.Loop loop : counts.loops()) {
            loop.counters().forEach((name, value) -> sums.merge(name, value, Long::sum));
        }
        return sums;
    }

    /** {@return frames dropped by reason, only those that there were} */
    Map<String, Long> drops() {
        Map<String, Long> drops = new LinkedHashMap<>();
        counters().forEach((name, value) -> {
            if (name.startsWith("DROP_") && value != 0) {
                drops.put(name, value);
            }
        });
        return drops;
    }

    /** {@return frames dropped for whatever reason} */
    long dropCount() {
        long sum = 0;
        for (long count : drops().values()) {
            sum += count;
        }
        return sum;
    }

    /** {@return the data that would wait at the link's rate behind the longest pause of a loop} */
    long pauseQueueBytes() {
        double bits = counts.gaugeMax(GaugeId.PAUSE_NANOS_MAX.name())
                * (double) counts.gaugeMax(GaugeId.LINK_RATE_BPS.name())
                / 1e9;
        return (long) (bits / Byte.SIZE);
    }
}
