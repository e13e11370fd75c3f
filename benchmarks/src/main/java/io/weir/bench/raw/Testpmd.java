package io.weir.bench.raw;

import io.weir.bench.command.ProcessEnd;
import io.weir.nic.net.NetNamespace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * DPDK's own test program, whose first port counts, and which forwards on a separate core. It takes commands
 * meanwhile, and is asked for its counts.
 */
final class Testpmd implements AutoCloseable {
    private static final String PROGRAM = "dpdk-testpmd";
    private static final long PACE_MILLIS = 500;
    /** How many bursts each port sends before it forwards, where nobody else sends any. */
    static final int FIRST_BURSTS = 4;

    /** The thread that moves frames; of the environment's threads the second. */
    private static final Pattern WORKER = Pattern.compile("(rte|lcore|dpdk)-worker-?1");

    /** Where DPDK makes a folder for each process, which it leaves. */
    private static final Path RUN = Path.of("/var/run/dpdk");

    private final Process process;
    private final Path runFolder;
    private final BufferedReader output;
    private final Writer input;

    private Testpmd(Process process, Path runFolder) {
        this.process = process;
        this.runFolder = runFolder;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.input = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** Refuses to go on where the program is not installed. */
    static void require() throws IOException {
        boolean isHere = Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, PROGRAM)));
        if (!isHere) {
            throw new IOException(PROGRAM + " is not installed, which the DPDK port is measured by; install it:"
                    + " apt-get install dpdk");
        }
    }

    /** What it does with frames. */
    enum Mode {
        /** Takes and drops. */
        RXONLY("RX-packets"),
        /** Sends. */
        TXONLY("TX-packets"),
        /** Sends what comes, by the port by which it came. */
        IO("TX-packets"),
        /** Sends, and drops what comes. */
        FLOWGEN("TX-packets");

        private final String counter;

        Mode(String counter) {
            this.counter = counter;
        }
    }

    /**
     * Where and how it runs.
     *
     * @param namespace the network namespace
     * @param vdevs the devices; of two, each is the other's other end
     * @param eal further arguments of the environment
     * @param core the core of the thread that moves frames
     * @param otherCore the core of the thread that takes commands
     */
    record Place(NetNamespace namespace, List<String> vdevs, String eal, int core, int otherCore) {}

    /** Starts it, and waits until it forwards. */
    static Testpmd start(Place place, Mode mode, int sizeBytes) throws IOException, InterruptedException {
        // Into a pipe it would write a block at a time, and its answers would be late.
        List<String> command =
                new ArrayList<>(List.of("ip", "netns", "exec", place.namespace().name(), "stdbuf", "-oL", PROGRAM));
        command.addAll(List.of(place.eal().strip().split("\\s+", -1)));
        command.addAll(List.of("--no-pci", "--no-telemetry", "--iova-mode=va"));
        command.add(place.eal().contains("--no-huge") ? "--no-shconf" : "--in-memory");
        String first = place.vdevs().get(0);
        String name = first.substring(0, first.indexOf(','));
        String prefix = "weir-testpmd-" + ProcessHandle.current().pid() + "-" + name;
        command.add("--file-prefix=" + prefix);
        place.vdevs().forEach(vdev -> command.add("--vdev=" + vdev));
        command.add("--lcores=0@" + place.otherCore() + ",1@" + place.core());
        command.addAll(List.of("--", "--interactive", "--port-topology=loop", "--burst=64"));
        command.addAll(List.of("--rxd=1024", "--txd=1024", "--total-num-mbufs=8192", "--txpkts=" + sizeBytes));
        command.add("--forward-mode=" + mode.name().toLowerCase(Locale.ROOT));
        Testpmd running = new Testpmd(
                new ProcessBuilder(command).redirectErrorStream(true).start(), RUN.resolve(prefix));
        try {
            running.count(mode);
            boolean isAlone = place.vdevs().size() > 1;
            if (isAlone) {
                // The ports' link comes up meanwhile.
                Thread.sleep(PACE_MILLIS);
            }
            running.say(isAlone ? "start tx_first " + FIRST_BURSTS : "start");
            running.count(mode);
            return running;
        } catch (IOException | InterruptedException e) {
            running.close();
            throw e;
        }
    }

    private void say(String command) throws IOException {
        input.write(command + "\n");
        input.flush();
    }

    /** {@return what it moved in so many seconds, after a moment} */
    RawResult measure(Mode mode, double seconds) throws IOException, InterruptedException {
        Thread.sleep(PACE_MILLIS);
        Reading before = read(mode);
        Thread.sleep((long) (seconds * TimeUnit.SECONDS.toMillis(1)));
        return read(mode).since(before);
    }

    /** {@return its counts now} */
    Reading read(Mode mode) throws IOException {
        long frames = count(mode);
        return new Reading(frames, System.nanoTime(), workerNanos());
    }

    /**
     * What it has done so far.
     *
     * @param frames frames moved
     * @param nanos when that was
     * @param onCoreNanos for how long the thread that moves them had its core
     */
    record Reading(long frames, long nanos, long onCoreNanos) {
        RawResult since(Reading before) {
            return RawResult.ofFrames(
                    frames - before.frames,
                    nanos - before.nanos,
                    RawResult.CALLS_NOT_COUNTED,
                    onCoreNanos - before.onCoreNanos);
        }
    }

    private long count(Mode mode) throws IOException {
        say("show port stats 0");
        long frames = -1;
        Pattern counter = Pattern.compile(mode.counter + ":\\s*(\\d+)");
        List<String> said = new ArrayList<>();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            said.add(line);
            Matcher found = counter.matcher(line);
            if (frames < 0 && found.find()) {
                frames = Long.parseLong(found.group(1));
            } else if (frames >= 0 && line.contains("Tx-pps")) {
                return frames;
            }
        }
        throw new IOException(PROGRAM + " ended: " + String.join("\n", said));
    }

    private long workerNanos() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            for (Path thread : threads.toList()) {
                if (WORKER.matcher(Files.readString(thread.resolve("comm")).strip())
                        .matches()) {
                    String times = Files.readString(thread.resolve("schedstat"));
                    return Long.parseLong(times.substring(0, times.indexOf(' ')));
                }
            }
        }
        throw new IOException(PROGRAM + " has no thread that moves frames");
    }

    @Override
    public void close() throws IOException {
        ProcessEnd.end(process);
        output.close();
        if (Files.isDirectory(runFolder)) {
            try (Stream<Path> left = Files.list(runFolder)) {
                for (Path file : left.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(runFolder);
        }
    }
}
