package io.weir.cli.perf;

import io.weir.nic.lab.TransportPair;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;

/**
 * Two ends in this process, joined by a link in memory.
 *
 * @param client the end that connects
 * @param server the end at 10.0.0.2
 * @param pair the transports of both, which end together
 */
record EndpointPair(Endpoint client, Endpoint server, TransportPair pair) implements AutoCloseable {
    static EndpointPair inMemory(TransportConfig config) throws IOException {
        TransportPair pair = TransportPair.inMemory(config);
        return new EndpointPair(
                new Endpoint(pair.client(), config, null), new Endpoint(pair.server(), config, null), pair);
    }

    @Override
    public void close() {
        pair.close();
    }
}
