package io.weir.transport.socket;

import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Two transports on a separate thread and clock: a blocking call on one of them runs its loop, and when that
 * would sleep, the other's loop runs and time passes. What takes ten seconds takes a thousand steps.
 *
 * <p>A loop that polls yields its core, and gets it back after milliseconds where another thread computes there. So the
 * clock goes on fast enough for a loop to poll only a few times before it sleeps, and not so fast that each cycle
 * counts as a pause.
 */
final class VirtualPair implements AutoCloseable {
    static final long MILLISECOND = 1_000_000;
    /** What one look at the clock takes. */
    private static final long TICK_NANOS = 10_000;
    /** The longest step. */
    private static final long STEP_NANOS_MAX = 10 * MILLISECOND;

    final Transport client;
    final Transport server;
    private final List<Transport> transports = new ArrayList<>();
    private long nowNanos;
    private boolean isServerRunning = true;
    private boolean isServersTurn;

    VirtualPair() throws IOException {
        TransportConfig config =
                TransportConfig.builder().idleMode(IdleMode.INVOKER).build();
        FramePool left = new FramePool(2048, 2048, true);
        FramePool right = new FramePool(2048, 2048, true);
        List<NetInterface> pair = MemoryNetwork.pair(left, right, 1500, 10_000_000_000L);
        client = Transport.open(new Interface(pair.get(0)), left, config, this::tick);
        server = Transport.open(new Interface(pair.get(1)), right, config, this::tick);
        transports.add(client);
        transports.add(server);
    }

    private long tick() {
        nowNanos += TICK_NANOS;
        return nowNanos;
    }

    long nowNanos() {
        return nowNanos;
    }

    /** The server's host does nothing any more, as if it had crashed. */
    void stopServer() {
        isServerRunning = false;
    }

    private void pass(long nanos) {
        if (isServerRunning && !isServersTurn && !server.loop().isClosed()) {
            isServersTurn = true;
            try {
                if (server.runOnce() > 0) {
                    return;
                }
            } finally {
                isServersTurn = false;
            }
        }
        nowNanos += Math.min(nanos, STEP_NANOS_MAX);
    }

    @Override
    public void close() {
        stopServer();
        client.close(java.time.Duration.ZERO);
        server.close(java.time.Duration.ZERO);
    }

    private final class Interface implements NetInterface {
        private final NetInterface memory;

        Interface(NetInterface memory) {
            this.memory = memory;
        }

        @Override
        public NetPort port() {
            return memory.port();
        }

        @Override
        public List<InetAddress> addresses() {
            return memory.addresses();
        }

        @Override
        public Path resolve(int localPort, InetSocketAddress remote) throws IOException {
            return memory.resolve(localPort, remote);
        }

        @Override
        public void claimPort(int port) throws IOException {
            memory.claimPort(port);
        }

        @Override
        public void releasePort(int port) {
            memory.releasePort(port);
        }

        @Override
        public Waiter newWaiter() {
            return new Waiter() {
                @Override
                public void await(long timeoutNanos) {
                    pass(timeoutNanos);
                }

                @Override
                public void wake() {}

                @Override
                public void close() {}
            };
        }
    }
}
