package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.Exchanges;
import io.weir.nic.testing.Ports;
import io.weir.nic.testing.SinkNode;
import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.Backend;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests that a port notices frames that the program hands over and the kernel drops, and goes on by the next rung. The
 * program finds each other's sockets by two queues, so that the kernel drops every frame as it does for drivers whose
 * queues are not those of the interface.
 */
@LiveTest
class ArrivalLiveTest {
    private static final RingSizes SMALL = RingSizes.ofAll(256);
    private static final InetSocketAddress SERVER = new InetSocketAddress(TwoHosts.ADDRESS_B, 4720);
    private static final int BYTES = 100_000;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Has frames of a port vanish, until its program runs generic. */
    private static final class Vanishing extends ArrivalProbe {
        private final AfXdpPort port;
        private boolean isOver;

        Vanishing(TwoHosts hosts, AfXdpPort port) throws Exception {
            super(hosts.b(), TwoHosts.facts(hosts.b()), port.program(), List.of(0, 1));
            this.port = port;
        }

        void begin() throws Exception {
            for (int queue = 0; queue < 2; queue++) {
                port.program().setSocket(queue, port.socket(1 - queue).socket());
            }
        }

        @Override
        void putBack(List<PortSocket> sockets) throws NicException {
            super.putBack(isOver ? sockets : List.of(sockets.get(1), sockets.get(0)));
        }

        @Override
        void runGeneric() throws NicException {
            super.runGeneric();
            isOver = true;
            putBack(List.of(port.socket(0), port.socket(1)));
        }
    }

    @Test
    void pollReceive_framesThatVanish_programGoesOnGeneric() throws Exception {
        FramePool pool = new FramePool(4096, 2048, true);
        SinkNode sink = new SinkNode();
        try (TwoHosts hosts = TwoHosts.create(link -> TwoHosts.withoutIpv6(link).withQueues(2));
                AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort a = xdp.open(Ports.host(hosts.a()).ringSizes(SMALL).build());
            AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build());
            int programId = TwoHosts.facts(hosts.b()).xdpProgramId();
            Vanishing vanishing = new Vanishing(hosts, b);
            b.setArrivalProbe(vanishing);
            vanishing.begin();
            for (int second = 1; second <= 40 && b.info().mode().startsWith("native"); second++) {
                long nowNanos = 2L * second * SECOND;
                Ports.send(a, pool, UdpFrames.fromAToB(hosts), 3, second * 100L);
                Deadline.await("frames that left", () -> {
                    a.flush();
                    return a.transmitCapacity() > 0;
                });
                b.pollReceive(sink, 0, 64, nowNanos);
            }
            assertEquals("generic/copy", b.info().mode());
            assertTrue(
                    b.info().modeReason().endsWith("did not arrive by native/copy, so that the program runs generic"),
                    b.info().modeReason());
            assertEquals(Map.of(), b.skippedFrames(), "what was counted on purpose is no loss");
            assertNull(b.failure());
            assertEquals(programId, TwoHosts.facts(hosts.b()).xdpProgramId());
            long before = sink.frameCount();
            Ports.send(a, pool, UdpFrames.fromAToB(hosts), 20, 9_000);
            Ports.receive(b, a, sink, before + 20);
            b.close();
            assertEquals(0, TwoHosts.facts(hosts.b()).xdpProgramId());
            sink.releaseAll();
        }
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void openConnection_framesThatVanish_lasts() throws Exception {
        try (TwoHosts hosts = TwoHosts.create(link -> link.withQueues(2));
                Exchanges exchanges = new Exchanges()) {
            AfXdpConfig config = AfXdpConfig.host(TwoHosts.INTERFACE)
                    .namespace(hosts.b().name())
                    .build();
            Backend.Opened opened = AfXdpBackend.open(config, 0);
            AfXdpPort port = (AfXdpPort) opened.netInterface().port();
            Vanishing vanishing = new Vanishing(hosts, port);
            port.setArrivalProbe(vanishing);
            try (Transport client = hosts.openTransport(hosts.a());
                    Transport server = Transport.open(List.of(opened), TransportConfig.DEFAULT);
                    WeirServerSocket listener = server.listen(SERVER.getPort());
                    WeirSocket socket = client.connect(SERVER, Deadline.HANG_GUARD);
                    WeirSocket accepted = listener.accept()) {
                byte[] sent = Exchanges.bytes(1, BYTES);
                CompletableFuture<Void> broken = new CompletableFuture<>();
                server.execute(now -> {
                    try {
                        vanishing.begin();
                        broken.complete(null);
                    } catch (Exception e) {
                        broken.completeExceptionally(e);
                    }
                });
                broken.get();
                CompletableFuture<Void> there = exchanges.run(() -> socket.write(ByteBuffer.wrap(sent)));
                CompletableFuture<Void> back = exchanges.run(() -> accepted.write(ByteBuffer.wrap(sent)));
                assertArrayEquals(sent, accepted.inputStream().readNBytes(BYTES));
                assertArrayEquals(sent, socket.inputStream().readNBytes(BYTES));
                there.get();
                back.get();
                assertEquals("generic/copy", port.info().mode());
                assertNotEquals("", port.info().modeReason());
            }
        }
    }
}
