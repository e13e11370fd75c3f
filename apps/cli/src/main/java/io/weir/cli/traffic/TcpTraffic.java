package io.weir.cli.traffic;

import io.weir.nic.net.TcpSender;
import io.weir.transport.runtime.CycleMonitor;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;

/** The kernel's TCP, with the congestion control and buffers that the kernel has by default. */
public final class TcpTraffic implements HostTraffic {
    private final TcpFlow.Route route;
    private final AtomicReference<String> failure = new AtomicReference<>();

    /** Creates traffic from the host that sends and asks to the other one. */
    public TcpTraffic(TcpFlow.Route route) {
        this.route = route;
    }

    @Override
    public Map<String, CycleMonitor> hostLoops() {
        return Map.of();
    }

    @Override
    public RunningTraffic<ArrivalLog> startBulk() throws IOException {
        TcpFlow flow = new TcpFlow("bulk", route, TcpFlow.Load.UNLIMITED, new ArrivalLog(), failure);
        flow.start();
        return flow;
    }

    @Override
    public RunningTraffic<Histogram> startRoundTrips(int messageBytes) throws IOException {
        return new Exchange(messageBytes);
    }

    @Override
    public void requireHealthy() throws IOException {
        if (failure.get() != null) {
            throw new IOException(failure.get());
        }
    }

    /** {@return the name of the congestion control that the sender's kernel uses by default} */
    public String congestionControl() throws IOException {
        try (TcpSender socket = route.from().call(() -> TcpSender.open(route.address(), ""))) {
            return socket.congestionControl();
        }
    }

    /** Messages by the JDK's channels, as an application of the kernel's TCP has them. */
    private final class Exchange implements RunningTraffic<Histogram> {
        private final RoundTripTimes times = new RoundTripTimes();
        private final int messageBytes;
        private final TcpConnection ends;

        Exchange(int messageBytes) throws IOException {
            this.messageBytes = messageBytes;
            this.ends = new TcpConnection("exchange", route, failure, this::ask, this::answer);
            ends.start();
        }

        private void ask(InetSocketAddress address, TcpConnection both) throws IOException {
            try (SocketChannel channel = TcpConnection.prepare(route.from().call(() -> SocketChannel.open(address)))) {
                ByteBuffer message = ByteBuffer.allocateDirect(messageBytes);
                while (!both.isEnding()) {
                    long askedNanos = times.begin();
                    channel.write(message.clear());
                    fill(channel, message.clear());
                    times.end(askedNanos);
                }
            }
        }

        private void answer(SocketChannel channel, TcpConnection both) throws IOException {
            ByteBuffer message = ByteBuffer.allocateDirect(messageBytes);
            while (!both.isEnding()) {
                fill(channel, message.clear());
                channel.write(message.flip());
            }
        }

        private static void fill(SocketChannel channel, ByteBuffer message) throws IOException {
            while (message.hasRemaining()) {
                if (channel.read(message) < 0) {
                    throw new EOFException("the other end ended the exchange");
                }
            }
        }

        @Override
        public Histogram figures() {
            return times.nanos();
        }

        @Override
        public void close() {
            ends.close();
        }
    }
}
