package io.weir.cli.lab;

import io.weir.cli.environment.StopRequest;
import io.weir.cli.scenario.KernelTcp;
import io.weir.nic.lab.LabNetwork;
import io.weir.nic.lab.LabNodes;
import io.weir.pacer.RateMath;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.PeriodicRest;
import io.weir.transport.runtime.SchedulingConfig;
import io.weir.transport.runtime.ThreadTuning;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.run.ScenarioRun;
import io.weir.transport.scenario.run.ServicePorts;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.sim.world.Simulation;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs a scenario in a laboratory: builds it, lets time pass, reports, and takes it down. The loop has its own thread,
 * in the kernel's real-time class where that is granted: a laboratory's clock cannot wait while something else on the
 * machine computes.
 */
public final class LabRun {
    /** The world's name in results. */
    static final String WORLD = "lab";

    /** What the loop's thread asks the scheduler for; it leaves its core for a moment in each millisecond. */
    public static final SchedulingConfig REAL_TIME = SchedulingConfig.DEFAULT.withRealtimePriority(1);

    private static final long LOOK_NANOS = 50_000_000;
    private static final long WARM_UP_NANOS_MAX = 2_000_000_000L;

    private final Scenario scenario;
    private final Scenario weirs;
    private final Scenario kernels;
    private final Wiring wiring;
    private final LabLimits limits;
    private final Options options;
    private final Simulation.Progress progress;
    /** Whether the thread that waits for the run was interrupted; set once, by it. */
    private volatile boolean isInterrupted;

    /**
     * Prepares a run, or says why there can be none.
     *
     * @param progress is told on the loop's thread how far the run is, and may end it
     */
    public LabRun(Scenario scenario, Options options, Simulation.Progress progress) {
        this.scenario = scenario;
        this.weirs = scenario.withTraffic(scenario.traffic().stream()
                .filter(traffic -> !KernelTcp.carries(traffic))
                .toList());
        this.kernels = scenario.withTraffic(
                scenario.traffic().stream().filter(KernelTcp::carries).toList());
        this.wiring = new Wiring(scenario.network());
        this.limits = new LabLimits(scenario, wiring);
        this.options = options;
        this.progress = progress;
        limits.check(options.isForced());
        CongestionControls.requireFor(kernels.traffic());
    }

    /**
     * How to run.
     *
     * @param isForced whether to try more than the loop can carry
     * @param isRealTime whether the loop's thread may have the kernel's real-time class
     * @param isMachineTime whether time goes on while the loop is away
     */
    public record Options(boolean isForced, boolean isRealTime, boolean isMachineTime) {}

    /**
     * What a run gives.
     *
     * @param result what the scenario found
     * @param figures how well the laboratory kept time
     * @param ports what its ports were
     * @param ended why it ended before its end, or null
     */
    public record Outcome(ScenarioResult result, LabFigures figures, List<PortInfo> ports, String ended) {}

    /** {@return what was found, all of it or what was there when it was ended} */
    public Outcome run() throws IOException {
        try (LabNetwork network = LabNetwork.create(wiring)) {
            warmUp();
            FutureTask<Outcome> task = new FutureTask<>(() -> run(network));
            Thread thread = new Thread(task, "weir-lab");
            thread.start();
            return await(task);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("the lab's loop ended by a fault", e.getCause());
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** An interrupt ends the run, whose results are still waited for. */
    private Outcome await(FutureTask<Outcome> task) throws ExecutionException {
        while (true) {
            try {
                return task.get();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
    }

    private boolean goesOn(long nowNanos) {
        return progress.onSlice(nowNanos, scenario.durationNanos()) && !isInterrupted;
    }

    private Outcome run(LabNetwork network) throws IOException {
        ServicePorts services = LabNodes.services(weirs);
        try (TcpFlows tcp = new TcpFlows(kernels, wiring, network);
                LiveWorld world = new LiveWorld(weirs, wiring, services, network, timeStandsStill())) {
            ScenarioRun run = new ScenarioRun(weirs, world, wiring, services);
            // The kernel's flows have their threads by now, which shall not inherit this one's class.
            boolean isRealTime =
                    options.isRealTime() && ThreadTuning.find().tune(REAL_TIME).isRealTime();
            world.begin();
            run.start();
            tcp.start(world);
            return drive(new Play(world, run, tcp), isRealTime);
        }
    }

    /**
     * The same scenario in virtual time for a moment: the compiler wants the core first, and has most of it after this.
     */
    private void warmUp() {
        if (weirs.traffic().isEmpty()) {
            return;
        }
        long endNanos = System.nanoTime() + WARM_UP_NANOS_MAX;
        Simulation.run(weirs, System::nanoTime, (nowNanos, durationNanos) -> System.nanoTime() < endNanos && goesOn(0));
    }

    /** What is under way. */
    private record Play(LiveWorld world, ScenarioRun run, TcpFlows tcp) {}

    private Outcome drive(Play play, boolean isRealTime) {
        LiveWorld world = play.world();
        long startNanos = System.nanoTime();
        PeriodicRest rest = new PeriodicRest();
        long lookNanos = 0;
        String ended = null;
        while (ended == null && !isOver(play)) {
            world.runOnce();
            rest.take(System.nanoTime());
            long nowNanos = world.nowNanos();
            if (nowNanos >= lookNanos) {
                lookNanos = nowNanos + LOOK_NANOS;
                ended = goesOn(nowNanos) ? world.fault() : StopRequest.REASON;
            }
        }
        boolean isComplete = isOver(play);
        long endNanos = world.nowNanos();
        ScenarioResult.Run run = new ScenarioResult.Run(
                scenario.seed(),
                endNanos,
                System.nanoTime() - startNanos,
                0,
                world.nodes().packetHops(),
                null);
        ScenarioResult result = play.tcp().addTo(play.run().result(WORLD, isComplete, run), endNanos);
        return new Outcome(result, figures(world, isRealTime), world.nodes().portInfos(), isComplete ? null : ended);
    }

    private boolean isOver(Play play) {
        return play.world().nowNanos() >= scenario.durationNanos()
                || (scenario.endsWhenDone() && play.run().isDone() && play.tcp().isDone());
    }

    /** {@return whether the loop moves all that there is, so that its time may stand still while it is away} */
    private boolean timeStandsStill() {
        return !options.isMachineTime() && kernels.traffic().isEmpty();
    }

    private LabFigures figures(LiveWorld world, boolean isRealTime) {
        LabClock clock = world.clock();
        long wallNanos = Math.max(1, world.nowNanos() + (clock.standsStill() ? clock.awayNanos() : 0));
        return new LabFigures(
                wallNanos,
                isRealTime,
                clock.standsStill(),
                clock.awayCount(),
                clock.awayNanos(),
                (double) clock.awayNanos() / wallNanos,
                (double) world.monitor().cycleCount() * RateMath.NANOS_PER_SECOND / wallNanos,
                world.nodes().framesLost(),
                limits.notes());
    }
}
