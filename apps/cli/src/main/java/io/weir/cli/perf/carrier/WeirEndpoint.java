package io.weir.cli.perf.carrier;

import io.weir.cli.environment.Fingerprint;
import io.weir.cli.environment.PortFingerprint;
import io.weir.nic.broker.BrokerBackend;
import io.weir.nic.dpdk.DpdkBackend;
import io.weir.nic.net.Interfaces;
import io.weir.transport.host.CloseReason;
import io.weir.transport.host.HostConfig;
import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.LoopTask;
import io.weir.transport.runtime.PauseCounts;
import io.weir.transport.socket.LocalPort;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * An end that Weir carries. Only the backend that was asked for is used.
 *
 * @param transport what moves the data
 * @param config how it was set up
 * @param driver the driver of its interface, or null
 */
public record WeirEndpoint(Transport transport, TransportConfig config, String driver) implements Endpoint {
    /** The name of the backend that needs no interface. */
    public static final String MEMORY = "memory";

    private static final String LOOPBACK = "lo";

    /** {@return the names of the backends that this build has} */
    public static List<String> backends() {
        List<String> names = new ArrayList<>();
        ServiceLoader.load(Backend.class, Backend.class.getClassLoader()).forEach(backend -> names.add(backend.name()));
        names.add(MEMORY);
        return names;
    }

    /** Refuses a backend that this build does not have. */
    public static void requireBackend(String name) {
        if (!backends().contains(name)) {
            throw new ConfigException("--backend " + name + " is not in this build, which has "
                    + String.join(", ", backends()) + "; nothing else is used in its place");
        }
    }

    /** {@return the end on an interface of this host} */
    public static WeirEndpoint open(String interfaceName, TransportConfig config) throws IOException {
        if (interfaceName == null) {
            throw new ConfigException("--interface is missing; interfaces here: " + interfaces());
        }
        if (config.backend().equals(DpdkBackend.NAME) || config.backend().equals(BrokerBackend.NAME)) {
            // The kernel does not know the device, or it is not this process's; its driver is the port's mode.
            return new WeirEndpoint(Transport.open(interfaceName, config), config, null);
        }
        String driver = Interfaces.find(interfaceName).driver();
        return new WeirEndpoint(Transport.open(interfaceName, config), config, driver.isEmpty() ? null : driver);
    }

    /** {@return the interfaces of this host but the loopback, with their addresses, for messages} */
    public static String interfaces() throws IOException {
        List<String> described = new ArrayList<>();
        for (String name : Interfaces.names()) {
            if (!name.equals(LOOPBACK)) {
                described.add(name + " " + Interfaces.find(name).addresses());
            }
        }
        return described.isEmpty() ? "none but the loopback" : String.join(", ", described);
    }

    @Override
    public Fingerprint fingerprint(Long seed) {
        PortFingerprint port = PortFingerprint.of(transport.portInfo(), driver).scheduled(transport.scheduling());
        return Fingerprint.take(List.of(port), seed);
    }

    @Override
    public String protocol() {
        return config.protocols().get(0).id().name();
    }

    @Override
    public String place() {
        return transport.portInfo().name() + " (" + transport.portInfo().mode() + ")";
    }

    @Override
    public List<InetAddress> addresses() {
        return transport.addresses();
    }

    @Override
    public void connect(InetSocketAddress remote, int localPort, boolean isFirst, LinkHandler handler)
            throws IOException {
        WeirLink link = new WeirLink(transport, handler);
        if (localPort != 0) {
            // Does nothing once a connection has the port.
            try (LocalPort from = transport.bind(new InetSocketAddress(localPort))) {
                link.attach(transport.connect(transport.loop(), remote, from, link));
            }
        } else if (isFirst) {
            link.attach(transport.connect(transport.loop(), remote, null, link));
        } else {
            link.attach(transport.connect(remote, link));
        }
    }

    @Override
    public int listen(int port, LinkAcceptor acceptor) throws IOException {
        transport.listen(port, connection -> {
            WeirLink link = new WeirLink(transport, null);
            link.attach(connection);
            link.setHandler(acceptor.accept(link));
            return link;
        });
        return port;
    }

    @Override
    public void execute(Link link, LoopTask task) {
        if (link == null) {
            transport.execute(task);
        } else {
            transport.execute(((WeirLink) link).connection(), task);
        }
    }

    @Override
    public void eachCycle(Link link, BooleanSupplier work) {
        EventLoop loop = transport
                .loops()
                .get(transport
                        .hostStacks()
                        .indexOf(((WeirLink) link).connection().host()));
        LoopTask again = new LoopTask() {
            @Override
            public void run(long nowNanos) {
                if (work.getAsBoolean()) {
                    loop.offer(this);
                }
            }
        };
        loop.offer(again);
    }

    @Override
    public long linkRateBps() {
        return transport.hostConfig().link().rateBps();
    }

    @Override
    public LoopMeter meter() {
        return new Meter(
                this,
                HostCounts.of(transport.counters()),
                transport.loops().stream().map(LoopStart::of).toList());
    }

    @Override
    public Map<String, Long> skippedFrames() {
        return transport.skippedFrames();
    }

    /** One whose interface is opened again has not ended. */
    @Override
    public void whenEnded(Consumer<CloseReason> listener) {
        if (!config.reopen()) {
            transport.setInterfaceEndListener(listener::accept);
            CloseReason end = transport.interfaceEnd();
            if (end != null) {
                listener.accept(end);
            }
        }
    }

    @Override
    public Throwable failure() {
        return transport.loops().stream()
                .map(EventLoop::failure)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    @Override
    public void close() {
        transport.close();
    }

    /** What a loop had counted at the start. */
    private record LoopStart(EventLoop loop, PauseCounts pauses, CoreTime coreTime) {
        static LoopStart of(EventLoop loop) {
            return new LoopStart(loop, loop.monitor().pauses(), CoreTime.of(loop.name()));
        }
    }

    private record Meter(WeirEndpoint endpoint, HostCounts startCounts, List<LoopStart> startLoops)
            implements LoopMeter {
        @Override
        public LoopReport report() {
            HostConfig host = endpoint.transport.hostConfig();
            return LoopReport.of(
                    startLoops.stream()
                            .map(start -> start.loop.monitor().pauses().since(start.pauses))
                            .toList(),
                    startLoops.stream()
                            .map(start -> CoreTime.between(start.coreTime, CoreTime.of(start.loop.name())))
                            .toList(),
                    host.pauses(),
                    host.link().rateBps());
        }

        @Override
        public HostCounts counts() {
            return HostCounts.of(endpoint.transport.counters()).minus(startCounts);
        }
    }
}
