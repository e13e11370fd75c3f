package io.weir.nic.socket;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.AllocationWindows;
import io.weir.nic.testing.Deadline;
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
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a frame of each protocol costs on real ports: no allocation, whatever limits the flow. And what an idle flow
 * costs: its loops sleep, and are seldom woken. Everything is counted, so that a busy machine takes longer and finds
 * the same.
 */
@LiveTest
class ReactiveHotPathLiveTest {
    private static final int PORT = 4720;
    private static final InetSocketAddress SERVER = new InetSocketAddress(TwoHosts.ADDRESS_B, PORT);
    private static final int SMALL_BYTES = 500;
    /** Past the calls after which the optimising compiler has taken what runs once a frame. */
    private static final int WARM_UP_FRAMES = 40_000;

    private static final int WINDOW_FRAMES = 1_000;
    private static final int WINDOWS = 10;
    private static final int TRICKLE_FRAMES = 50;
    /** A frame, its acknowledgement, the application's call, and the timers of all that. */
    private static final int SLEEPS_PER_FRAME_MAX = 6;

    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** A loop looks at its port every second; the protocols' timers of a connection without data come on top. */
    private static final int SLEEPS_AT_REST_MAX = 20;

    private final List<SleepLog> sleeps = new ArrayList<>();
    /** What the server's end does with what comes. */
    private final App sink = new App();

    private TwoHosts hosts;
    private Transport client;
    private Transport server;

    @BeforeEach
    void create() throws IOException {
        hosts = TwoHosts.create();
    }

    /** By resets: with both ends in one thread neither could wait for the other to take what is on its way. */
    @AfterEach
    void close() {
        if (client != null) {
            client.close(Duration.ZERO);
        }
        if (server != null) {
            server.close(Duration.ZERO);
        }
        hosts.close();
    }

    static List<ProtocolConfig> protocols() {
        return Catalogue.forRealPorts();
    }

    private Transport open(NetNamespace namespace, IdleMode mode) throws IOException {
        FramePool pool = new FramePool(8_192, 2_048);
        AfXdpConfig port =
                AfXdpConfig.host(TwoHosts.INTERFACE).namespace(namespace.name()).build();
        TransportConfig config = TransportConfig.builder().idleMode(mode).build();
        SleepLog log = new SleepLog(AfXdpInterface.open(port, pool));
        sleeps.add(log);
        return Transport.open(log, pool, config);
    }

    private App connect(ProtocolConfig protocol, IdleMode mode) throws IOException {
        client = open(hosts.a(), mode);
        server = open(hosts.b(), mode);
        server.listen(PORT, connection -> sink);
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
        Deadline guard = Deadline.of("the next frame", () -> state(app));
        run(app, WARM_UP_FRAMES, guard);
        AllocationWindows windows = AllocationWindows.of(WINDOWS, () -> run(app, WINDOW_FRAMES, guard));
        windows.requireNothingInSteadyState();
        assertNull(app.closeReason);
    }

    private void run(App app, int frames, Deadline guard) {
        long target = framesSent() + frames;
        while (framesSent() < target) {
            guard.check();
            client.runOnce();
            server.runOnce();
            app.writeIfAllHasArrived();
        }
    }

    /** {@return what a test that hangs prints} */
    private String state(App app) {
        return framesSent() + " frames sent, " + app + ", sleeps of client and server: " + sleeps;
    }

    private long framesSent() {
        return client.counters().get(CounterId.DATA_FRAMES_SENT);
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void backOff_flowThatTricklesThenRests_loopsSleepAndAreSeldomWoken(ProtocolConfig protocol) throws Exception {
        App app = connect(protocol, IdleMode.BACK_OFF);
        Deadline.await("a connection", () -> state(app), () -> app.connection != null);
        long[] before = sleeps.stream().mapToLong(SleepLog::count).toArray();
        long[] nanosBefore = sleeps.stream().mapToLong(SleepLog::nanos).toArray();
        long framesBefore = framesSent();
        for (int i = 1; i <= TRICKLE_FRAMES; i++) {
            client.execute(now -> app.write());
            long bytes = (long) i * SMALL_BYTES;
            Deadline.await(
                    "arrival, and sleep after it", () -> state(app), () -> sink.receivedBytes == bytes && areAsleep());
        }
        long frames = framesSent() - framesBefore;
        for (int i = 0; i < before.length; i++) {
            long count = sleeps.get(i).count() - before[i];
            // On a machine with other work a frame takes longer, and a loop sleeps meanwhile as it does when it is
            // idle.
            long restSeconds = (sleeps.get(i).nanos() - nanosBefore[i]) / REST_NANOS + 1;
            long most = SLEEPS_PER_FRAME_MAX * frames + SLEEPS_AT_REST_MAX * restSeconds;
            assertTrue(count <= most, count + " sleeps for " + frames + " frames, " + sleeps.get(i));
        }
        assertRest(app);
    }

    private boolean areAsleep() {
        return sleeps.stream().allMatch(SleepLog::isAsleep);
    }

    /** Few sleeps are a whole second, unless something wakes the loop again and again. Both rest at the same time. */
    private void assertRest(App app) throws Exception {
        long[] nanosBefore = sleeps.stream().mapToLong(SleepLog::nanos).toArray();
        long[] countBefore = sleeps.stream().mapToLong(SleepLog::count).toArray();
        for (int i = 0; i < sleeps.size(); i++) {
            SleepLog log = sleeps.get(i);
            long untilNanos = nanosBefore[i] + REST_NANOS;
            Deadline.await("a second of sleep", () -> state(app), () -> log.nanos() >= untilNanos);
            long count = log.count() - countBefore[i];
            assertTrue(count <= SLEEPS_AT_REST_MAX, count + " sleeps for a second of rest");
        }
    }

    /**
     * Writes as much as there is room for, or a little whenever all that it has written has arrived; drops what comes.
     */
    private static final class App implements ConnectionHandler {
        private final UnsafeBuffer chunk = new UnsafeBuffer(new byte[1 << 16]);
        /** Written by the loop, read by the test. */
        private volatile Connection connection;

        private long writtenBytes;
        private boolean isGreedy;
        private CloseReason closeReason;
        /** Written by the loop, read by the test. */
        private volatile long receivedBytes;

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
        public String toString() {
            return writtenBytes + " B written" + (closeReason == null ? "" : ", closed: " + closeReason);
        }

        @Override
        public void onConnected(Connection opened) {
            connection = opened;
        }

        @Override
        public int onData(Connection from, DirectBuffer buffer, int index, int length) {
            long bytes = receivedBytes;
            receivedBytes = bytes + length;
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
