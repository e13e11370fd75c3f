package io.weir.cli.demo;

import io.weir.transport.node.PortInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Runs the demonstration in a laboratory. */
final class Demo {
    private static final long TRANSFER_SECONDS_MAX = 60;

    private final DemoPlan plan;
    private final DemoLab lab;
    private final Consumer<String> progress;
    private final Measurements measurements;

    Demo(DemoPlan plan, DemoLab lab, Consumer<String> progress) {
        this.plan = plan;
        this.lab = lab;
        this.progress = progress;
        this.measurements = new Measurements(plan, lab.switches(), progress);
    }

    /**
     * Measures Weir and, where there is a kernel between the hosts, its TCP after it.
     *
     * @param tcpSkipped why there is none, or null
     */
    DemoResult run(String tcpSkipped) throws IOException, InterruptedException {
        List<PortInfo> ports = new ArrayList<>();
        Transfer transfer;
        SystemFigures weir;
        try (Hosts hosts = Hosts.open(lab, plan)) {
            ports.addAll(hosts.ports());
            ports.addAll(lab.switchPorts());
            lab.switches().watch(hosts.loops().values());
            WeirTraffic traffic = new WeirTraffic(hosts);
            transfer = transfer(traffic);
            weir = measurements.measure("Weir (ExpressPass)", traffic);
        }
        lab.switches().watch(List.of());
        long creditsMetered = lab.switches().creditsMetered();
        long creditsDropped = lab.switches().creditsDropped();
        SystemFigures tcp = null;
        MixedFigures mixed = null;
        if (tcpSkipped == null) {
            TcpTraffic traffic = new TcpTraffic(
                    lab.namespace(Side.LEFT).orElseThrow(),
                    lab.namespace(Side.RIGHT).orElseThrow());
            tcp = measurements.measure("kernel TCP (" + traffic.congestionControl() + ")", traffic);
            mixed = mixed(traffic);
        }
        return new DemoResult(
                plan,
                ports,
                transfer,
                creditsMetered,
                creditsDropped,
                Goodput.of(plan.bottleneckBps(), DemoLab.trunkPort(plan).credits()),
                weir,
                tcp,
                mixed,
                tcpSkipped);
    }

    private Transfer transfer(WeirTraffic traffic) throws IOException, InterruptedException {
        progress.accept("a transfer whose SHA-256 is compared");
        VerifiedTransfer transfer = traffic.startVerified(plan.seed(), plan.transferBytes());
        boolean isComplete = transfer.awaitEnd(TRANSFER_SECONDS_MAX);
        traffic.requireHealthy();
        if (!isComplete) {
            throw new IOException("the transfer of " + plan.transferBytes() + " B did not end within "
                    + TRANSFER_SECONDS_MAX + " s: " + transfer.receivedBytes() + " B arrived");
        }
        return transfer.result();
    }

    private MixedFigures mixed(TcpTraffic tcp) throws IOException, InterruptedException {
        try (Hosts hosts = Hosts.open(lab, plan)) {
            lab.switches().watch(hosts.loops().values());
            return measurements.mixed(new WeirTraffic(hosts), tcp);
        } finally {
            lab.switches().watch(List.of());
        }
    }
}
