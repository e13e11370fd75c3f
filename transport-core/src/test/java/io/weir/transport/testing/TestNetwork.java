package io.weir.transport.testing;

import io.weir.pacer.CreditShape;
import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.protocol.expresspass.ExpressPassConfig;
import io.weir.transport.sim.SimNode;
import io.weir.transport.sim.Simulator;
import io.weir.transport.switching.SwitchPipeline;
import io.weir.transport.switching.SwitchPortConfig;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A network in virtual time for tests: hosts on links, with or without a switch between them. */
public final class TestNetwork implements AutoCloseable {
    /** The port that {@link #connect} connects to. */
    public static final int PORT = 4720;

    private final FramePool pool = new FramePool(16_384, 2048, true);
    private final Simulator simulator = new Simulator();
    private final SeededRandom random;
    private final List<SimNode> hosts = new ArrayList<>();
    private final List<HostStack> stacks = new ArrayList<>();
    private final long linkRateBps;
    private final ExpressPassConfig protocol;
    private UnaryOperator<HostConfig.Builder> hostOptions = builder -> builder;
    private CreditPortConfig credits;
    private SwitchPipeline pipeline;
    private SwitchPipeline rightPipeline;
    private int nextClientPort = 40_000;

    /** Creates an empty network. */
    public TestNetwork(long seed, long linkRateBps, ExpressPassConfig protocol) {
        this.random = new SeededRandom(seed);
        this.linkRateBps = linkRateBps;
        this.protocol = protocol;
    }

    /** Sets which credits are dropped at the hosts and switches that are added from now on. */
    public TestNetwork creditDrop(CreditPortConfig.Drop drop) {
        CreditShape shape = new CreditShape(84, 92, 0, 1538);
        credits = CreditPortConfig.exact(linkRateBps, shape, 10_000, 2).withDrop(drop);
        return this;
    }

    /** Changes the hosts that are added from now on. */
    public TestNetwork hostOptions(UnaryOperator<HostConfig.Builder> options) {
        hostOptions = options;
        return this;
    }

    /** Adds a host. */
    public SimNode addHost() {
        int number = hosts.size() + 1;
        HostConfig config = hostOptions
                .apply(HostConfig.builder(mac(number), List.of(address(number)), linkRateBps)
                        .credits(credits))
                .build();
        ExpressPass expressPass = new ExpressPass(protocol, random.split());
        HostStack stack = new HostStack(config, pool, List.of(expressPass), random.split()::nextLong);
        SimNode node = simulator.add("h" + number, stack);
        hosts.add(node);
        stacks.add(stack);
        return node;
    }

    /** Adds two hosts on one link. */
    public TestNetwork pair(long propagationNanos) {
        simulator.connect(addHost().port(0), addHost().port(0), linkRateBps, propagationNanos);
        return this;
    }

    /** Adds a switch with {@code hostCount} hosts around it. */
    public TestNetwork star(int hostCount, long propagationNanos, UnaryOperator<SwitchPortConfig.Builder> options) {
        List<SwitchPortConfig> ports = new ArrayList<>();
        for (int i = 0; i < hostCount; i++) {
            ports.add(options.apply(SwitchPortConfig.builder(linkRateBps).credits(credits))
                    .build());
        }
        pipeline = new SwitchPipeline(ports, pool, random.nextLong());
        SimNode node = simulator.add("sw", pipeline);
        for (int i = 0; i < hostCount; i++) {
            pipeline.addRoute(mac(i + 1), i);
            simulator.connect(addHost().port(0), node.port(i), linkRateBps, propagationNanos);
        }
        return this;
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
            simulator.connect(addHost().port(0), side.port(i % pairCount), linkRateBps, propagationNanos);
        }
        return this;
    }

    /** Opens a connection at {@code atNanos} between two hosts, counted from 1. */
    public void connect(long atNanos, int from, int to, ConnectionHandler client, ConnectionHandler server) {
        int port = PORT + nextClientPort % 10_000;
        listen(to, port, server);
        HostStack stack = stack(from);
        Path path = new Path(mac(from), mac(to), address(from), address(to), nextClientPort++, port);
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

    /** Makes a host listen. */
    public void listen(int host, int port, ConnectionHandler server) {
        stack(host).listen(port, connection -> server);
    }

    /** {@return host {@code number}, counted from 1} */
    public HostStack stack(int number) {
        return stacks.get(number - 1);
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

    /** {@return the IP address of host {@code number}} */
    public static IpAddress address(int number) {
        return IpAddress.v4(0x0A00_0000 + number);
    }

    /** Closes everything, and fails if a frame is missing. */
    @Override
    public void close() {
        stacks.forEach(HostStack::close);
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
