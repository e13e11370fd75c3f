package io.weir.transport.testing;

import io.weir.pacer.CreditShape;
import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.scenario.Fault;
import io.weir.transport.sim.FaultInjector;
import io.weir.transport.sim.FaultyHost;
import io.weir.transport.sim.SimLink;
import io.weir.transport.sim.SimNode;
import io.weir.transport.sim.SimPort;
import io.weir.transport.sim.Simulator;
import io.weir.transport.switching.SwitchPipeline;
import io.weir.transport.switching.SwitchPortConfig;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A network in virtual time for tests: hosts on links, with or without a switch between them. */
public final class TestNetwork implements AutoCloseable {
    /** The port that {@link #connect} connects to. */
    public static final int PORT = 4720;

    private static final int FRAMES = 16_384;

    private final FramePool pool;
    private final Simulator simulator = new Simulator();
    private final SeededRandom random;
    private final List<SimNode> hosts = new ArrayList<>();
    private final List<FaultyHost> drivers = new ArrayList<>();
    private final long linkRateBps;
    private final ProtocolConfig protocol;
    private UnaryOperator<HostConfig.Builder> hostOptions = builder -> builder;
    private CreditPortConfig credits;
    private long lastLinkRateBps;
    private Fault.Impairment impairment;
    private long healNanos;
    private boolean isV6;
    private SwitchPipeline pipeline;
    private SwitchPipeline rightPipeline;
    private int nextClientPort = 40_000;

    /** Creates an empty network. */
    public TestNetwork(long seed, long linkRateBps, ProtocolConfig protocol) {
        this(seed, linkRateBps, protocol, FRAMES);
    }

    /** Creates an empty network with this many frames for all hosts, switches and links together. */
    public TestNetwork(long seed, long linkRateBps, ProtocolConfig protocol, int frameCount) {
        this(seed, linkRateBps, protocol, new FramePool(frameCount, 2048, true));
    }

    /** Creates an empty network with these frames for all hosts, switches and links together. */
    public TestNetwork(long seed, long linkRateBps, ProtocolConfig protocol, FramePool pool) {
        this.pool = pool;
        this.random = new SeededRandom(seed);
        this.linkRateBps = linkRateBps;
        this.protocol = protocol;
    }

    /** Sets which credits are dropped at the hosts and switches that are added from now on. */
    public TestNetwork creditDrop(CreditPortConfig.Drop drop) {
        CreditShape shape = CreditShape.permitting(1538).withWireBytes(84, 92);
        credits = CreditPortConfig.exact(linkRateBps, shape, 10_000, 2).withDrop(drop);
        return this;
    }

    /** Makes the link of the last host of a star slower than the others: the bottleneck of all that send to it. */
    public TestNetwork lastLinkRate(long rateBps) {
        lastLinkRateBps = rateBps;
        return this;
    }

    /** Says whether hosts that are added from now on have IPv6 addresses. */
    public TestNetwork ipv6(boolean value) {
        isV6 = value;
        return this;
    }

    /** Makes the links of hosts that are added from now on bad, both ways, until {@code untilNanos}. */
    public TestNetwork impaired(Fault.Impairment newImpairment, long untilNanos) {
        impairment = newImpairment;
        healNanos = untilNanos;
        return this;
    }

    /** Changes the hosts that are added from now on. */
    public TestNetwork hostOptions(UnaryOperator<HostConfig.Builder> options) {
        hostOptions = options;
        return this;
    }

    /** Adds a host. */
    public SimNode addHost() {
        return addHost(linkRateBps);
    }

    private SimNode addHost(long rateBps) {
        int number = hosts.size() + 1;
        HostConfig config = hostOptions
                .apply(HostConfig.builder(mac(number), List.of(addressOf(number)), rateBps)
                        .credits(credits))
                .build();
        ProtocolFactory factory = protocol.newFactory(random.split());
        SeededRandom secrets = random.split();
        FaultyHost driver = new FaultyHost(() -> new HostStack(config, pool, List.of(factory), secrets::nextLong));
        SimNode node = simulator.add("h" + number, driver);
        drivers.add(driver);
        hosts.add(node);
        return node;
    }

    /** Adds two hosts on one link. */
    public TestNetwork pair(long propagationNanos) {
        SimNode first = addHost();
        link(first, addHost().port(0), propagationNanos);
        return this;
    }

    /** Connects a host by a link that is bad if links are. */
    private void link(SimNode host, SimPort to, long propagationNanos) {
        link(host, to, linkRateBps, propagationNanos);
    }

    private void link(SimNode host, SimPort to, long rateBps, long propagationNanos) {
        simulator.connect(host.port(0), to, rateBps, propagationNanos);
        if (impairment != null) {
            impair(host.link(0));
            impair(to.node().link(to.index()));
        }
    }

    private void impair(SimLink link) {
        link.setFault(new FaultInjector(random.split(), Payload.CARRIED).impair(0, healNanos, impairment));
    }

    /** Adds a switch with {@code hostCount} hosts around it. */
    public TestNetwork star(int hostCount, long propagationNanos, UnaryOperator<SwitchPortConfig.Builder> options) {
        List<SwitchPortConfig> ports = new ArrayList<>();
        for (int i = 0; i < hostCount; i++) {
            long rateBps = starRateBps(i, hostCount);
            ports.add(options.apply(SwitchPortConfig.builder(rateBps).credits(credits))
                    .build());
        }
        pipeline = new SwitchPipeline(ports, pool, random.nextLong());
        SimNode node = simulator.add("sw", pipeline);
        for (int i = 0; i < hostCount; i++) {
            pipeline.addRoute(mac(i + 1), i);
            long rateBps = starRateBps(i, hostCount);
            link(addHost(rateBps), node.port(i), rateBps, propagationNanos);
        }
        return this;
    }

    private long starRateBps(int index, int hostCount) {
        return index == hostCount - 1 && lastLinkRateBps > 0 ? lastLinkRateBps : linkRateBps;
    }

    /** Adds two switches with a link between them, and {@code pairCount} hosts at each; all links are equal. */
    public TestNetwork dumbbell(int pairCount, long propagationNanos) {
        List<SwitchPortConfig> ports = new ArrayList<>();
        for (int i = 0; i <= pairCount; i++) {
            ports.add(SwitchPortConfig.builder(linkRateBps).credits(credits).build());
        }
        pipeline = new SwitchPipeline(ports, pool, random.nextLong());
        rightPipeline = new SwitchPipeline(ports, pool, random.nextLong());
        SimNode left = simulator.add("left", pipeline);
        SimNode right = simulator.add("right", rightPipeline);
        simulator.connect(left.port(pairCount), right.port(pairCount), linkRateBps, propagationNanos);
        for (int i = 0; i < 2 * pairCount; i++) {
            SimNode side = i < pairCount ? left : right;
            int number = i + 1;
            pipeline.addRoute(mac(number), i < pairCount ? i : pairCount);
            rightPipeline.addRoute(mac(number), i < pairCount ? pairCount : i - pairCount);
            link(addHost(), side.port(i % pairCount), propagationNanos);
        }
        return this;
    }

    /** Opens a connection at {@code atNanos} between two hosts, counted from 1. */
    public void connect(long atNanos, int from, int to, ConnectionHandler client, ConnectionHandler server) {
        int port = PORT + nextClientPort % 10_000;
        listen(to, port, server);
        HostStack stack = stack(from);
        Path path = Path.from(mac(from), addressOf(from), nextClientPort++).to(mac(to), addressOf(to), port);
        simulator.at(atNanos, hosts.get(from - 1), () -> {
            stack.tick(simulator.nowNanos());
            Connection connection = stack.connect(path, client);
            if (client instanceof StreamProbe probe) {
                probe.writeEarly(connection);
            } else if (client instanceof BulkFlow flow) {
                flow.fillEarly(connection);
            }
        });
    }

    /** Takes the core from the driver of a host for {@code nanos} at {@code atNanos}. */
    public void pause(long atNanos, int host, long nanos) {
        simulator.at(atNanos, hosts.get(host - 1), () -> drivers.get(host - 1).pause(nanos, simulator.nowNanos()));
    }

    /** Does something at {@code atNanos} on behalf of a host's application. */
    public void at(long atNanos, int host, Runnable action) {
        simulator.at(atNanos, hosts.get(host - 1), () -> {
            stack(host).tick(simulator.nowNanos());
            action.run();
        });
    }

    /** Makes a host listen. */
    public void listen(int host, int port, ConnectionHandler server) {
        stack(host).listen(port, connection -> server);
    }

    /** {@return host {@code number}, counted from 1} */
    public HostStack stack(int number) {
        return drivers.get(number - 1).stack();
    }

    /** {@return what drives host {@code number}} */
    public FaultyHost driver(int number) {
        return drivers.get(number - 1);
    }

    /** {@return host {@code number} in the simulator} */
    public SimNode host(int number) {
        return hosts.get(number - 1);
    }

    /** {@return a dumbbell's switch at the lower-numbered hosts} */
    public SwitchPipeline leftSwitch() {
        return pipeline;
    }

    /** {@return a dumbbell's other switch} */
    public SwitchPipeline rightSwitch() {
        return rightPipeline;
    }

    /** {@return the switch, if there is one} */
    public SwitchPipeline pipeline() {
        return pipeline;
    }

    /** {@return the simulator} */
    public Simulator simulator() {
        return simulator;
    }

    /** {@return the pool of all frames} */
    public FramePool pool() {
        return pool;
    }

    /** {@return the Ethernet address of host {@code number}} */
    public static long mac(int number) {
        return 0x0200_0000_0000L + number;
    }

    private IpAddress addressOf(int number) {
        return isV6 ? IpAddress.v6(0xFD00_0000_0000_0000L, number) : address(number);
    }

    /** {@return the IPv4 address of host {@code number}} */
    public static IpAddress address(int number) {
        return IpAddress.v4(0x0A00_0000 + number);
    }

    /** Closes everything, and fails if a frame is missing. */
    @Override
    public void close() {
        drivers.forEach(FaultyHost::close);
        if (pipeline != null) {
            pipeline.close();
        }
        if (rightPipeline != null) {
            rightPipeline.close();
        }
        simulator.close();
        if (pool.available() != pool.frameCount()) {
            throw new AssertionError((pool.frameCount() - pool.available()) + " frames are missing");
        }
    }
}
