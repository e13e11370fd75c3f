package io.weir.transport.socket;

import io.weir.pacer.PauseBudget;
import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostLinkConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.host.Secrets;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.node.NetPort;
import io.weir.transport.observation.TraceFile;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryLink;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.runtime.ParkWaiter;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.ChecksumScope;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.SharedHostMac;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Two hosts that talk on one thread: the stack as it runs on real ports, with a link in memory between its ends and
 * a clock that moves by a fixed step each cycle. Neither pacers nor the link's rate ever make the thread wait, so
 * what it takes is what the work takes. For warming up, and for measuring.
 */
public final class Rehearsal implements LongSupplier, AutoCloseable {
    /** The largest IP packet of the link. */
    public static final int MTU_BYTES = 1500;

    private static final String NAME = "rehearsal";
    private static final long LINK_RATE_BPS = 10_000_000_000L;
    /**
     * Time for eight frames at the link's rate. Where a credit grants one frame, the meter's burst lets two go in it.
     */
    private static final long STEP_NANOS = 10_000;
    /** Fixed, and a few round trips' worth: buffers that grow are not what is rehearsed. */
    private static final StreamLimits STREAMS =
            StreamLimits.fixed(1 << 18, 1 << 18).withGapsMax(256);

    private static final int FRAMES = 2_048;
    private static final int FRAME_BYTES = 2_048;
    private static final int OPENING_CYCLES_MAX = 10_000;
    private static final int CLOSING_CYCLES_MAX = 10_000;
    /** Longer than an end waits for late frames. */
    private static final long LINGER_NANOS = 1_000_000_000;

    private static final int CYCLES_MAX_PER_FRAME = 1_000;
    private static final int VISIT_CYCLES_MAX = 10_000;
    private static final int SERVER_PORT = 5201;
    private static final int VISITED_PORT = 5202;
    private static final int CLIENT_PORT = 1_024;
    /** Each visit has a port that none before it had. */
    private static final int VISITING_PORT_MIN = 10_000;
    /** Each leaves an end that waits for late frames; the hosts have room for so many. */
    private static final int VISITS_MAX = 512;

    /** So many cycles apart its thread is off its core for a moment, and, more seldom, for a millisecond and more. */
    private static final int CYCLES_PER_PAUSE = 64;

    private static final long PAUSE_NANOS = 200_000;
    private static final int CYCLES_PER_LONG_PAUSE = 1_024;
    private static final long LONG_PAUSE_NANOS = 3_000_000;
    /** How far ports are into their periods when the hosts begin: acknowledgements are missing soon, data later. */
    private static final int RIGHT_PORT_CYCLES = 1_000;

    private static final int LEFT_PORT_CYCLES = 700;
    /** What a varied client may send late: a sender with so little has more credits than it keeps. */
    private static final int LATE_FRAMES = 16;
    /** Connections on hosts that have no streams yet. */
    private static final int QUIET_VISITS = 2;
    /** So many cycles apart receivers that refused bytes take them. */
    private static final int CYCLES_PER_RESUMING = 128;

    /** To a varied server its client is another process of the host: so frames leave by a link, and by memory. */
    private static final long CLIENT_MAC = SharedHostMac.of(1);

    private static final long SERVER_MAC = 0x02_00_00_00_00_02L;
    private static final IpAddress CLIENT = IpAddress.v4(0x0A00_0001);
    private static final IpAddress SERVER = IpAddress.v4(0x0A00_0002);

    private final FramePool pool = new FramePool(FRAMES, FRAME_BYTES);
    private final StreamLimits streams;
    private final int connectionsMax;
    private final SeededRandom random = new SeededRandom(1);
    private final HostStack client;
    private final HostStack server;
    private final EventLoop loop;
    /** Loops of bystanders, each with a clock of another class; empty where connections are all alike. */
    private final List<EventLoop> bystanders;

    private final List<RehearsalEnd> senders = new ArrayList<>();
    private final List<RehearsalEnd> receivers = new ArrayList<>();
    /** The clock, in nanoseconds; each reading moves it. */
    private long nowNanos;
    /** Visits so far. */
    private int visits;
    /** Cycles so far. */
    private long cycles;

    /**
     * Opens connections, each of which carries data from the client to the server from then on.
     *
     * @param config for the hosts, but for what the link decides
     * @param protocol what schedules the connections
     */
    public Rehearsal(TransportConfig config, ProtocolConfig protocol, int connections) {
        this(config, protocol, connections, STREAMS, false);
    }

    /**
     * {@return one as a program's life is} Handlers are of several classes, and one reads slowly; buffers grow; the
     * thread loses its core at times; a port has no room at times; bystanders run.
     */
    static Rehearsal varied(TransportConfig config, ProtocolConfig protocol) {
        return new Rehearsal(config, protocol, RehearsalEnd.KINDS, StreamLimits.GROWING, true);
    }

    private Rehearsal(
            TransportConfig config, ProtocolConfig protocol, int connections, StreamLimits streams, boolean isVaried) {
        this.streams = streams;
        this.connectionsMax = connections + VISITS_MAX;
        // One of each kind, since the port's is not known yet: a branch that was never taken is not compiled.
        PauseBudget clientPauses = isVaried
                ? new PauseBudget(
                        LATE_FRAMES * (long) MTU_BYTES, config.pauses().peerNanosMax())
                : config.pauses();
        client = newHost(config, protocol, CLIENT_MAC, CLIENT, null, clientPauses);
        HostLinkConfig memory = isVaried ? HostLinkConfig.of(MTU_BYTES, LINK_RATE_BPS) : null;
        server = newHost(config, protocol, SERVER_MAC, SERVER, memory, config.pauses());
        MemoryLink link = new MemoryLink(
                MemoryLink.info("client", CLIENT_MAC, MTU_BYTES, LINK_RATE_BPS),
                pool,
                MemoryLink.info("server", SERVER_MAC, MTU_BYTES, LINK_RATE_BPS),
                pool);
        bystanders = isVaried
                ? List.of(
                        running(() -> nowNanos, Bystander.pair(pool)),
                        running(this::nowNanos, Bystander.onTheirOwn(pool)))
                : List.of();
        NetPort left = isVaried ? new UnevenPort(link.left(), LEFT_PORT_CYCLES) : link.left();
        NetPort right = isVaried ? new UnevenPort(link.right(), RIGHT_PORT_CYCLES) : link.right();
        List<NodeBinding> hosts =
                List.of(new NodeBinding(client, List.of(left)), new NodeBinding(server, List.of(right)));
        loop = isVaried ? running(this, hosts) : EventLoop.invokedBy(this, NAME, hosts, () -> {});
        loop.start();
        server.listen(SERVER_PORT, connection -> {
            RehearsalEnd receiver = RehearsalEnd.receiver(receivers.size());
            receivers.add(receiver);
            return receiver;
        });
        server.listen(VISITED_PORT, connection -> RehearsalEnd.visited(visits));
        if (isVaried) {
            bystanders.forEach(EventLoop::start);
            for (int i = 0; i < QUIET_VISITS; i++) {
                visit();
            }
        }
        for (int i = 0; i < connections; i++) {
            RehearsalEnd sender = RehearsalEnd.sender(i);
            connect(CLIENT_PORT + i, SERVER_PORT, sender);
            senders.add(sender);
        }
    }

    /** {@return a loop as one with a thread: what a cycle takes shows by the clock} */
    private static EventLoop running(LongSupplier clock, List<NodeBinding> bindings) {
        return new EventLoop(NAME, bindings, IdleMode.INVOKER, new ParkWaiter(), () -> {}, clock);
    }

    private HostStack newHost(
            TransportConfig config,
            ProtocolConfig protocol,
            long mac,
            IpAddress address,
            HostLinkConfig memory,
            PauseBudget pauses) {
        HostConfig host = HostConfig.builder(mac, List.of(address), LINK_RATE_BPS)
                .mtuBytes(MTU_BYTES)
                .memory(memory)
                .credits(HostSetup.credits(config, MTU_BYTES, LINK_RATE_BPS))
                .slack(config.slack())
                .pauses(pauses)
                .connections(connectionsMax, connectionsMax)
                .streams(streams)
                .timers(config.timers())
                .liveness(config.liveness())
                .stamping(config.stamping())
                .checksums(memory == null ? ChecksumScope.ALL : ChecksumScope.NOT_ON_DATA)
                .creditFramesMax(config.creditFramesMax())
                .build();
        HostStack stack = new HostStack(host, pool, List.of(protocol.newFactory(random.split())), new Secrets(1, mac));
        // As a transport's: otherwise its first frames would find the compiled code wrong.
        stack.setTrace(TransportRecorder.rehearsedRing(TraceFile.framesWanted(System::getProperty)));
        return stack;
    }

    private void connect(int port, int serverPort, RehearsalEnd end) {
        client.tick(nowNanos);
        Path path = Path.from(CLIENT_MAC, CLIENT, port).to(SERVER_MAC, SERVER, serverPort);
        if (client.connect(path, end) == null) {
            throw new IllegalStateException("no room for the connection from port " + port);
        }
        for (int cycle = 0; !end.isConnected(); cycle++) {
            if (cycle > OPENING_CYCLES_MAX || end.closeReason() != null) {
                throw new IllegalStateException("the connection from port " + port + " was not opened: "
                        + end.closeReason() + "\n" + client.counters() + server.counters());
            }
            runCycle();
        }
    }

    /**
     * Opens one more connection, sends a short message to and fro, and closes it, next to the streams: 512 times at
     * most.
     */
    void visit() {
        RehearsalEnd visitor = RehearsalEnd.visitor(visits);
        connect(VISITING_PORT_MIN + visits, VISITED_PORT, visitor);
        visits++;
        for (int cycle = 0; visitor.closeReason() == null; cycle++) {
            if (cycle > VISIT_CYCLES_MAX) {
                throw new IllegalStateException(
                        "visit " + visits + " did not end\n" + client.counters() + server.counters());
            }
            runCycle();
        }
    }

    /** Ends every connection in order, with all that was written, and lets the time pass for which ends wait then. */
    void finish() {
        client.tick(nowNanos);
        senders.forEach(RehearsalEnd::finish);
        boolean isOver = false;
        for (int cycle = 0; client.connectionCount() > 0 && cycle < CLOSING_CYCLES_MAX; cycle++) {
            if (!isOver && senders.stream().allMatch(sender -> sender.closeReason() != null)) {
                isOver = true;
                nowNanos += LINGER_NANOS;
            }
            runCycle();
            receivers.forEach(RehearsalEnd::resume);
        }
    }

    /** Lets the calling thread run it from now on, in place of the one before. */
    public void adopt() {
        loop.adopt();
        bystanders.forEach(EventLoop::adopt);
    }

    private void runCycle() {
        loop.runOnce();
        if (bystanders.isEmpty()) {
            return;
        }
        cycles++;
        for (EventLoop bystander : bystanders) {
            bystander.runOnce();
        }
        if (cycles % CYCLES_PER_PAUSE == 0) {
            nowNanos += cycles % CYCLES_PER_LONG_PAUSE == 0 ? LONG_PAUSE_NANOS : PAUSE_NANOS;
        }
        if (cycles % CYCLES_PER_RESUMING == 0) {
            receivers.forEach(RehearsalEnd::resume);
        }
    }

    /** Runs until {@code frames} more data frames have arrived. */
    public void carry(int frames) {
        long target = dataFrames() + frames;
        for (long cycle = 0; dataFrames() < target; cycle++) {
            if (cycle > (long) CYCLES_MAX_PER_FRAME * frames) {
                throw new IllegalStateException("of " + frames + " frames " + (target - dataFrames())
                        + " did not come\n" + client.counters() + server.counters());
            }
            runCycle();
        }
    }

    /** {@return connections that the sending host has} */
    int connectionCount() {
        return client.connectionCount();
    }

    /** {@return connections that were opened, used for a message and closed} */
    int visits() {
        return visits;
    }

    /** {@return bytes that the senders have written} */
    long writtenBytes() {
        return senders.stream().mapToLong(RehearsalEnd::writtenBytes).sum();
    }

    /** {@return data frames that have arrived} */
    public long dataFrames() {
        return server.counters().get(CounterId.DATA_FRAMES_RECEIVED);
    }

    /** {@return bytes of the streams that have arrived} */
    public long receivedBytes() {
        return receivers.stream().mapToLong(RehearsalEnd::receivedBytes).sum();
    }

    /** {@return frames that the sending host got: credits and acknowledgements} */
    public long returnedFrames() {
        return client.counters().get(CounterId.FRAMES_RECEIVED);
    }

    /** {@return bytes that were sent more than once} */
    public long retransmittedBytes() {
        return client.counters().get(CounterId.BYTES_RETRANSMITTED);
    }

    /** The loop's clock: moves by a step. */
    @Override
    public long getAsLong() {
        nowNanos += STEP_NANOS;
        return nowNanos;
    }

    private long nowNanos() {
        return nowNanos;
    }

    @Override
    public void close() {
        client.close();
        server.close();
        loop.close();
        bystanders.forEach(EventLoop::close);
    }
}
