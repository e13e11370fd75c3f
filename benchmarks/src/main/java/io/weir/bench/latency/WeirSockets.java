package io.weir.bench.latency;

import io.weir.nic.lab.TwoHosts;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Weir's blocking sockets, each end used from one application thread: next to a loop with a thread, or
 * running the loop itself.
 */
final class WeirSockets implements Contender {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final IdleMode idleMode;

    WeirSockets(IdleMode idleMode) {
        this.idleMode = idleMode;
    }

    @Override
    public String label() {
        return "Weir sockets, " + idleMode;
    }

    @Override
    public void run(TwoHosts hosts, PingPongOptions options, TripTimer trips) throws Exception {
        CompletableFuture<WeirSocket> served = new CompletableFuture<>();
        // A connect to a port that nobody listens on is refused.
        CompletableFuture<Void> listening = new CompletableFuture<>();
        EndThread echo = EndThread.start(
                "ping-server",
                options.pin() ? EndThread.SERVER_CORE : EndThread.ANY_CORE,
                () -> serve(hosts, options, listening, served));
        EndThread ping =
                EndThread.start("ping-client", options.pin() ? EndThread.CLIENT_CORE : EndThread.ANY_CORE, () -> {
                    listening.join();
                    ping(hosts, options, trips);
                });
        trips.await();
        ping.join();
        served.join().abort();
        echo.join();
    }

    private void serve(
            TwoHosts hosts,
            PingPongOptions options,
            CompletableFuture<Void> listening,
            CompletableFuture<WeirSocket> served)
            throws IOException {
        try (Transport transport = PingPong.openTransport(hosts, hosts.b(), idleMode, options);
                WeirServerSocket listener = transport.listen(PingPong.SERVER.getPort())) {
            listening.complete(null);
            pinLoop(transport, options, EndThread.SERVER_CORE);
            listener.setAcceptTimeout(PATIENCE);
            WeirSocket socket = listener.accept();
            served.complete(socket);
            echo(socket, options.sizeBytes());
        } finally {
            // Where it could not be opened, the client is refused, and both are reported.
            listening.complete(null);
        }
    }

    private static void echo(WeirSocket socket, int sizeBytes) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(sizeBytes);
        socket.setReadTimeout(PATIENCE);
        try {
            while (socket.read(message.clear()) >= 0) {
                socket.write(message.flip());
            }
        } catch (SocketException e) {
            if (!socket.isClosed()) {
                throw e;
            }
            // The run is over.
        }
    }

    private void ping(TwoHosts hosts, PingPongOptions options, TripTimer trips) throws IOException {
        try (Transport transport = PingPong.openTransport(hosts, hosts.a(), idleMode, options);
                WeirSocket socket = transport.connect(PingPong.SERVER, PATIENCE)) {
            pinLoop(transport, options, EndThread.CLIENT_CORE);
            socket.setReadTimeout(PATIENCE);
            ByteBuffer message = ByteBuffer.allocateDirect(options.sizeBytes());
            long sentNanos;
            do {
                sentNanos = trips.begin();
                socket.write(message.clear());
                message.clear();
                while (message.hasRemaining()) {
                    socket.read(message);
                }
            } while (trips.end(sentNanos));
        }
    }

    private void pinLoop(Transport transport, PingPongOptions options, int core) {
        if (options.pin() && idleMode != IdleMode.INVOKER) {
            transport.execute(now -> EndThread.pin(core));
        }
    }
}
