package io.weir.bench.compare;

import io.weir.bench.command.CProgram;
import io.weir.bench.compare.end.Carrier;
import io.weir.bench.compare.end.EndOutput;
import io.weir.bench.compare.end.EndSpec;
import io.weir.bench.compare.end.Task;
import io.weir.nic.net.NetNamespace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs one turn: fresh processes, traffic, and what was measured. */
final class TurnRunner {
    private static final double OPEN_SECONDS_MAX = 30;
    private static final double WINDOW_SECONDS_MAX = 60;
    private static final double END_SECONDS_MAX = 20;
    private static final long PORT_FIRST = 20_000;
    private static final long PORT_COUNT = 20_000;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_GB = 1e9;
    private static final double PERCENT = 100;
    private static final long CHECK_MILLIS = 50;
    private static final int ARCHIVE_SIZE_BYTES = 64;
    private static final long ARCHIVE_SECONDS_MAX = 60;

    private static final Map<String, Measure> NAMED = Map.ofEntries(
            Map.entry("p50Nanos", Measure.P50),
            Map.entry("p99Nanos", Measure.P99),
            Map.entry("p999Nanos", Measure.P999),
            Map.entry("p9999Nanos", Measure.P9999),
            Map.entry("connectsPerSecond", Measure.CONNECTS),
            Map.entry("opensPerSecond", Measure.OPENS),
            Map.entry("framesPerMessage", Measure.FRAMES),
            Map.entry("creditsSentPerMessage", Measure.CREDITS_SENT),
            Map.entry("creditsUsedPerMessage", Measure.CREDITS_USED),
            Map.entry("creditsExpiredPerMessage", Measure.CREDITS_EXPIRED));

    private final CompareOptions options;
    private final CompareNetwork network;
    private final Path folder;
    private final ClassArchive archive;
    /** Runs so far: each has another port, so that no run meets what another left. */
    private int runCount;

    /** The kernel's side of calls, null until it is needed. */
    private Path epollProgram;

    TurnRunner(CompareOptions options, CompareNetwork network, Path folder) {
        this.options = options;
        this.network = network;
        this.folder = folder;
        this.archive = new ClassArchive(folder);
    }

    /** {@return what a turn gave; a failure is an outcome, too} */
    TurnOutcome run(CompareTurn turn) throws InterruptedException {
        Rival rival = turn.rival();
        Optional<String> obstacle = rival.obstacle(turn.job().task()).or(() -> network.obstacle(rival.link()));
        if (obstacle.isPresent()) {
            return TurnOutcome.notRun(obstacle.get());
        }
        try {
            return rival.isOneProcess() ? runOne(turn) : runTwo(turn);
        } catch (EndException e) {
            return TurnOutcome.failed(e.getMessage());
        } catch (IOException e) {
            return TurnOutcome.failed(e.toString());
        }
    }

    /** {@return what came of it} Runs a subject once, so that its processes leave archives of their classes. */
    String writeArchives(Rival rival) throws InterruptedException {
        if (rival.carrier() == Carrier.KERNEL_EPOLL) {
            return "none, it is written in C";
        }
        Task task = rival.obstacle(Task.BULK).isEmpty() ? Task.BULK : Task.ROUND_TRIPS;
        CompareTurn turn = new CompareTurn(0, 0, new Job(task, ARCHIVE_SIZE_BYTES, 1), rival);
        archive.setWriting(true);
        TurnOutcome outcome = run(turn);
        archive.setWriting(false);
        return outcome.isFailure() ? outcome.failureText() : archive.written(rival);
    }

    private TurnOutcome runOne(CompareTurn turn) throws IOException, EndException, InterruptedException {
        EndSpec spec = spec(turn).with(EndSpec.ROLE, "both");
        try (EndProcess both = EndProcess.start(null, spec, archive.flags(turn.rival(), spec))) {
            TurnOutcome outcome = measure(turn, both, both, List.of(both));
            awaitArchive(both);
            return outcome;
        }
    }

    private void awaitArchive(EndProcess end) throws EndException, InterruptedException {
        if (archive.isWriting()) {
            end.awaitExit(ARCHIVE_SECONDS_MAX);
        }
    }

    private TurnOutcome runTwo(CompareTurn turn) throws IOException, EndException, InterruptedException {
        Rival rival = turn.rival();
        LinkKind link = rival.link();
        EndSpec spec = spec(turn);
        EndSpec serverSpec = spec.with(EndSpec.ROLE, EndSpec.SERVER)
                .with(EndSpec.INTERFACE, link.opened(true, folder))
                .with(EndSpec.LOCAL, link.serverAddress())
                .with(EndSpec.REMOTE, link.clientAddress())
                .with(EndSpec.AGENT_RULES, agentRules(rival, true));
        EndSpec clientSpec = spec.with(EndSpec.ROLE, "client")
                .with(EndSpec.INTERFACE, link.opened(false, folder))
                .with(EndSpec.LOCAL, link.clientAddress())
                .with(EndSpec.REMOTE, link.serverAddress())
                .with(EndSpec.AGENT_RULES, agentRules(rival, false));
        try (EndProcess server = start(network.server(), rival, serverSpec)) {
            server.await(EndOutput.OPEN, OPEN_SECONDS_MAX);
            try (EndProcess client = start(network.client(), rival, clientSpec)) {
                TurnOutcome outcome = measure(turn, client, server, List.of(client, server));
                awaitArchive(client);
                awaitArchive(server);
                return outcome;
            }
        }
    }

    /** {@return the file of rules for the agent of one end, or empty where the subject has no agent} */
    private String agentRules(Rival rival, boolean isServer) throws IOException {
        LinkKind link = rival.link();
        return switch (rival.agent()) {
            case NONE -> "";
            case KERNEL -> AgentFlag.writeKernelRules(folder).toString();
            case PREFERRING ->
                isServer
                        ? ""
                        : AgentFlag.writePreference(folder, link.opened(false, folder))
                                .toString();
            case WEIR ->
                AgentFlag.writeRules(
                                folder,
                                link.opened(isServer, folder),
                                isServer ? link.clientAddress() : link.serverAddress(),
                                rival.protocol())
                        .toString();
        };
    }

    private EndProcess start(NetNamespace namespace, Rival rival, EndSpec spec)
            throws IOException, InterruptedException {
        if (rival.carrier() != Carrier.KERNEL_EPOLL) {
            return EndProcess.start(namespace, spec, archive.flags(rival, spec));
        }
        if (epollProgram == null) {
            epollProgram = CProgram.build(folder, "epoll_calls", List.of(), "gcc libc6-dev");
        }
        return EndProcess.start(namespace, spec, epollProgram);
    }

    private EndSpec spec(CompareTurn turn) {
        Job job = turn.job();
        Rival rival = turn.rival();
        return EndSpec.empty()
                .with(EndSpec.CARRIER, rival.carrier())
                .with(EndSpec.TASK, job.task())
                .with(EndSpec.SIZE_BYTES, job.sizeBytes())
                .with(EndSpec.COUNT, job.connections())
                .with(EndSpec.OUTSTANDING, job.outstanding())
                .with(EndSpec.WARM_SECONDS, options.warmSeconds())
                .with(EndSpec.SECONDS, options.seconds())
                .with(EndSpec.PORT, PORT_FIRST + runCount++ % PORT_COUNT)
                .with(EndSpec.PROTOCOL, rival.protocol())
                .with(EndSpec.BACKEND, rival.link().backend())
                .with(EndSpec.RATE_BPS, options.rateBps())
                .with(EndSpec.SCHEDULING, rival.scheduling())
                .with(EndSpec.MTU_BYTES, options.mtuBytes())
                .with(EndSpec.FOLDER, folder);
    }

    private TurnOutcome measure(CompareTurn turn, EndProcess client, EndProcess server, List<EndProcess> ends)
            throws IOException, EndException, InterruptedException {
        client.await(EndOutput.OPEN, OPEN_SECONDS_MAX);
        String[] window = client.await(EndOutput.WINDOW, WINDOW_SECONDS_MAX).split(" ", -1);
        Window counted = new Window(Long.parseLong(window[0]), Long.parseLong(window[1]));
        sleepUntil(counted.fromNanos, ends);
        CpuReading before = CpuReading.take(ends);
        double residentBytes = CpuReading.residentBytes(ends);
        sleepUntil(counted.untilNanos, ends);
        CpuReading after = CpuReading.take(ends);
        client.await(EndOutput.DONE, END_SECONDS_MAX);
        if (server != client) {
            server.stop();
        }

        Map<Measure, Double> values = new EnumMap<>(Measure.class);
        client.values().forEach((name, value) -> {
            if (NAMED.containsKey(name)) {
                values.put(NAMED.get(name), value);
            }
        });
        cpu(values, before, after);
        if (turn.job().task() == Task.MANY) {
            values.put(Measure.RESIDENT, residentBytes);
        }
        values.put(Measure.OPENING, (double) (client.openNanos() - client.startNanos()));
        Double roundTrips = client.values().get("roundTrips");
        if (roundTrips != null) {
            double perSecond = roundTrips / options.seconds();
            boolean areCalls = turn.job().task() == Task.CALLS;
            values.put(areCalls ? Measure.CALLS : Measure.ROUND_TRIPS, perSecond);
            if (areCalls) {
                values.put(
                        Measure.PAYLOAD, perSecond * 2 * Byte.SIZE * turn.job().sizeBytes());
            }
        }
        if (turn.job().task() == Task.DUPLEX) {
            return both(values, server.arrivals(), client.arrivals(), counted);
        }
        if (turn.job().task() != Task.BULK && turn.job().task() != Task.MANY) {
            return TurnOutcome.of(values, List.of());
        }
        Arrivals arrivals = server.arrivals();
        double readGb = arrivals.bytesBetween(before.nanos(), after.nanos()) / BYTES_PER_GB;
        if (readGb > 0) {
            // Nothing comes between two readings where loops of the real-time class kept this process from reading in
            // time.
            values.put(Measure.CPU_PER_GB, (after.processSeconds() - before.processSeconds()) / readGb);
            values.put(Measure.SOFTIRQ_PER_GB, (after.softirqSeconds() - before.softirqSeconds()) / readGb);
        }
        return stream(values, turn, client, arrivals, counted);
    }

    /** A span of time. */
    private record Window(long fromNanos, long untilNanos) {}

    private static void cpu(Map<Measure, Double> values, CpuReading before, CpuReading after) {
        double seconds = (after.nanos() - before.nanos()) / NANOS_PER_SECOND;
        values.put(Measure.CPU, PERCENT * (after.processSeconds() - before.processSeconds()) / seconds);
        double othersSeconds =
                after.busySeconds() - before.busySeconds() - (after.processSeconds() - before.processSeconds());
        values.put(Measure.OTHERS, Math.max(0, PERCENT * othersSeconds / seconds));
        long runNanos = after.loopRunNanos() - before.loopRunNanos();
        long waitNanos = after.loopWaitNanos() - before.loopWaitNanos();
        if (runNanos > 0) {
            values.put(Measure.LOOP_SHARE, PERCENT * runNanos / (runNanos + waitNanos));
        }
    }

    private static TurnOutcome stream(
            Map<Measure, Double> values, CompareTurn turn, EndProcess client, Arrivals arrivals, Window counted) {
        double arrivedBytes = arrivals.bytesBetween(counted.fromNanos, counted.untilNanos);
        if (arrivedBytes <= 0) {
            return TurnOutcome.failed("nothing arrived within the window that counts");
        }
        double goodputBps = arrivals.bpsBetween(counted.fromNanos, counted.untilNanos);
        values.put(Measure.GOODPUT, goodputBps);
        Double sentBytes = client.values().get("sentBytes");
        if (sentBytes != null && sentBytes > 0) {
            values.put(Measure.LOST, Math.max(0, PERCENT * (1 - arrivedBytes / sentBytes)));
        }
        if (turn.job().task() == Task.MANY) {
            return TurnOutcome.of(values, List.of());
        }
        long openNanos = client.openNanos();
        double firstBps = arrivals.bpsBetween(openNanos, openNanos + (long) NANOS_PER_SECOND);
        values.put(Measure.FIRST_SECOND, firstBps);
        values.put(Measure.FIRST_TO_STEADY, firstBps / goodputBps);
        return TurnOutcome.of(values, arrivals.perSecond(openNanos, counted.untilNanos));
    }

    private static TurnOutcome both(Map<Measure, Double> values, Arrivals there, Arrivals back, Window counted) {
        double thereBps = there.bpsBetween(counted.fromNanos, counted.untilNanos);
        double backBps = back.bpsBetween(counted.fromNanos, counted.untilNanos);
        if (thereBps <= 0 || backBps <= 0) {
            return TurnOutcome.failed("nothing arrived one way within the window that counts");
        }
        values.put(Measure.GOODPUT, thereBps + backBps);
        return TurnOutcome.of(values, List.of());
    }

    private static void sleepUntil(long nanos, List<EndProcess> ends) throws EndException, InterruptedException {
        while (true) {
            long leftNanos = nanos - System.nanoTime();
            if (leftNanos <= 0) {
                return;
            }
            for (EndProcess end : ends) {
                end.requireWell();
            }
            TimeUnit.NANOSECONDS.sleep(Math.min(leftNanos, TimeUnit.MILLISECONDS.toNanos(CHECK_MILLIS)));
        }
    }
}
