package io.weir.cli.perf;

import io.weir.nic.broker.BrokerBackend;
import io.weir.nic.dpdk.DpdkBackend;
import io.weir.nic.net.Interfaces;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Opens the ends of a measurement. What was not asked for is not used in its place. */
final class Endpoints {
    static final String MEMORY = "memory";

    private static final int MEMORY_MTU_BYTES = 1500;
    private static final int MEMORY_SLOT_BYTES = 2048;
    private static final String LOOPBACK = "lo";

    private Endpoints() {}

    /** {@return the names of the backends that this build has} */
    static List<String> backends() {
        List<String> names = new ArrayList<>();
        ServiceLoader.load(Backend.class).forEach(backend -> names.add(backend.name()));
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

    /** {@return two ends in this process, joined by a link in memory: the client's, and the server's at 10.0.0.2} */
    static List<Endpoint> openPair(TransportConfig config) throws IOException {
        long linkRateBps = config.linkRateBps() > 0 ? config.linkRateBps() : Transport.LINK_RATE_BPS_ASSUMED;
        if (config.queueCount() > 1) {
            List<List<Backend.Opened>> queues =
                    MemoryNetwork.pairWithQueues(config.queueCount(), 0, config.frameCount(), linkRateBps);
            return openPair(
                    () -> Transport.open(queues.get(0), config), () -> Transport.open(queues.get(1), config), config);
        }
        FramePool left = new FramePool(config.frameCount(), MEMORY_SLOT_BYTES);
        FramePool right = new FramePool(config.frameCount(), MEMORY_SLOT_BYTES);
        List<NetInterface> interfaces = MemoryNetwork.pair(left, right, MEMORY_MTU_BYTES, linkRateBps);
        return openPair(
                () -> Transport.open(interfaces.get(0), left, config),
                () -> Transport.open(interfaces.get(1), right, config),
                config);
    }

    /** Opens one end. */
    private interface Opening {
        Transport open() throws IOException;
    }

    private static List<Endpoint> openPair(Opening left, Opening right, TransportConfig config) throws IOException {
        Endpoint client = new Endpoint(left.open(), config, null);
        try {
            return List.of(client, new Endpoint(right.open(), config, null));
        } catch (IOException | RuntimeException e) {
            client.close();
            throw e;
        }
    }
}
