package io.weir.cli.demo;

import io.weir.cli.environment.StopRequest;
import io.weir.cli.lab.Laboratory;
import io.weir.cli.traffic.TcpFlow;
import io.weir.cli.traffic.TcpTraffic;
import io.weir.nic.lab.LabNetwork;
import io.weir.transport.node.PortInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Runs the demonstration in a laboratory. */
final class Demo {
    private final DemoPlan plan;
    private final Laboratory lab;
    private final String backend;
    private final Trunk trunk;
    private final Consumer<String> progress;
    private final StopRequest stop;
    private final Measurements measurements;
    /** Null until kernel TCP is measured. */
    private Measurements.Draft tcp;
    /** Null until both were measured at once. */
    private DemoResult.Mixed mixed;
    /** Why the demonstration ended before its end, or null. */
    private String ended;

    Demo(DemoPlan plan, Laboratory lab, String backend, Consumer<String> progress, StopRequest stop) {
        this.plan = plan;
        this.lab = lab;
        this.backend = backend;
        this.trunk = new Trunk(lab);
        this.progress = progress;
        this.stop = stop;
        this.measurements = new Measurements(plan, lab, trunk, progress, stop);
    }

    /**
     * Measures Weir and, where there is a kernel between the hosts, its TCP after it.
     *
     * @param tcpSkipped why there is none, or null
     * @return what was found: all of it, or what there was when it failed or was to end
     * @throws IOException if there is nothing yet
     */
    DemoResult run(String tcpSkipped) throws IOException {
        List<PortInfo> ports = new ArrayList<>();
        DemoResult.Transfer transfer;
        Measurements.Draft weir;
        try (Hosts hosts = Hosts.open(lab, backend, plan)) {
            ports.addAll(hosts.ports());
            ports.addAll(lab.portsToHosts());
            lab.watch(hosts.loops().values());
            WeirTraffic traffic = new WeirTraffic(hosts);
            progress.accept("a transfer whose SHA-256 is compared");
            transfer = traffic.transfer(plan.seed(), plan.transferBytes(), stop);
            weir = measurements.draft("Weir (ExpressPass)", traffic);
            attempt(() -> measurements.measure(weir));
        }
        lab.watch(List.of());
        SystemFigures weirFigures = weir.figures();
        long creditsMetered = trunk.creditsMetered();
        long creditsDropped = trunk.creditsDropped();
        if (tcpSkipped == null && ended == null) {
            attempt(this::measureTcp);
        }
        return new DemoResult(
                plan,
                ports,
                transfer,
                creditsMetered,
                creditsDropped,
                ExpectedGoodput.of(plan.bottleneckBps(), Trunk.credits(plan)),
                weirFigures,
                tcp == null ? null : tcp.figures(),
                mixed,
                tcpSkipped,
                null,
                ended);
    }

    /** Something that may fail halfway. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    /** Does it; if it fails, that ends the demonstration with what there is. */
    private void attempt(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            ended = stop.isAsked() ? StopRequest.REASON : e.getMessage();
        }
    }

    private void measureTcp() throws IOException {
        TcpTraffic traffic = new TcpTraffic(new TcpFlow.Route(
                lab.namespace(Hosts.LEFT).orElseThrow(),
                lab.namespace(Hosts.RIGHT).orElseThrow(),
                LabNetwork.address(Hosts.RIGHT)));
        tcp = measurements.draft("kernel TCP (" + traffic.congestionControl() + ")", traffic);
        measurements.measure(tcp);
        try (Hosts hosts = Hosts.open(lab, backend, plan)) {
            lab.watch(hosts.loops().values());
            mixed = measurements.mixed(new WeirTraffic(hosts), traffic);
        } finally {
            lab.watch(List.of());
        }
    }
}
