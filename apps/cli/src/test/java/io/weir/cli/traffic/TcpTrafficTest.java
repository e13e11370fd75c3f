package io.weir.cli.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.net.NetNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Tests kernel TCP over the loopback interface of this process's own namespace. */
class TcpTrafficTest {
    private static final NetNamespace HERE = NetNamespace.own();
    private static final TcpFlow.Route ROUTE = new TcpFlow.Route(HERE, HERE, InetAddress.getLoopbackAddress());
    private static final long BYTES = 5_000_001;
    private static final int SECONDS_MAX = 60;

    private final AtomicReference<String> failure = new AtomicReference<>();

    private TcpFlow flow(long bytes) throws IOException {
        return new TcpFlow("f", ROUTE, new TcpFlow.Load(bytes, ""), ArrivalLog.ofBytes(), failure);
    }

    private static void await(BooleanSupplier condition) {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (!condition.getAsBoolean() && System.nanoTime() < endNanos) {
            Thread.onSpinWait();
        }
        assertTrue(condition.getAsBoolean());
    }

    @Test
    void start_ofSomeBytes_completesWithAllOfThem() throws IOException {
        try (TcpFlow flow = flow(BYTES)) {
            assertFalse(flow.isComplete());
            long startNanos = System.nanoTime();
            flow.start();
            await(flow::isComplete);
            assertEquals(BYTES, flow.figures().totalBytes());
            assertTrue(flow.completedNanos() > startNanos);
        }
        assertNull(failure.get());
    }

    @Test
    void close_beforeTheStart_sendsNothing() throws IOException {
        TcpFlow flow = flow(BYTES);
        flow.close();
        assertEquals(0, flow.figures().totalBytes());
        assertNull(flow.failure());
    }

    @Test
    void stop_whileSending_isNoFailure() throws IOException {
        try (TcpFlow flow = flow(Long.MAX_VALUE)) {
            flow.start();
            await(() -> flow.figures().totalBytes() > BYTES);
            flow.stop();
        }
        assertNull(failure.get());
    }

    @Test
    void start_congestionControlUnknown_isNotedWithItsName() throws IOException {
        try (TcpFlow flow = new TcpFlow("f", ROUTE, new TcpFlow.Load(BYTES, "nosuch"), ArrivalLog.ofBytes(), failure)) {
            flow.start();
            await(() -> failure.get() != null);
            assertTrue(flow.failure().contains("nosuch"), flow.failure());
        }
    }

    @Test
    void startBulk_untilItIsClosed_isHealthyAndThenEnds() throws IOException {
        TcpTraffic traffic = new TcpTraffic(ROUTE);
        RunningTraffic<ArrivalLog> flow = traffic.startBulk();
        await(() -> flow.figures().totalBytes() > BYTES);
        flow.close();
        traffic.requireHealthy();
        assertTrue(flow.figures().nanosUntil(BYTES, Long.MAX_VALUE) < Long.MAX_VALUE);
    }

    @Test
    void startRoundTrips_untilItIsClosed_recordsEach() throws IOException {
        TcpTraffic traffic = new TcpTraffic(ROUTE);
        RunningTraffic<Histogram> exchange = traffic.startRoundTrips(64);
        try (TcpFlow flow = flow(BYTES)) {
            flow.start();
            await(flow::isComplete);
        }
        // On a busy machine a short flow is over before the first answer. The exchange goes on, so the count is a hint.
        await(() -> exchange.figures().getTotalCount() > 0);
        exchange.close();
        traffic.requireHealthy();
        assertTrue(exchange.figures().getTotalCount() > 0);
        assertTrue(exchange.figures().getValueAtPercentile(50) > 0);
    }

    /** One end that stops by itself must not pass for a measurement. */
    @Test
    void ends_oneGaveUp_noteWhy() throws IOException {
        try (TcpConnection ends = new TcpConnection(
                "f",
                ROUTE,
                failure,
                (address, both) -> {
                    throw new IOException("gave up");
                },
                (incoming, both) -> {})) {
            ends.start();
            await(() -> failure.get() != null);
        }
        assertEquals("tcp-f-client: java.io.IOException: gave up", failure.get());
    }
}
