package io.weir.cli.perf.carrier;

import io.weir.nic.lab.TransportPair;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;

/**
 * Both ends of a measurement in this process.
 *
 * @param client one end
 * @param server the other
 * @param pair the transports of both, which end together
 */
public record EndpointPair(WeirEndpoint client, WeirEndpoint server, TransportPair pair) implements AutoCloseable {
    /** {@return two ends with a link in memory between them} */
    public static EndpointPair inMemory(TransportConfig config) throws IOException {
        TransportPair pair = TransportPair.inMemory(config);
        return new EndpointPair(
                new WeirEndpoint(pair.client(), config, null), new WeirEndpoint(pair.server(), config, null), pair);
    }

    @Override
    public void close() {
        pair.close();
    }
}
