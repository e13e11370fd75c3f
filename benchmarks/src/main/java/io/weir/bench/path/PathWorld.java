package io.weir.bench.path;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.expresspass.ExpressPassConfig;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.MemoryLink;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Two hosts on one loop, with a link in memory between them. Its clock moves by a fixed step each cycle, so that neither pacers nor the
 * link's rate ever make the thread wait: what it takes is what the work takes.
 */
final class PathWorld implements LongSupplier, AutoCloseable {
    static final int MTU_BYTES = 1500;

    private static final long LINK_RATE_BPS = 10_000_000_000L;
    /** Some eight frames of the link's rate: as a loop on a NIC finds them. */
    private static final long STEP_NANOS = 10_000;
    /** The round trip is a few cycles. */
    private static final int WINDOW_BYTES = 1 << 20;
    /** Many connections share a link: each may have to wait for its turn. */
    private static final int CYCLES_MAX_PER_FRAME = 1_000;

    private static final int OPENING_CYCLES_MAX = 10_000;
    private static final int FRAMES = 16_384;
    private static final int FRAME_BYTES = 2_048;
    private static final int SERVER_PORT = 5201;
    private static final int CLIENT_PORT = 40_000;
    private static final long CLIENT_MAC = 0x02_00_00_00_00_01L;
    private static final long SERVER_MAC = 0x02_00_00_00_00_02L;

    private final HostStack client;
    private final HostStack server;
    private final EventLoop loop;
    private final List<BulkEnd> receivers = new ArrayList<>();
    /** The clock, in nanoseconds; each reading moves it. */
    private long nowNanos;

    PathWorld(ProtocolConfig protocol, int connections) {
        FramePool pool = new FramePool(FRAMES, FRAME_BYTES);
        SeededRandom random = new SeededRandom(1);
        client = newHost(protocol, CLIENT_MAC, 0x0A00_0001, pool, connections, random);
        server = newHost(protocol, SERVER_MAC, 0x0A00_0002, pool, connections, random);
        MemoryLink link = new MemoryLink(
                MemoryLink.info("client", CLIENT_MAC, MTU_BYTES, LINK_RATE_BPS),
                pool,
                MemoryLink.info("server", SERVER_MAC, MTU_BYTES, LINK_RATE_BPS),
                pool);
        loop = EventLoop.invokedBy(
                this,
                "path",
                List.of(new NodeBinding(client, List.of(link.left())), new NodeBinding(server, List.of(link.right()))),
                () -> {});
        loop.start();
        server.listen(SERVER_PORT, connection -> {
            BulkEnd receiver = BulkEnd.receiver();
            receivers.add(receiver);
            return receiver;
        });
        connect(connections);
    }

    private static HostStack newHost(
            ProtocolConfig protocol, long mac, int address, FramePool pool, int connections, SeededRandom random) {
        ExpressPassConfig credits = protocol instanceof ExpressPassConfig own ? own : ExpressPassConfig.weir();
        HostConfig config = HostConfig.builder(mac, List.of(IpAddress.v4(address)), LINK_RATE_BPS)
                .mtuBytes(MTU_BYTES)
                .credits(CreditPortConfig.exact(
                        LINK_RATE_BPS,
                        credits.creditShape(MTU_BYTES + Ethernet.FRAMING_BYTES),
                        TransportConfig.DEFAULT.creditlessPpm(),
                        2))
                .slack(TransportConfig.DEFAULT.slack())
                .connections(connections + 1, connections + 1)
                .streams(new HostConfig.Streams(WINDOW_BYTES, WINDOW_BYTES, 256, 4096, 16))
                .build();
        return new HostStack(config, pool, List.of(protocol.newFactory(random.split())), random::nextLong);
    }

    private void connect(int connections) {
        List<BulkEnd> senders = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            BulkEnd sender = BulkEnd.sender();
            senders.add(sender);
            client.tick(nowNanos);
            Path path = new Path(
                    CLIENT_MAC,
                    SERVER_MAC,
                    IpAddress.v4(0x0A00_0001),
                    IpAddress.v4(0x0A00_0002),
                    CLIENT_PORT + i,
                    SERVER_PORT);
            if (client.connect(path, sender) == null) {
                throw new IllegalStateException("no room for connection " + i);
            }
            for (int cycle = 0; !sender.isConnected(); cycle++) {
                if (cycle > OPENING_CYCLES_MAX || sender.closeReason() != null) {
                    throw new IllegalStateException("connection " + i + " was not opened: " + sender.closeReason()
                            + ", " + client.counters() + server.counters());
                }
                loop.runOnce();
            }
        }
    }

    /** Runs until {@code count} more data frames have arrived. */
    void carry(int count) {
        long target = dataFrames() + count;
        for (long cycle = 0; dataFrames() < target; cycle++) {
            if (cycle > (long) CYCLES_MAX_PER_FRAME * count) {
                throw new IllegalStateException("only " + (dataFrames() - target + count) + " of " + count
                        + " frames came: " + server.counters());
            }
            loop.runOnce();
        }
    }

    long dataFrames() {
        return server.counters().get(CounterId.DATA_FRAMES_RECEIVED);
    }

    long receivedBytes() {
        return receivers.stream().mapToLong(BulkEnd::receivedBytes).sum();
    }

    /** {@return frames that the sending host got: credits and acknowledgements} */
    long returnedFrames() {
        return client.counters().get(CounterId.FRAMES_RECEIVED);
    }

    /** {@return data frames of which bytes were sent a second time} */
    long retransmittedBytes() {
        return client.counters().get(CounterId.BYTES_RETRANSMITTED);
    }

    @Override
    public long getAsLong() {
        nowNanos += STEP_NANOS;
        return nowNanos;
    }

    @Override
    public void close() {
        loop.close();
        client.close();
        server.close();
    }
}
