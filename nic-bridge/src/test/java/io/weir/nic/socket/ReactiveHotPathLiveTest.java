package io.weir.nic.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.TwoHosts;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.telemetry.CounterId;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a frame of each protocol costs on real ports: no allocation, whatever limits the flow; and what an idle flow costs: no core. */
@LiveTest
@Timeout(120)
class ReactiveHotPathLiveTest {
    private static final int PORT = 4720;
    private static final InetSocketAddress SERVER = new InetSocketAddress(TwoHosts.ADDRESS_B, PORT);
    private static final int SMALL_BYTES = 500;
    private static final int WARM_UP_FRAMES = 20_000;
    private static final int FRAMES = 10_000;
    private static final int ROUNDS_MAX = 4;
    private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TRICKLE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final double IDLE_SHARE_MAX = 0.25;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private TwoHosts hosts;
    private Transport client;
    private Transport server;

    @BeforeEach
    void create() throws IOException {
        hosts = TwoHosts.create();
    }

    @AfterEach
    void close() {
        if (client != null) {
            client.close();
        }
        if (server != null) {
            server.close();
        }
        hosts.close();
    }

    static List<ProtocolConfig> protocols() {
        return Catalogue.forRealPorts();
    }

    private static Transport open(NetNamespace namespace, IdleMode mode) throws IOException {
        FramePool pool = new FramePool(8_192, 2_048);
        AfXdpConfig port =
                AfXdpConfig.host(TwoHosts.INTERFACE).namespace(namespace.name()).build();
        TransportConfig config = TransportConfig.builder().idleMode(mode).build();
        return Transport.open(AfXdpInterface.open(port, pool), pool, config);
    }

    private App connect(ProtocolConfig protocol, IdleMode mode) throws IOException {
        client = open(hosts.a(), mode);
        server = open(hosts.b(), mode);
        server.listen(PORT, connection -> new App());
        App app = new App();
        client.connect(SERVER, app, protocol.id());
        return app;
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void steadyState_flowThatItsWindowLimits_allocatesNothing(ProtocolConfig protocol) throws IOException {
        App app = connect(protocol, IdleMode.INVOKER);
        app.isGreedy = true;
        assertAllocatesNothing(app);
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void steadyState_flowThatItsApplicationLimits_allocatesNothing(ProtocolConfig protocol) throws IOException {
        assertAllocatesNothing(connect(protocol, IdleMode.INVOKER));
    }

    private void assertAllocatesNothing(App app) {
        run(app, WARM_UP_FRAMES);
        // The virtual machine itself may allocate a little when it recompiles; per frame it would be megabytes.
        long bytes = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS_MAX && bytes != 0; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            run(app, FRAMES);
            bytes = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertEquals(0, bytes, "bytes allocated for " + FRAMES + " frames");
        assertNull(app.closeReason);
    }

    private void run(App app, int frames) {
        long startNanos = System.nanoTime();
        long target = framesSent() + frames;
        while (framesSent() < target && System.nanoTime() - startNanos < NANOS_MAX) {
            client.runOnce();
            server.runOnce();
            app.writeIfAllHasArrived();
        }
        assertTrue(framesSent() >= target, "too slow");
    }

    private long framesSent() {
        return client.counters().get(CounterId.DATA_FRAMES_SENT);
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void backOff_flowThatTricklesThenRests_leavesTheCoreAlone(ProtocolConfig protocol) throws IOException {
        App app = connect(protocol, IdleMode.BACK_OFF);
        trickle(app);
        double trickling = share(() -> trickle(app));
        double resting = share(() -> LockSupport.parkNanos(IDLE_NANOS));
        assertTrue(framesSent() > 10, "frames: " + framesSent());
        assertTrue(
                trickling < IDLE_SHARE_MAX && resting < IDLE_SHARE_MAX,
                protocol.preset() + ": " + trickling + " of a core while 100 frames a second leave, " + resting
                        + " while none does");
    }

    /** Paces itself by the clock: that is what is measured. */
    private void trickle(App app) {
        long endNanos = System.nanoTime() + IDLE_NANOS;
        while (System.nanoTime() < endNanos) {
            client.execute(now -> app.writeIfAllHasArrived());
            LockSupport.parkNanos(TRICKLE_NANOS);
        }
    }

    /** {@return the share of a core that both loops' threads take while {@code work} runs} */
    private double share(Runnable work) {
        long startNanos = System.nanoTime();
        long before = loopNanos();
        work.run();
        return (double) (loopNanos() - before) / (System.nanoTime() - startNanos);
    }

    private long loopNanos() {
        long nanos = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("weir-" + TwoHosts.INTERFACE)) {
                nanos += Math.max(0, threads.getThreadCpuTime(thread.getId()));
            }
        }
        return nanos;
    }

    /** Writes as much as there is room for, or a little whenever all that it has written has arrived; drops what comes. */
    private static final class App implements ConnectionHandler {
        private final UnsafeBuffer chunk = new UnsafeBuffer(new byte[1 << 16]);
        private Connection connection;
        private long writtenBytes;
        private boolean isGreedy;
        private CloseReason closeReason;

        void writeIfAllHasArrived() {
            if (connection != null && connection.acknowledgedBytes() == writtenBytes) {
                write();
            }
        }

        private void write() {
            int bytes = isGreedy ? chunk.capacity() : SMALL_BYTES;
            int written;
            do {
                written = connection.write(chunk, 0, bytes);
                writtenBytes += written;
            } while (isGreedy && written == bytes);
        }

        @Override
        public void onConnected(Connection opened) {
            connection = opened;
        }

        @Override
        public int onData(Connection from, DirectBuffer buffer, int index, int length) {
            return length;
        }

        @Override
        public void onEnd(Connection from) {}

        @Override
        public void onWritable(Connection to) {
            write();
        }

        @Override
        public void onClosed(Connection from, CloseReason reason) {
            closeReason = reason;
        }
    }
}
