package io.weir.cli.lab;

import io.weir.cli.scenario.KernelTcp;
import io.weir.cli.traffic.ArrivalLog;
import io.weir.cli.traffic.TcpFlow;
import io.weir.cli.unit.Rates;
import io.weir.nic.lab.LabNetwork;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.scenario.workload.FlowPlan;
import io.weir.transport.scenario.workload.Workload;
import io.weir.transport.time.Deadline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** The flows of a scenario that are the kernel's, next to those that are Weir's. */
final class TcpFlows implements AutoCloseable {
    private final Scenario scenario;
    private final Wiring wiring;
    private final List<FlowPlan> plans;
    /** As the plans. */
    private final List<TcpFlow> flows = new ArrayList<>();

    private long[] bytesAtWarmUp;
    private long epochWallNanos;

    /** Prepares the flows of {@code scenario}, all of which are the kernel's. */
    TcpFlows(Scenario scenario, Wiring wiring, LabNetwork network) throws IOException {
        this.scenario = scenario;
        this.wiring = wiring;
        this.plans = new Workload(scenario, wiring).flows();
        this.bytesAtWarmUp = new long[plans.size()];
        try {
            for (FlowPlan plan : plans) {
                TcpFlow.Route route = new TcpFlow.Route(
                        network.host(plan.source()),
                        network.host(plan.destination()),
                        LabNetwork.address(plan.destination()));
                String congestionControl = ((KernelTcp) plan.protocol()).congestionControl();
                TcpFlow.Load load = new TcpFlow.Load(plan.bytes(), congestionControl);
                flows.add(new TcpFlow(plan.id(), route, load, ArrivalLog.ofBytes(), new AtomicReference<>()));
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Schedules the flows in a world that has just begun. */
    void start(LiveWorld world) {
        epochWallNanos = System.nanoTime() - world.nowNanos();
        for (int i = 0; i < flows.size(); i++) {
            TcpFlow flow = flows.get(i);
            FlowPlan plan = plans.get(i);
            world.at(plan.startNanos(), plan.source(), flow::start);
            if (plan.schedule().stopNanos() != Deadline.NO_DEADLINE) {
                world.at(plan.schedule().stopNanos(), plan.source(), flow::stop);
            }
        }
        world.at(scenario.measurement().warmUpNanos(), 0, this::onWarmUp);
    }

    private void onWarmUp() {
        bytesAtWarmUp =
                flows.stream().mapToLong(flow -> flow.figures().totalBytes()).toArray();
    }

    /** {@return whether every flow of limited size is complete} */
    boolean isDone() {
        for (int i = 0; i < flows.size(); i++) {
            TcpFlow flow = flows.get(i);
            if (plans.get(i).isLimited() && !flow.isComplete() && flow.failure() == null) {
                return false;
            }
        }
        return true;
    }

    /** {@return a result with these flows added: to the list, to the goodput, and to the problems} */
    ScenarioResult addTo(ScenarioResult result, long nowNanos) {
        List<FlowResult> added = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        double goodputBps = 0;
        for (int i = 0; i < flows.size(); i++) {
            TcpFlow flow = flows.get(i);
            long bytes = flow.figures().totalBytes() - bytesAtWarmUp[i];
            goodputBps += Rates.bps(bytes, nowNanos - scenario.measurement().warmUpNanos());
            added.add(resultOf(plans.get(i), flow, bytes, nowNanos));
            if (flow.failure() != null) {
                problems.add("flow " + plans.get(i).id() + " failed: " + flow.failure());
            }
        }
        return result.plus(added, goodputBps, problems);
    }

    private FlowResult resultOf(FlowPlan plan, TcpFlow flow, long bytes, long nowNanos) {
        long completionNanos = flow.completedNanos() - epochWallNanos - plan.startNanos();
        long fromNanos = Math.max(plan.startNanos(), scenario.measurement().warmUpNanos());
        long endNanos = Math.min(nowNanos, plan.schedule().stopNanos());
        if (flow.isComplete()) {
            endNanos = Math.min(endNanos, plan.startNanos() + completionNanos);
        }
        return new FlowResult(
                plan.id(),
                wiring.name(plan.source()),
                wiring.name(plan.destination()),
                plan.protocol().preset(),
                flow.figures().totalBytes(),
                plan.startNanos(),
                flow.isComplete() ? completionNanos : null,
                Rates.bps(bytes, endNanos - fromNanos),
                0,
                null);
    }

    @Override
    public void close() {
        flows.forEach(TcpFlow::close);
    }
}
