package io.weir.bench.sharing;

import io.weir.bench.sharing.SharingTurn.Carrier;
import io.weir.cli.traffic.EchoHandler;
import io.weir.cli.traffic.PingHandler;
import io.weir.cli.traffic.QuietHandler;
import io.weir.nic.broker.BrokerBackend;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One of the two processes: {@code server|client ADDRESS INTERFACE SOCKET RATE SECONDS}. It reads turns from standard
 * input, one a line, and answers by lines: the server when it serves, and after another line when it has ended; the
 * client with bits per second, or with the p50 and p99 of round trips in microseconds.
 */
final class SharingEnd {
    private static final int PORT = 4720;
    private static final int TCP_PORT = 4721;
    private static final int CHUNK_BYTES = 1 << 17;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** A usual NIC's, which memory does not have to keep to. */
    private static final long LINK_RATE_BPS = 10_000_000_000L;

    private final boolean isServer;
    private final String address;
    private final String interfaceName;
    private final String socketPath;
    private final double seconds;

    private SharingEnd(String... arguments) {
        isServer = arguments[0].equals("server");
        address = arguments[1];
        interfaceName = arguments[2];
        socketPath = arguments[3];
        seconds = Double.parseDouble(arguments[4]);
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws Exception {
        SharingEnd end = new SharingEnd(arguments);
        BufferedReader turns = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("READY");
        for (String line = turns.readLine(); line != null; line = turns.readLine()) {
            SharingTurn turn = SharingTurn.parse(line);
            if (!end.isServer) {
                System.out.println("DONE " + end.measure(turn));
                continue;
            }
            AutoCloseable serving = end.serve(turn);
            System.out.println("READY");
            // Any line ends the turn.
            turns.readLine();
            serving.close();
            System.out.println("IDLE");
        }
    }

    private Transport open(SharingTurn turn) throws IOException {
        boolean isClient = turn.carrier() == Carrier.SAME_HOST || (turn.carrier() == Carrier.BROKER && isServer);
        TransportConfig config = TransportConfig.builder()
                .backend(isClient ? BrokerBackend.NAME : "afxdp")
                .idleMode(turn.isSpinning() ? IdleMode.BUSY_SPIN : IdleMode.BACK_OFF)
                .linkRateBps(LINK_RATE_BPS)
                .build();
        return Transport.open(isClient ? socketPath : interfaceName, config);
    }

    // ---- the server

    private AutoCloseable serve(SharingTurn turn) throws IOException {
        if (turn.carrier() == Carrier.TCP) {
            ServerSocketChannel listener = ServerSocketChannel.open();
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), TCP_PORT));
            start(() -> serveTcp(listener, turn));
            return listener;
        }
        Transport transport = open(turn);
        if (turn.isSpinning()) {
            transport.listen(PORT, connection -> answer(turn.isBulk()));
            return transport;
        }
        WeirServerSocket listener = transport.listen(PORT);
        start(() -> serveWeir(listener, turn));
        return transport;
    }

    /** {@return what sends back what comes, or nothing} */
    private static ConnectionHandler answer(boolean isBulk) {
        AtomicReference<String> ended = new AtomicReference<>();
        return QuietHandler.ofAnyEnd(
                isBulk ? new QuietHandler("a bulk flow's receiver", ended) : new EchoHandler(ended));
    }

    /** What a thread does until its peer is gone. */
    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // The turn is over.
                        return;
                    }
                },
                "serve");
        thread.setDaemon(true);
        thread.start();
    }

    private static void serveTcp(ServerSocketChannel listener, SharingTurn turn) throws IOException {
        try (SocketChannel channel = listener.accept()) {
            prepare(channel, turn);
            ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK_BYTES);
            while (channel.read(buffer) >= 0) {
                buffer.flip();
                while (!turn.isBulk() && buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                buffer.clear();
            }
        }
    }

    private static void prepare(SocketChannel channel, SharingTurn turn) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(!turn.isSpinning());
    }

    private static void serveWeir(WeirServerSocket listener, SharingTurn turn) throws IOException {
        try (WeirSocket socket = listener.accept()) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK_BYTES);
            while (socket.read(buffer) >= 0) {
                buffer.flip();
                if (!turn.isBulk()) {
                    socket.write(buffer);
                }
                buffer.clear();
            }
        }
    }

    // ---- the client

    private String measure(SharingTurn turn) throws Exception {
        Tally tally = new Tally(seconds);
        if (turn.carrier() == Carrier.TCP) {
            InetSocketAddress remote = new InetSocketAddress(InetAddress.getLoopbackAddress(), TCP_PORT);
            try (SocketChannel channel = SocketChannel.open(remote)) {
                prepare(channel, turn);
                measureTcp(channel, turn, tally);
            }
        } else {
            try (Transport transport = open(turn)) {
                measureWeir(transport, turn, tally);
            }
        }
        return turn.isBulk()
                ? String.format(Locale.ROOT, "%f", tally.rateBps())
                : String.format(Locale.ROOT, "%f %f", tally.p50Micros(), tally.p99Micros());
    }

    private static void measureTcp(SocketChannel channel, SharingTurn turn, Tally tally) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(turn.isBulk() ? CHUNK_BYTES : Tally.MESSAGE_BYTES);
        boolean isGoing = true;
        while (isGoing) {
            long sentNanos = System.nanoTime();
            buffer.clear();
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            buffer.clear();
            while (!turn.isBulk() && buffer.hasRemaining()) {
                channel.read(buffer);
            }
            isGoing = tally.note(buffer.capacity(), sentNanos);
        }
    }

    private void measureWeir(Transport transport, SharingTurn turn, Tally tally) throws Exception {
        InetSocketAddress remote = new InetSocketAddress(address, PORT);
        if (turn.isSpinning()) {
            transport.connect(
                    remote,
                    turn.isBulk()
                            ? new TalliedSource(tally)
                            : QuietHandler.ofAnyEnd(
                                    new PingHandler(Tally.MESSAGE_BYTES, tally, new AtomicReference<>())));
            tally.await();
            return;
        }
        try (WeirSocket socket = transport.connect(remote, PATIENCE)) {
            if (socket.isOnSharedMemory() != (turn.carrier() == Carrier.SAME_HOST)) {
                throw new IllegalStateException("the bytes go another way than they should");
            }
            ByteBuffer buffer = ByteBuffer.allocateDirect(turn.isBulk() ? CHUNK_BYTES : Tally.MESSAGE_BYTES);
            boolean isGoing = true;
            while (isGoing) {
                long sentNanos = System.nanoTime();
                buffer.clear();
                socket.write(buffer);
                buffer.clear();
                while (!turn.isBulk() && buffer.hasRemaining()) {
                    socket.read(buffer);
                }
                isGoing = tally.note(buffer.capacity(), sentNanos);
            }
            socket.abort();
        }
    }

    /** Writes as much as there is room for, until the run is over. */
    private static final class TalliedSource extends QuietHandler {
        private static final UnsafeBuffer CHUNK = new UnsafeBuffer(new byte[CHUNK_BYTES]);

        private final Tally tally;
        /** Whether the run goes on. */
        private boolean isGoing = true;

        TalliedSource(Tally tally) {
            super("a bulk flow's sender", new AtomicReference<>());
            this.tally = tally;
            allowEnd();
        }

        @Override
        public void onConnected(Connection connection) {
            onWritable(connection);
        }

        @Override
        public void onWritable(Connection connection) {
            int count = CHUNK_BYTES;
            while (isGoing && count > 0) {
                long sentNanos = System.nanoTime();
                count = connection.write(CHUNK, 0, CHUNK_BYTES);
                if (count > 0) {
                    isGoing = tally.note(count, sentNanos);
                }
            }
        }
    }
}
