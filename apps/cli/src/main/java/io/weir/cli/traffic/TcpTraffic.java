package io.weir.cli.traffic;

import io.weir.nic.net.NetNamespace;
import io.weir.transport.runtime.CycleMonitor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;

/**
 * The kernel's TCP, with the congestion control and buffers that the kernel has by default: blocking sockets and
 * threads.
 */
public final class TcpTraffic implements HostTraffic {
    private static final int CHUNK_BYTES = 1 << 16;
    private static final long JOIN_MILLIS_MAX = 5_000;

    private final NetNamespace left;
    private final NetNamespace right;
    private final InetAddress address;
    private final AtomicReference<String> failure = new AtomicReference<>();

    /**
     * Creates traffic from one host to another.
     *
     * @param left the host that sends and asks
     * @param right the other host
     * @param address that of the other host
     */
    public TcpTraffic(NetNamespace left, NetNamespace right, InetAddress address) {
        this.left = left;
        this.right = right;
        this.address = address;
    }

    @Override
    public Map<String, CycleMonitor> hostLoops() {
        return Map.of();
    }

    @Override
    public MeasuredFlow startBulk() throws IOException {
        return new Flow(new Channels(left, right, address));
    }

    @Override
    public RoundTrips startRoundTrips(int messageBytes) throws IOException {
        return new Exchange(new Channels(left, right, address), messageBytes);
    }

    @Override
    public void requireHealthy() throws IOException {
        if (failure.get() != null) {
            throw new IOException(failure.get());
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    /** Both ends of a connection, each with a thread. A socket stays in the namespace in which it was made. */
    private static final class Channels {
        private final SocketChannel client;
        private final SocketChannel server;

        Channels(NetNamespace left, NetNamespace right, InetAddress to) throws IOException {
            InetSocketAddress any = new InetSocketAddress(to, 0);
            try (ServerSocketChannel listener =
                    right.call(() -> ServerSocketChannel.open().bind(any))) {
                InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
                client = left.call(() -> SocketChannel.open(address));
                server = listener.accept();
            }
            client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            server.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
    }

    /** Two threads on one connection, and how to end them. */
    private abstract class Pair implements AutoCloseable {
        private final Channels channels;
        private final Thread clientThread;
        private final Thread serverThread;
        private volatile boolean isEnding;

        Pair(String name, Channels channels) {
            this.channels = channels;
            clientThread = new Thread(() -> run(() -> client(channels.client)), "tcp-" + name + "-client");
            serverThread = new Thread(() -> run(() -> server(channels.server)), "tcp-" + name + "-server");
            clientThread.setDaemon(true);
            serverThread.setDaemon(true);
        }

        final void start() {
            serverThread.start();
            clientThread.start();
        }

        abstract void client(SocketChannel channel) throws IOException;

        abstract void server(SocketChannel channel) throws IOException;

        private void run(Work work) {
            try {
                work.run();
                noteEnd("ended early");
            } catch (IOException e) {
                noteEnd(e.toString());
            }
        }

        private void noteEnd(String why) {
            if (!isEnding) {
                failure.compareAndSet(null, Thread.currentThread().getName() + ": " + why);
            }
        }

        @Override
        public final void close() {
            isEnding = true;
            try (channels.client;
                    channels.server) {
                // An abortive close: what is queued must not cross the bottleneck during the next measurement.
                channels.client.setOption(StandardSocketOptions.SO_LINGER, 0);
            } catch (IOException e) {
                failure.compareAndSet(null, "closing: " + e);
            }
            try {
                clientThread.join(JOIN_MILLIS_MAX);
                serverThread.join(JOIN_MILLIS_MAX);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private final class Flow extends Pair implements MeasuredFlow {
        private final AtomicLong bytes = new AtomicLong();
        private final ArrivalLog arrivals = new ArrivalLog();

        Flow(Channels channels) {
            super("bulk", channels);
            start();
        }

        @Override
        void client(SocketChannel channel) throws IOException {
            ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
            while (channel.isOpen()) {
                chunk.clear();
                channel.write(chunk);
            }
        }

        @Override
        void server(SocketChannel channel) throws IOException {
            ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
            for (int read = channel.read(chunk); read >= 0; read = channel.read(chunk)) {
                bytes.lazySet(bytes.getPlain() + read);
                arrivals.add(System.nanoTime(), read);
                chunk.clear();
            }
        }

        @Override
        public long receivedBytes() {
            return bytes.get();
        }

        @Override
        public ArrivalLog arrivals() {
            return arrivals;
        }
    }

    private final class Exchange extends Pair implements RoundTrips {
        private final RoundTripTimes times = new RoundTripTimes();
        private final int messageBytes;

        Exchange(Channels channels, int messageBytes) {
            super("exchange", channels);
            this.messageBytes = messageBytes;
            start();
        }

        @Override
        void client(SocketChannel channel) throws IOException {
            ByteBuffer message = ByteBuffer.allocateDirect(messageBytes);
            while (channel.isOpen()) {
                long askedNanos = times.begin();
                message.clear();
                channel.write(message);
                message.clear();
                if (!fill(channel, message)) {
                    return;
                }
                times.end(askedNanos);
            }
        }

        @Override
        void server(SocketChannel channel) throws IOException {
            ByteBuffer message = ByteBuffer.allocateDirect(messageBytes);
            while (fill(channel, message)) {
                message.flip();
                channel.write(message);
                message.clear();
            }
        }

        private static boolean fill(SocketChannel channel, ByteBuffer message) throws IOException {
            while (message.hasRemaining()) {
                if (channel.read(message) < 0) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public Histogram nanos() {
            return times.nanos();
        }
    }

    /** {@return the name of the congestion control that the sender's kernel uses by default} */
    public String congestionControl() throws IOException {
        return left.call(
                () -> java.nio.file.Files.readString(java.nio.file.Path.of("/proc/sys/net/ipv4/tcp_congestion_control"))
                        .strip());
    }
}
