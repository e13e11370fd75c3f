package io.weir.transport.socket;

import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Two transports on a link in memory, with a connection between them when it is asked for. */
final class TwoTransports implements AutoCloseable {
    static final int PORT = 4720;
    static final InetSocketAddress SERVER = new InetSocketAddress("10.0.0.2", PORT);
    /** Against hangs: everything takes as long as the machine needs. */
    static final Duration PATIENCE = Duration.ofMinutes(5);

    final Transport client;
    final Transport server;
    final List<FramePool> pools;
    private WeirServerSocket listener;
    private WeirSocket near;
    private WeirSocket far;

    TwoTransports(TransportConfig clientConfig, TransportConfig serverConfig) throws IOException {
        pools = List.of(new FramePool(2048, 2048, true), new FramePool(2048, 2048, true));
        List<NetInterface> pair = MemoryNetwork.pair(pools.get(0), pools.get(1), 1500, 10_000_000_000L);
        client = Transport.open(pair.get(0), pools.get(0), clientConfig);
        server = Transport.open(pair.get(1), pools.get(1), serverConfig);
    }

    TwoTransports() throws IOException {
        this(TransportConfig.DEFAULT, TransportConfig.DEFAULT);
    }

    synchronized WeirServerSocket listener() throws IOException {
        if (listener == null) {
            listener = server.listen(PORT);
        }
        return listener;
    }

    /** {@return the client's end of a connection, the same for every thread} */
    synchronized WeirSocket near() throws IOException {
        if (near == null) {
            WeirServerSocket waiting = listener();
            near = client.connect(SERVER, PATIENCE);
            // The client's first frame confirms the connection to the server.
            far = waiting.accept();
        }
        return near;
    }

    /** {@return the server's end of it} */
    synchronized WeirSocket far() throws IOException {
        near();
        return far;
    }

    @Override
    public void close() {
        client.close(Duration.ZERO);
        server.close(Duration.ZERO);
    }
}
