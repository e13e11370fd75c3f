package io.weir.transport.testing;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.credit.CreditPortConfig.Drop;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.scenario.Fault;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.topology.Lines;
import io.weir.transport.scenario.topology.LinkTemplate;
import java.util.ArrayList;
import java.util.List;

/** Makes scenarios for tests: a network, then traffic, then how long. */
public final class Scenarios {
    /** The rate of every link. */
    public static final long RATE_BPS = 10_000_000_000L;

    private final Network network;
    private final List<Traffic> traffic = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    private Measurement measurement = Measurement.SUMMARY;
    private long seed = 1;

    /** Starts with a network. */
    public Scenarios(Network network) {
        this.network = network;
    }

    /**
     * {@return the ports of the ExpressPass paper: credits metered in bytes by mean/(mean + 1538), the tail dropped}
     */
    public static PortSpec authorsPort() {
        return port(CreditModel.AUTHORS);
    }

    /** {@return a port of default sizes that meters credits by this model and drops the tail} */
    public static PortSpec port(CreditModel model) {
        CreditSettings credits = CreditSettings.DEFAULT
                .withModel(model)
                .with(CreditSettings.CREDITLESS, 0)
                .with(CreditSettings.DROP, Drop.TAIL);
        return new PortSpec(384_500, credits, null);
    }

    /** {@return N pairs of hosts, all links 8 us long} */
    public static Scenarios dumbbell(int pairs) {
        return dumbbell(pairs, new LinkTemplate(RATE_BPS, 8_000));
    }

    /** {@return N pairs of hosts, all links alike} */
    public static Scenarios dumbbell(int pairs, LinkTemplate link) {
        return new Scenarios(Lines.dumbbell(pairs, HostSpec.named(""), link, link));
    }

    /** Adds flows from the first half of the hosts to the second, 1 us apart. */
    public Scenarios flows(String id, ProtocolConfig protocol, long bytes) {
        List<String> names = network.hosts().stream().map(HostSpec::name).toList();
        int half = names.size() / 2;
        traffic.add(Traffic.Flows.of(id, names.subList(0, half), names.subList(half, 2 * half), protocol)
                .withStart(new Traffic.Times(0, 1_000, 0))
                .withBytes(bytes));
        return this;
    }

    /** Adds traffic. */
    public Scenarios with(Traffic more) {
        traffic.add(more);
        return this;
    }

    /** Adds something that goes wrong. */
    public Scenarios but(Fault fault) {
        faults.add(fault);
        return this;
    }

    /** Sets what is measured. */
    public Scenarios measured(Measurement newMeasurement) {
        measurement = newMeasurement;
        return this;
    }

    /** Sets the seed. */
    public Scenarios seed(long newSeed) {
        seed = newSeed;
        return this;
    }

    /** {@return the scenario, of this length at most} */
    public Scenario untilDone(long nanos) {
        return scenario(nanos, true);
    }

    /** {@return the scenario, of exactly this length} */
    public Scenario lasting(long nanos) {
        return scenario(nanos, false);
    }

    private Scenario scenario(long nanos, boolean endsWhenDone) {
        return new Scenario("test", "", seed, nanos, endsWhenDone, network, traffic, faults, measurement);
    }
}
