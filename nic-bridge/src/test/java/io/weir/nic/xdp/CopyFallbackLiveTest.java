package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.Exchanges;
import io.weir.nic.testing.Ports;
import io.weir.nic.testing.SinkNode;
import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.Backend;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a port opens its sockets again to copy, under traffic and without ending connections. */
@LiveTest
class CopyFallbackLiveTest {
    private static final RingSizes SMALL = RingSizes.ofAll(256);
    private static final InetSocketAddress SERVER = new InetSocketAddress(TwoHosts.ADDRESS_B, 4720);
    private static final int BYTES = 400_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void beginCopying_underTraffic_framesGoOnAndNoneIsLeaked(int queues) throws Exception {
        FramePool pool = new FramePool(4096, 2048, true);
        SinkNode sink = new SinkNode();
        try (TwoHosts hosts = TwoHosts.create(link -> link.withQueues(queues));
                AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort a = xdp.open(Ports.host(hosts.a()).ringSizes(SMALL).build());
            AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build());
            Ports.send(a, pool, UdpFrames.fromAToB(hosts), 50, 0);
            Ports.receive(b, a, sink, 50);
            // Some wait in the rings of both ends.
            Ports.send(a, pool, UdpFrames.fromAToB(hosts), 50, 50);
            b.beginCopying();
            a.beginCopying();
            sink.releaseAll();
            Ports.send(a, pool, UdpFrames.fromAToB(hosts), 50, 100);
            // What was between the ends may come first.
            BitSet heard = new BitSet();
            Deadline.await("the last frame", () -> {
                a.flush();
                b.pollReceive(sink, 0, 64, 1);
                for (Frame frame = sink.poll(); frame != null; frame = sink.poll()) {
                    heard.set((int) UdpFrames.mark(frame));
                    frame.release();
                }
                return heard.get(149);
            });
            assertEquals(50, heard.get(100, 150).cardinality(), "of after the change");
            assertTrue(
                    b.info().modeReason().endsWith(CopyFallback.REASON),
                    b.info().modeReason());
        }
        sink.releaseAll();
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void beginCopying_openConnection_lasts() throws Exception {
        try (TwoHosts hosts = TwoHosts.create(link -> link.withQueues(2));
                Exchanges exchanges = new Exchanges()) {
            AfXdpConfig config = AfXdpConfig.host(TwoHosts.INTERFACE)
                    .namespace(hosts.b().name())
                    .build();
            Backend.Opened opened = AfXdpBackend.open(config, 0);
            AfXdpPort port = (AfXdpPort) opened.netInterface().port();
            try (Transport client = hosts.openTransport(hosts.a());
                    Transport server = Transport.open(List.of(opened), TransportConfig.DEFAULT);
                    WeirServerSocket listener = server.listen(SERVER.getPort());
                    WeirSocket socket = client.connect(SERVER, Deadline.HANG_GUARD);
                    WeirSocket accepted = listener.accept()) {
                byte[] sent = Exchanges.bytes(1, BYTES);
                CompletableFuture<Void> first = exchanges.run(() -> socket.write(ByteBuffer.wrap(sent)));
                assertArrayEquals(sent, accepted.inputStream().readNBytes(BYTES));
                first.get();
                CompletableFuture<Void> changed = new CompletableFuture<>();
                server.execute(now -> {
                    port.beginCopying();
                    changed.complete(null);
                });
                CompletableFuture<Void> second = exchanges.run(() -> socket.write(ByteBuffer.wrap(sent)));
                assertArrayEquals(sent, accepted.inputStream().readNBytes(BYTES));
                second.get();
                changed.get();
                assertEquals(null, port.failure());
            }
            assertEquals(opened.pool().frameCount(), opened.pool().available());
        }
    }

    /** As of a driver that splits frames: the options of descriptors that came are changed in the ring's memory. */
    @Test
    void pollReceive_piecesThatWereNotAskedFor_areCountedAndAnsweredByCopying() throws Exception {
        FramePool pool = new FramePool(2048, 2048, true);
        SinkNode sink = new SinkNode();
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort a = xdp.open(Ports.host(hosts.a()).ringSizes(SMALL).build());
            AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build());
            ConsumerRing ring = b.receiveRing();
            Ports.send(a, pool, UdpFrames.fromAToB(hosts), 3, 0);
            Deadline.await("three descriptors", () -> {
                a.flush();
                return ring.available(3) == 3;
            });
            // The first and the second are one frame.
            ring.setOptions(1);
            b.pollReceive(sink, 0, 64, 1);
            assertEquals(1, sink.frameCount());
            assertEquals(1, b.brokenFrames());
            assertEquals(1, b.lostFrames());

            // The next look at the interface, a second later, answers it.
            b.pollReceive(sink, 0, 64, 3_000_000_000L);
            assertTrue(
                    b.info().modeReason().endsWith(CopyFallback.REASON),
                    b.info().modeReason());
            sink.releaseAll();
            long before = sink.frameCount();
            Ports.send(a, pool, UdpFrames.fromAToB(hosts), 10, 10);
            Ports.receive(b, a, sink, before + 10);
            assertEquals(1, b.brokenFrames(), "counted on");
            sink.releaseAll();
        }
        assertEquals(pool.frameCount(), pool.available());
    }
}
