package io.weir.cli.demo;

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
    private final Measurements measurements;

    Demo(DemoPlan plan, Laboratory lab, String backend, Consumer<String> progress) {
        this.plan = plan;
        this.lab = lab;
        this.backend = backend;
        this.trunk = new Trunk(lab);
        this.progress = progress;
        this.measurements = new Measurements(plan, lab, trunk, progress);
    }

    /**
     * Measures Weir and, where there is a kernel between the hosts, its TCP after it.
     *
     * @param tcpSkipped why there is none, or null
     */
    DemoResult run(String tcpSkipped) throws IOException, InterruptedException {
        List<PortInfo> ports = new ArrayList<>();
        DemoResult.Transfer transfer;
        SystemFigures weir;
        try (Hosts hosts = Hosts.open(lab, backend, plan)) {
            ports.addAll(hosts.ports());
            ports.addAll(lab.portsToHosts());
            lab.watch(hosts.loops().values());
            WeirTraffic traffic = new WeirTraffic(hosts);
            progress.accept("a transfer whose SHA-256 is compared");
            transfer = traffic.transfer(plan.seed(), plan.transferBytes());
            weir = measurements.measure("Weir (ExpressPass)", traffic);
        }
        lab.watch(List.of());
        long creditsMetered = trunk.creditsMetered();
        long creditsDropped = trunk.creditsDropped();
        SystemFigures tcp = null;
        DemoResult.Mixed mixed = null;
        if (tcpSkipped == null) {
            TcpTraffic traffic = new TcpTraffic(new TcpFlow.Route(
                    lab.namespace(Hosts.LEFT).orElseThrow(),
                    lab.namespace(Hosts.RIGHT).orElseThrow(),
                    LabNetwork.address(Hosts.RIGHT)));
            tcp = measurements.measure("kernel TCP (" + traffic.congestionControl() + ")", traffic);
            mixed = mixed(traffic);
        }
        return new DemoResult(
                plan,
                ports,
                transfer,
                creditsMetered,
                creditsDropped,
                ExpectedGoodput.of(plan.bottleneckBps(), Trunk.credits(plan)),
                weir,
                tcp,
                mixed,
                tcpSkipped);
    }

    private DemoResult.Mixed mixed(TcpTraffic tcp) throws IOException, InterruptedException {
        try (Hosts hosts = Hosts.open(lab, backend, plan)) {
            lab.watch(hosts.loops().values());
            return measurements.mixed(new WeirTraffic(hosts), tcp);
        } finally {
            lab.watch(List.of());
        }
    }
}
