package io.weir.cli.perf;

import io.weir.cli.environment.Fingerprint;
import io.weir.cli.environment.PortFingerprint;
import io.weir.nic.broker.BrokerBackend;
import io.weir.nic.dpdk.DpdkBackend;
import io.weir.nic.net.Interfaces;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.runtime.Backend;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * One end of a measurement: its transport, and what reports must say of it. Only the backend that was asked for is
 * used.
 *
 * @param transport what moves the data
 * @param config how it was set up
 * @param driver the driver of its interface, or null
 */
record Endpoint(Transport transport, TransportConfig config, String driver) implements AutoCloseable {
    static final String MEMORY = "memory";
    private static final String LOOPBACK = "lo";

    /** {@return the names of the backends that this build has} */
    static List<String> backends() {
        List<String> names = new ArrayList<>();
        ServiceLoader.load(Backend.class, Backend.class.getClassLoader()).forEach(backend -> names.add(backend.name()));
        names.add(MEMORY);
        return names;
    }

    /** Refuses a backend that this build does not have. */
    static void requireBackend(String name) {
        if (!backends().contains(name)) {
            throw new ConfigException("--backend " + name + " is not in this build, which has "
                    + String.join(", ", backends()) + "; nothing else is used in its place");
        }
    }

    /** {@return the end on an interface of this host} */
    static Endpoint open(String interfaceName, TransportConfig config) throws IOException {
        if (interfaceName == null) {
            throw new ConfigException("--interface is missing; interfaces here: " + interfaces());
        }
        if (config.backend().equals(DpdkBackend.NAME) || config.backend().equals(BrokerBackend.NAME)) {
            // The kernel does not know the device, or it is not this process's; its driver is the port's mode.
            return new Endpoint(Transport.open(interfaceName, config), config, null);
        }
        String driver = Interfaces.find(interfaceName).driver();
        return new Endpoint(Transport.open(interfaceName, config), config, driver.isEmpty() ? null : driver);
    }

    private static String interfaces() throws IOException {
        List<String> described = new ArrayList<>();
        for (String name : Interfaces.names()) {
            if (!name.equals(LOOPBACK)) {
                described.add(name + " " + Interfaces.find(name).addresses());
            }
        }
        return described.isEmpty() ? "none but the loopback" : String.join(", ", described);
    }

    /** {@return what results depend on at this end, with the seed of the payload if there is one} */
    Fingerprint fingerprint(Long seed) {
        PortFingerprint port = PortFingerprint.of(transport.portInfo(), driver).scheduled(transport.scheduling());
        return Fingerprint.take(List.of(port), seed);
    }

    /** {@return the protocol that connections from here are to have} */
    ProtocolId protocol() {
        return config.protocols().get(0).id();
    }

    @Override
    public void close() {
        transport.close();
    }
}
