package io.weir.transport.testing;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.scenario.Fault;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.sim.world.Simulation;
import java.util.ArrayList;
import java.util.List;

/**
 * Flows, each between separate hosts, that share the link between two switches: what papers on congestion control
 * measure. All links have the same rate and delay, so that an empty network's round trip is six delays and six
 * serializations.
 */
public final class SharedLink {
    /** Frames on the wire for a byte of payload, at an MTU of 1500. */
    public static final double WIRE_PER_PAYLOAD = 1538.0 / 1424;

    private final long rateBps;
    private final long delayNanos;
    private final PortSpec port;
    private final List<Traffic.Flows> flows = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    private long seed = 1;
    private HostSpec host = HostSpec.named("");

    /** Creates the links. */
    public SharedLink(long rateBps, long delayNanos, PortSpec port) {
        this.rateBps = rateBps;
        this.delayNanos = delayNanos;
        this.port = port;
    }

    /** {@return a port with 250 frames of queue, whose whole link is for flows without credits} */
    public static PortSpec port() {
        CreditSettings none = CreditSettings.DEFAULT.withModel(CreditModel.OFF);
        return new PortSpec(384_500, none, null);
    }

    /** Sets the seed. */
    public SharedLink seed(long newSeed) {
        seed = newSeed;
        return this;
    }

    /** Has hosts like this one. */
    public SharedLink hosts(HostSpec newHost) {
        host = newHost;
        return this;
    }

    /** Adds something that goes wrong; the switches are left and right, flow i goes from host i. */
    public SharedLink but(Fault fault) {
        faults.add(fault);
        return this;
    }

    /** Adds a flow that starts and ends at these times. */
    public SharedLink flow(ProtocolConfig protocol, long bytes, long startNanos, long stopNanos) {
        int number = flows.size() + 1;
        flows.add(Traffic.Flows.of("f" + number, List.of(), List.of(), protocol)
                .withCount(1)
                .withStart(new Traffic.Times(startNanos, 0, 0))
                .withStop(new Traffic.Times(stopNanos, 0, 0))
                .withBytes(bytes));
        return this;
    }

    /** Adds flows without end, which start one after the other. */
    public SharedLink flows(ProtocolConfig protocol, int count, long everyNanos) {
        for (int i = 0; i < count; i++) {
            flow(protocol, Traffic.UNLIMITED_BYTES, i * everyNanos, Traffic.Times.NEVER.atNanos());
        }
        return this;
    }

    /** {@return what a run of this length finds, the series in intervals of {@code intervalNanos} if that is not 0} */
    public ScenarioResult run(long durationNanos, long warmUpNanos, long intervalNanos) {
        int pairs = flows.size();
        LinkTemplate link = new LinkTemplate(rateBps, delayNanos, port);
        Scenarios scenarios = new Scenarios(Lines.dumbbell(pairs, host, link, link))
                .seed(seed)
                .measured(new Measurement(intervalNanos, warmUpNanos, intervalNanos > 0, intervalNanos > 0));
        for (int i = 0; i < pairs; i++) {
            Traffic.Flows flow = flows.get(i);
            scenarios.with(
                    Traffic.Flows.of(flow.id(), List.of("h" + (i + 1)), List.of("h" + (pairs + i + 1)), flow.protocol())
                            .withPairing(flow.pairing())
                            .withCount(1)
                            .withStart(flow.start())
                            .withStop(flow.stop())
                            .withBytes(flow.bytes()));
        }
        faults.forEach(scenarios::but);
        return Simulation.run(scenarios.lasting(durationNanos), () -> 0, Simulation.Progress.UNWATCHED);
    }

    /** {@return the port that the flows share} */
    public static PortResult shared(ScenarioResult result) {
        return result.ports().stream()
                .filter(found -> found.node().equals("left") && found.port().equals("right"))
                .findFirst()
                .orElseThrow();
    }

    /** {@return the rate of a flow on the wire as a share of the link, interval by interval} */
    public double[] shares(ScenarioResult result, int flow) {
        Series.FlowSeries series = result.series().flows().get(flow);
        return series.goodputBps().stream()
                .mapToDouble(goodputBps -> goodputBps * WIRE_PER_PAYLOAD / rateBps)
                .toArray();
    }
}
