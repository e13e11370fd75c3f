package io.weir.transport.scenario.run;

import io.weir.transport.host.HostStack;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.scenario.workload.Workload;
import io.weir.transport.time.Deadline;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A scenario under way in some world: starts and stops its flows, measures, and says what was found. The driver lets
 * time pass between {@link #start} and {@link #result}.
 */
public final class ScenarioRun {
    private final Scenario scenario;
    private final World world;
    private final RunTraffic traffic =
            new RunTraffic(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    private final List<Flow> byStart;
    private final List<PortMeter> ports;
    private final List<HostMeter> hosts = new ArrayList<>();
    private final CreditTotals credits;
    private final Endpoints endpoints;
    private final Sampler sampler;
    private final int hostCount;
    private int startedCount;
    private int overCount;
    private boolean isMeasuring;

    /** Expands the scenario's traffic and makes every host listen. */
    public ScenarioRun(Scenario scenario, World world, Wiring wiring, ServicePorts services) {
        this.scenario = scenario;
        this.world = world;
        this.hostCount = wiring.hostCount();
        this.endpoints = new Endpoints(world, services, wiring, scenario.tokens());
        Workload workload = new Workload(scenario, wiring);
        workload.flows().forEach(plan -> traffic.flows().add(new Flow(plan)));
        this.byStart = new ArrayList<>(traffic.flows());
        byStart.sort(Comparator.comparingLong(flow -> flow.plan().startNanos()));
        long warmUpNanos = scenario.measurement().warmUpNanos();
        for (Traffic.Exchange exchange : workload.exchanges()) {
            int[] hosts = new int[exchange.servers().size() + 1];
            hosts[0] = wiring.host(exchange.client());
            for (int i = 1; i < hosts.length; i++) {
                hosts[i] = wiring.host(exchange.servers().get(i - 1));
            }
            traffic.exchanges().add(new ExchangeClient(exchange, world, endpoints, hosts, warmUpNanos));
        }
        workload.messages()
                .forEach(plan -> traffic.messages().add(new MessageSource(plan, world, endpoints, warmUpNanos)));
        workload.calls().forEach(plan -> traffic.calls().add(new CallSource(plan, world, endpoints, warmUpNanos)));
        for (int host = 0; host < hostCount; host++) {
            hosts.add(new HostMeter(wiring.name(host), world.stack(host), world.queue(host)));
        }
        this.ports = world.ports().stream().map(PortMeter::new).toList();
        this.credits = new CreditTotals(stacks());
        this.sampler = new Sampler(scenario.measurement(), world, traffic, ports);
    }

    private List<HostStack> stacks() {
        List<HostStack> stacks = new ArrayList<>();
        for (int host = 0; host < hostCount; host++) {
            stacks.add(world.stack(host));
        }
        return stacks;
    }

    /** Schedules everything that is to happen. */
    public void start() {
        if (scenario.measurement().warmUpNanos() == 0) {
            beginMeasuring();
        } else {
            world.at(scenario.measurement().warmUpNanos(), 0, this::beginMeasuring);
        }
        sampler.start();
        scheduleNextStart();
        for (ExchangeClient client : traffic.exchanges()) {
            int host = client.host();
            world.at(client.exchange().startNanos(), host, () -> world.whenRunning(host, client::start));
        }
        traffic.messages().forEach(MessageSource::start);
        traffic.calls().forEach(CallSource::start);
    }

    private void beginMeasuring() {
        long nowNanos = world.nowNanos();
        isMeasuring = true;
        traffic.flows().forEach(flow -> flow.delivered().onWarmUp());
        traffic.conversations().forEach(ByteTally::onWarmUp);
        ports.forEach(port -> port.start(nowNanos));
        hosts.forEach(host -> host.start(nowNanos));
        credits.start();
    }

    /** One start schedules the next, so that what is scheduled does not grow with the number of flows. */
    private void scheduleNextStart() {
        if (startedCount == byStart.size()) {
            return;
        }
        Flow flow = byStart.get(startedCount++);
        if (flow.plan().startNanos() == Deadline.NO_DEADLINE) {
            return;
        }
        world.at(flow.plan().startNanos(), flow.plan().source(), () -> {
            world.whenRunning(flow.plan().source(), () -> begin(flow));
            scheduleNextStart();
        });
    }

    private void begin(Flow flow) {
        FlowSource source = new FlowSource(flow, world, endpoints);
        source.start();
        long stopNanos = flow.plan().schedule().stopNanos();
        if (stopNanos != Deadline.NO_DEADLINE) {
            int host = flow.plan().source();
            world.at(stopNanos, host, () -> world.whenRunning(host, source::stop));
        }
    }

    /**
     * {@return whether nothing is left to wait for: every flow of limited size is complete, every exchange has had its
     * rounds, every message has arrived, every call is answered}
     */
    public boolean isDone() {
        while (overCount < byStart.size() && byStart.get(overCount).isOver()) {
            overCount++;
        }
        return overCount == byStart.size()
                && traffic.exchanges().stream().allMatch(ExchangeClient::isDone)
                && traffic.messages().stream().allMatch(MessageSource::isDone)
                && traffic.calls().stream().allMatch(CallSource::isDone);
    }

    /**
     * {@return what was found up to now}
     *
     * @param worldName what kind of world it was
     * @param isComplete whether the scenario ran to its end
     * @param run what the run took
     */
    public ScenarioResult result(String worldName, boolean isComplete, ScenarioResult.Run run) {
        if (!isMeasuring) {
            beginMeasuring();
        }
        return new ResultBuilder(scenario, traffic, ports, hosts, credits, world.pauses(), world.nowNanos())
                .build(worldName, isComplete, sampler.result(), run);
    }
}
