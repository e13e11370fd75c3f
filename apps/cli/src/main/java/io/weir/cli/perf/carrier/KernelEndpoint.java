package io.weir.cli.perf.carrier;

import io.weir.cli.environment.Fingerprint;
import io.weir.cli.environment.PortFingerprint;
import io.weir.nic.net.TcpInfo;
import io.weir.transport.host.CloseReason;
import io.weir.transport.runtime.LoopTask;
import io.weir.transport.runtime.PauseCounts;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** An end that the kernel's TCP carries: non-blocking sockets and one loop, as a service on {@code java.nio} has. */
public final class KernelEndpoint implements Endpoint {
    /** What the protocol is called. */
    public static final String PROTOCOL = "kernel";

    private static final InetSocketAddress NOWHERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final KernelSettings settings;
    private final KernelLoop loop;
    private final NetworkInterface netInterface;

    private KernelEndpoint(KernelSettings settings, KernelLoop loop, NetworkInterface netInterface) {
        this.settings = settings;
        this.loop = loop;
        this.netInterface = netInterface;
    }

    /** {@return an end with a running loop} */
    public static KernelEndpoint open(KernelSettings settings) throws IOException {
        // The first question loads what asks the kernel, which takes long: not while data waits.
        TcpInfo.of(NOWHERE, NOWHERE);
        NetworkInterface netInterface =
                settings.address() == null ? null : NetworkInterface.getByInetAddress(settings.address());
        return new KernelEndpoint(
                settings, KernelLoop.start("weir-tcp-" + COUNT.incrementAndGet(), settings.isSpinning()), netInterface);
    }

    @Override
    public String protocol() {
        return PROTOCOL;
    }

    @Override
    public String place() {
        return "the kernel's TCP";
    }

    @Override
    public List<InetAddress> addresses() {
        return List.of();
    }

    @Override
    public void connect(InetSocketAddress remote, int localPort, boolean isFirst, LinkHandler handler)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            KernelLink.prepare(channel, settings);
            if (localPort != 0 || settings.address() != null) {
                bind(channel, new InetSocketAddress(settings.address(), localPort));
            }
            channel.connect(remote);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        loop.execute(now -> new KernelLink(loop, channel, handler).open());
    }

    private static void bind(SocketChannel channel, InetSocketAddress local) throws IOException {
        try {
            channel.bind(local);
        } catch (BindException e) {
            throw (BindException) new BindException(
                            local + ": " + e.getMessage() + "; name an address of this host and a port that is free")
                    .initCause(e);
        }
    }

    @Override
    public int listen(int port, LinkAcceptor acceptor) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.configureBlocking(false);
            listener.bind(new InetSocketAddress(settings.address(), port));
        } catch (BindException e) {
            listener.close();
            throw (BindException)
                    new BindException("TCP port " + port + " of this host: " + e.getMessage() + "; give another by -p")
                            .initCause(e);
        }
        loop.execute(now -> loop.listen(listener, channel -> accepted(channel, acceptor)));
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    private void accepted(SocketChannel channel, LinkAcceptor acceptor) throws IOException {
        KernelLink.prepare(channel, settings);
        KernelLink link = new KernelLink(loop, channel, null);
        link.setHandler(acceptor.accept(link));
        link.begin();
    }

    @Override
    public void execute(Link link, LoopTask task) {
        loop.execute(task);
    }

    @Override
    public void eachCycle(Link link, BooleanSupplier work) {
        loop.execute(now -> loop.eachCycle(work));
    }

    /** What was said, or else what Weir takes a link for whose device tells no rate. */
    @Override
    public long linkRateBps() {
        return settings.linkRateBps() > 0 ? settings.linkRateBps() : Transport.LINK_RATE_BPS_ASSUMED;
    }

    @Override
    public LoopMeter meter() {
        return new Meter(loop.name(), CoreTime.of(loop.name()), KernelCounts.read());
    }

    @Override
    public Fingerprint fingerprint(Long seed) {
        PortFingerprint port = new PortFingerprint(
                netInterface == null ? "all" : netInterface.getName(),
                PROTOCOL,
                null,
                "TCP, " + KernelCounts.congestionControl(),
                "asked for",
                "none",
                mtuBytes(),
                0,
                null);
        return Fingerprint.take(List.of(port), seed);
    }

    private int mtuBytes() {
        try {
            return netInterface == null ? 0 : Math.max(0, netInterface.getMTU());
        } catch (SocketException e) {
            // The interface has gone meanwhile.
            return 0;
        }
    }

    @Override
    public Map<String, Long> skippedFrames() {
        return Collections.emptyMap();
    }

    /** The kernel does not end. */
    @Override
    public void whenEnded(Consumer<CloseReason> listener) {}

    @Override
    public Throwable failure() {
        return loop.failure();
    }

    @Override
    public void close() {
        loop.close();
    }

    private record Meter(String loopName, CoreTime startTime, HostCounts startCounts) implements LoopMeter {
        @Override
        public LoopReport report() {
            CoreTime time = CoreTime.between(startTime, CoreTime.of(loopName));
            PauseCounts none = PauseCounts.of();
            return new LoopReport(
                    none.count(),
                    none.totalNanos(),
                    0,
                    0,
                    none.longestNanos(),
                    time == null ? null : time.ranNanos(),
                    time == null ? null : time.waitedNanos(),
                    0,
                    0);
        }

        @Override
        public HostCounts counts() {
            return KernelCounts.read().minus(startCounts);
        }
    }
}
