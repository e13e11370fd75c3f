package io.weir.transport.socket;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.MemoryLink;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Two hosts that talk on one thread: the stack as it runs on real ports, with a link in memory between its ends and a clock that moves by
 * a fixed step each cycle. Neither pacers nor the link's rate ever make the thread wait, so what it takes is what the work takes. For
 * warming up, and for measuring.
 */
public final class Rehearsal implements LongSupplier, AutoCloseable {
    /** The largest IP packet of the link. */
    public static final int MTU_BYTES = 1500;

    private static final long LINK_RATE_BPS = 10_000_000_000L;
    /** Some eight frames of the link's rate: as a loop on a NIC finds them. */
    private static final long STEP_NANOS = 10_000;
    /** Fixed, and a few round trips' worth: buffers that grow are not what is rehearsed. */
    private static final HostConfig.Streams STREAMS = new HostConfig.Streams(1 << 18, 1 << 18, 256, 4096, 16);

    private static final int FRAMES = 2_048;
    private static final int FRAME_BYTES = 2_048;
    private static final int OPENING_CYCLES_MAX = 10_000;
    private static final int CYCLES_MAX_PER_FRAME = 1_000;
    private static final int SERVER_PORT = 5201;
    private static final int CLIENT_PORT = 1_024;
    private static final long CLIENT_MAC = 0x02_00_00_00_00_01L;
    private static final long SERVER_MAC = 0x02_00_00_00_00_02L;
    private static final IpAddress CLIENT = IpAddress.v4(0x0A00_0001);
    private static final IpAddress SERVER = IpAddress.v4(0x0A00_0002);

    private final FramePool pool = new FramePool(FRAMES, FRAME_BYTES);
    private final SeededRandom random = new SeededRandom(1);
    private final HostStack client;
    private final HostStack server;
    private final EventLoop loop;
    private final List<RehearsalEnd> receivers = new ArrayList<>();
    /** The clock, in nanoseconds; each reading moves it. */
    private long nowNanos;

    /**
     * Opens connections, each of which carries data from the client to the server from then on.
     *
     * @param config for the hosts, but for what the link decides
     * @param protocol what schedules the connections
     */
    public Rehearsal(TransportConfig config, ProtocolConfig protocol, int connections) {
        client = newHost(config, protocol, CLIENT_MAC, CLIENT, connections);
        server = newHost(config, protocol, SERVER_MAC, SERVER, connections);
        MemoryLink link = new MemoryLink(
                MemoryLink.info("client", CLIENT_MAC, MTU_BYTES, LINK_RATE_BPS),
                pool,
                MemoryLink.info("server", SERVER_MAC, MTU_BYTES, LINK_RATE_BPS),
                pool);
        loop = EventLoop.invokedBy(
                this,
                "rehearsal",
                List.of(new NodeBinding(client, List.of(link.left())), new NodeBinding(server, List.of(link.right()))),
                () -> {});
        loop.start();
        server.listen(SERVER_PORT, connection -> {
            RehearsalEnd receiver = RehearsalEnd.receiver();
            receivers.add(receiver);
            return receiver;
        });
        for (int i = 0; i < connections; i++) {
            connect(CLIENT_PORT + i);
        }
    }

    private HostStack newHost(
            TransportConfig config, ProtocolConfig protocol, long mac, IpAddress address, int connections) {
        HostConfig host = HostConfig.builder(mac, List.of(address), LINK_RATE_BPS)
                .mtuBytes(MTU_BYTES)
                .credits(CreditPortConfig.exact(
                        LINK_RATE_BPS,
                        Transport.creditsOf(config).creditShape(MTU_BYTES + Ethernet.FRAMING_BYTES),
                        config.creditlessPpm(),
                        2))
                .slack(config.slack())
                .pauses(config.pauses())
                .connections(connections + 1, connections + 1)
                .streams(STREAMS)
                .stamping(config.stamping())
                .creditFramesMax(config.creditFramesMax())
                .build();
        return new HostStack(host, pool, List.of(protocol.newFactory(random.split())), random::nextLong);
    }

    private void connect(int port) {
        RehearsalEnd sender = RehearsalEnd.sender();
        client.tick(nowNanos);
        if (client.connect(new Path(CLIENT_MAC, SERVER_MAC, CLIENT, SERVER, port, SERVER_PORT), sender) == null) {
            throw new IllegalStateException("no room for the connection from port " + port);
        }
        for (int cycle = 0; !sender.isConnected(); cycle++) {
            if (cycle > OPENING_CYCLES_MAX || sender.closeReason() != null) {
                throw new IllegalStateException("the connection from port " + port + " was not opened: "
                        + sender.closeReason() + "\n" + client.counters() + server.counters());
            }
            loop.runOnce();
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
            loop.runOnce();
        }
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

    @Override
    public void close() {
        client.close();
        server.close();
        loop.close();
    }
}
