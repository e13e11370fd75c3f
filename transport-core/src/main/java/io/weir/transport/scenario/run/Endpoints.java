package io.weir.transport.scenario.run;

import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.host.HostStack;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;

/** Opens connections between the hosts of a world, and knows at their other end what each was opened for. */
final class Endpoints {
    private static final int EPHEMERAL_FIRST = 10_000;
    private static final int EPHEMERAL_COUNT = 55_536;
    private static final int PORT_BITS = 16;

    private final World world;
    private final ServicePorts services;
    private final boolean usesTokens;
    private final RoundTrips roundTrips;
    private final int[] nextPorts;
    private final List<Long2ObjectHashMap<ConnectionHandler>> expected = new ArrayList<>();

    Endpoints(World world, ServicePorts services, Wiring wiring, boolean usesTokens) {
        this.world = world;
        this.services = services;
        this.usesTokens = usesTokens;
        this.roundTrips = new RoundTrips(wiring);
        int hostCount = wiring.hostCount();
        this.nextPorts = new int[hostCount];
        for (int host = 0; host < hostCount; host++) {
            Long2ObjectHashMap<ConnectionHandler> coming = new Long2ObjectHashMap<>();
            expected.add(coming);
            for (int port : services.all()) {
                world.stack(host).listen(port, connection -> coming.remove(keyOf(connection)));
            }
        }
    }

    private static long keyOf(Connection incoming) {
        return keyOf(incoming.path().remote(), incoming.path().remotePort());
    }

    private static long keyOf(IpAddress client, int clientPort) {
        return client.low() << PORT_BITS ^ clientPort;
    }

    /**
     * Opens a connection now.
     *
     * @param server what handles its other end
     * @return the connection, or null when the host has as many as it may, or no port is left
     */
    Connection open(int from, int to, ProtocolConfig protocol, ConnectionHandler client, ConnectionHandler server) {
        HostStack stack = world.stack(from);
        int localPort = freePort(from);
        if (localPort < 0) {
            return null;
        }
        Path path = world.path(from, to, localPort, services.portOf(protocol));
        if (usesTokens && !stack.hasToken(path.remote())) {
            stack.takeToken(world.stack(to), path, roundTrips.nanos(from, to));
        }
        expected.get(to).put(keyOf(path.local(), localPort), server);
        Connection connection = stack.connect(path, protocol.id(), client);
        if (connection == null) {
            forget(to, path);
        }
        return connection;
    }

    /** Expects the connection of a path, seen from its client, no more. */
    void forget(int to, Path path) {
        expected.get(to).remove(keyOf(path.local(), path.localPort()));
    }

    private int freePort(int host) {
        for (int i = 0; i < EPHEMERAL_COUNT; i++) {
            int port = EPHEMERAL_FIRST + nextPorts[host];
            nextPorts[host] = (nextPorts[host] + 1) % EPHEMERAL_COUNT;
            if (world.stack(host).connectionCount(port) == 0) {
                return port;
            }
        }
        return -1;
    }
}
