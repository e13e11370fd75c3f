package io.weir.transport.scenario.run;

import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ReceiverProtocol;
import io.weir.transport.protocol.SenderProtocol;
import io.weir.transport.scenario.Randomness;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The ports that every host listens on: one for each set of protocol parameters in a scenario. A connection's port says
 * which parameters it has, so that flows of one protocol can differ in theirs.
 */
public final class ServicePorts {
    static final int FIRST = 4720;
    private static final int COUNT_MAX = 1024;

    private final long seed;
    private final Map<ProtocolConfig, Integer> ports = new LinkedHashMap<>();
    /** By port, and for this run alone. */
    private final Map<Integer, ProtocolConfig> protocols = new LinkedHashMap<>();

    /** Numbers the parameters of a scenario in the order in which its traffic has them. */
    public ServicePorts(Scenario scenario) {
        this.seed = scenario.seed();
        for (Traffic traffic : scenario.traffic()) {
            ports.putIfAbsent(traffic.protocol(), FIRST + ports.size());
        }
        ports.forEach((protocol, port) -> protocols.put(port, protocol.forOneNetwork()));
        if (ports.isEmpty()) {
            throw new ConfigException("the scenario has no traffic; add some");
        }
        if (ports.size() > COUNT_MAX) {
            throw new ConfigException("the scenario has " + ports.size() + " sets of protocol parameters; at most "
                    + COUNT_MAX + " can run side by side");
        }
    }

    /** {@return the port of flows with these parameters} */
    public int portOf(ProtocolConfig protocol) {
        return ports.get(protocol);
    }

    /** {@return all ports} */
    public Iterable<Integer> all() {
        return ports.values();
    }

    /** {@return the protocols of one host, each with all the parameters that it is used with} */
    public List<ProtocolFactory> factoriesOf(String hostName) {
        Map<ProtocolId, ByPort> byId = new LinkedHashMap<>();
        protocols.forEach((port, config) -> byId.computeIfAbsent(config.id(), ByPort::new)
                .factories
                .put(port, config.newFactory(Randomness.of(seed, "protocol " + port, hostName))));
        return new ArrayList<>(byId.values());
    }

    /** One protocol with several sets of parameters: the port of a flow chooses. */
    private static final class ByPort implements ProtocolFactory {
        private final ProtocolId id;
        private final Map<Integer, ProtocolFactory> factories = new LinkedHashMap<>();

        ByPort(ProtocolId id) {
            this.id = id;
        }

        @Override
        public ProtocolId id() {
            return id;
        }

        private ProtocolFactory of(FlowContext context) {
            ProtocolFactory factory = factories.get(context.path().remotePort());
            return factory != null ? factory : factories.get(context.path().localPort());
        }

        @Override
        public SenderProtocol newSender(FlowContext context) {
            return of(context).newSender(context);
        }

        @Override
        public ReceiverProtocol newReceiver(FlowContext context) {
            return of(context).newReceiver(context);
        }
    }
}
