package io.weir.cli.perf;

import io.weir.cli.environment.Fingerprint;
import io.weir.cli.environment.PortFingerprint;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.util.List;

/**
 * One end of a measurement: its transport, and what reports must say of it.
 *
 * @param transport what moves the data
 * @param config how it was set up
 * @param driver the driver of its interface, or null
 */
record Endpoint(Transport transport, TransportConfig config, String driver) implements AutoCloseable {
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
