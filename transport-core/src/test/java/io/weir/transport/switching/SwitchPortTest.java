package io.weir.transport.switching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.Path;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests {@link SwitchPort}: on a link of one byte a nanosecond, over which a whole data frame takes 1538 ns. */
class SwitchPortTest {
    private static final long RATE_BPS = 8_000_000_000L;
    private static final int DATA_WIRE_BYTES = 1538;
    private static final int PAYLOAD = 1424;

    private final FramePool pool = new FramePool(512, 2048, true);
    private final Path path =
            Path.from(TestNetwork.mac(1), TestNetwork.address(1), 1).to(TestNetwork.mac(2), TestNetwork.address(2), 2);
    private final PeerFrames host = new PeerFrames(pool, path, 1, new UnsafeBuffer(ByteBuffer.allocateDirect(12)), 2);
    private SwitchPort port;

    private SwitchPort port(UnaryOperator<SwitchPortConfig.Builder> options) {
        port = new SwitchPort(options.apply(SwitchPortConfig.builder(RATE_BPS)).build(), 2, new SeededRandom(1));
        return port;
    }

    @AfterEach
    void requireWholePool() {
        port.releaseAll();
        assertEquals(pool.frameCount(), pool.available());
    }

    private Frame data() {
        return host.data(1, 0, PAYLOAD);
    }

    private void send(Frame frame) {
        assertTrue(frame != null);
        frame.release();
    }

    // ---- queues

    @Test
    void enqueue_dataQueueFull_dropsTheOneThatComes() {
        port(builder -> builder.dataQueueBytesMax(3 * DATA_WIRE_BYTES));
        for (int i = 0; i < 5; i++) {
            port.enqueue(data(), port, 0);
        }
        assertEquals(3 * DATA_WIRE_BYTES, port.dataQueueBytes());
        assertEquals(2, port.counters().get(CounterId.DROP_DATA_QUEUE));
        send(port.pollTransmit(0));
        assertEquals(2 * DATA_WIRE_BYTES, port.dataQueueBytes(), "a frame in transmission is in no queue");
        port.enqueue(data(), port, 10);
        assertEquals(2, port.counters().get(CounterId.DROP_DATA_QUEUE));
        assertEquals(3 * DATA_WIRE_BYTES, port.dataQueueBytesMax());
    }

    @Test
    void enqueue_creditQueueFull_dropsACreditAndNoData() {
        port(builder -> builder);
        for (int i = 0; i < 12; i++) {
            port.enqueue(host.credit(i + 1), port, 0);
        }
        assertEquals(12, port.counters().get(CounterId.CREDITS_RECEIVED));
        assertEquals(4, port.counters().get(CounterId.DROP_CREDIT_QUEUE));
        assertEquals(8, port.creditQueueFramesMax());
        assertEquals(8, port.creditQueueFrames());
        assertEquals(0, port.dataQueueBytes());
        send(port.pollTransmit(0));
        assertEquals(1, port.counters().get(CounterId.CREDITS_SENT));
        assertEquals(7, port.creditQueueFrames());
    }

    @Test
    void enqueue_creditlessAndOtherTraffic_goesThroughTheDataQueue() {
        port(builder -> builder);
        port.enqueue(host.request(1, 2), port, 0);
        Frame arp = host.credit(1);
        arp.buffer().putByte(13, (byte) 0x06);
        port.enqueue(arp, port, 0);
        assertEquals(0, port.counters().get(CounterId.CREDITS_RECEIVED));
        assertEquals(88 + 84, port.dataQueueBytes());
    }

    @Test
    void enqueue_unmetered_creditsGoThroughTheDataQueue() {
        port(SwitchPortConfig.Builder::unmetered);
        port.enqueue(host.credit(1), port, 0);
        assertEquals(84, port.dataQueueBytes());
        assertEquals(0, port.creditQueueFramesMax());
    }

    @Test
    void enqueue_longerThanTheMtu_isDropped() {
        port(builder -> builder.mtuBytes(1280));
        port.enqueue(data(), port, 0);
        assertEquals(1, port.counters().get(CounterId.DROP_TOO_LONG));
    }

    @Test
    void takeDataQueueBytesMax_asked_beginsAnew() {
        port(builder -> builder);
        port.enqueue(data(), port, 0);
        port.enqueue(data(), port, 0);
        assertEquals(2 * DATA_WIRE_BYTES, port.takeDataQueueBytesMax());
        send(port.pollTransmit(0));
        assertEquals(2 * DATA_WIRE_BYTES, port.takeDataQueueBytesMax(), "what it was when it was asked last");
        assertEquals(DATA_WIRE_BYTES, port.takeDataQueueBytesMax());
        assertEquals(2 * DATA_WIRE_BYTES, port.dataQueueBytesMax());
    }

    // ---- the link

    @Test
    void pollTransmit_creditWaits_goesBeforeData() {
        port(builder -> builder);
        Frame data = data();
        Frame credit = host.credit(1);
        port.enqueue(data, port, 0);
        port.enqueue(credit, port, 0);
        assertSame(credit, port.pollTransmit(0));
        credit.release();
        assertNull(port.pollTransmit(83));
        assertEquals(84, port.nextTransmitNanos(10));
        assertSame(data, port.pollTransmit(84));
        data.release();
        assertEquals(2, port.counters().get(CounterId.FRAMES_SENT));
        assertEquals(84 + DATA_WIRE_BYTES, port.counters().get(CounterId.WIRE_BYTES_SENT));
    }

    @Test
    void pollTransmit_meterEmpty_dataGoesInstead() {
        port(builder -> builder);
        for (int i = 0; i < 4; i++) {
            port.enqueue(host.credit(i + 1), port, 0);
        }
        Frame data = data();
        port.enqueue(data, port, 0);
        send(port.pollTransmit(0));
        send(port.pollTransmit(84));
        assertSame(data, port.pollTransmit(168));
        data.release();
    }

    @Test
    void pollTransmit_longBacklog_drainsAtExactlyTheLinksRate() {
        port(builder -> builder.dataQueueBytesMax(1_000_000));
        for (int i = 0; i < 200; i++) {
            port.enqueue(data(), port, 0);
        }
        long now = 0;
        for (int i = 0; i < 200; i++) {
            assertEquals((long) i * DATA_WIRE_BYTES, port.nextTransmitNanos(now));
            now = port.nextTransmitNanos(now);
            send(port.pollTransmit(now));
        }
        assertEquals(Deadline.NO_DEADLINE, port.nextTransmitNanos(now));
    }

    @Test
    void nextTransmitNanos_onlyCreditsWait_isWhenTheMeterLetsOnePass() {
        port(builder -> builder);
        for (int i = 0; i < 4; i++) {
            port.enqueue(host.credit(i + 1), port, 0);
        }
        send(port.pollTransmit(0));
        send(port.pollTransmit(84));
        long next = port.nextTransmitNanos(168);
        assertNull(port.pollTransmit(next - 1));
        send(port.pollTransmit(next));
    }

    // ---- the emulated link

    @Test
    void pollTransmit_emulatedLink_delaysBySerializationAndPropagation() {
        port(builder -> builder.link(new SwitchPortConfig.LinkEmulation(true, 10_000, 100_000, 0)));
        port.enqueue(data(), port, 0);
        port.enqueue(data(), port, 0);
        assertNull(port.pollTransmit(0));
        assertEquals(DATA_WIRE_BYTES, port.nextTransmitNanos(0), "the second starts");
        assertNull(port.pollTransmit(DATA_WIRE_BYTES));
        assertEquals(DATA_WIRE_BYTES + 10_000, port.nextTransmitNanos(DATA_WIRE_BYTES));
        send(port.pollTransmit(DATA_WIRE_BYTES + 10_000));
        assertNull(port.pollTransmit(DATA_WIRE_BYTES + 10_000));
        send(port.pollTransmit(2 * DATA_WIRE_BYTES + 10_000));
    }

    @Test
    void addArriving_emulatedLink_delaysLikeTheLinkFromTheHost() {
        port(builder -> builder.link(new SwitchPortConfig.LinkEmulation(true, 10_000, 4_000, 0)));
        port.addArriving(data(), 0);
        port.addArriving(data(), 100);
        port.addArriving(data(), 200);
        assertEquals(1, port.counters().get(CounterId.DROP_INGRESS_QUEUE));
        assertEquals(DATA_WIRE_BYTES + 10_000, port.nextIngressNanos());
        assertNull(port.pollArrived(DATA_WIRE_BYTES + 9_999));
        send(port.pollArrived(DATA_WIRE_BYTES + 10_000));
        assertEquals(2 * DATA_WIRE_BYTES + 10_000, port.nextIngressNanos());
        send(port.pollArrived(2 * DATA_WIRE_BYTES + 10_000));
        assertEquals(Deadline.NO_DEADLINE, port.nextIngressNanos());
    }

    // ---- marks

    private int marksAt(int framesInQueue, int frameCount) {
        Datagram datagram = new Datagram();
        int marked = 0;
        for (int i = 0; i < frameCount; i++) {
            for (int j = 0; j < framesInQueue; j++) {
                port.enqueue(host.end(0), port, 0);
            }
            Frame frame = data();
            port.enqueue(frame, port, 0);
            datagram.parse(frame);
            marked += datagram.isMarked() ? 1 : 0;
            port.releaseAll();
        }
        return marked;
    }

    @Test
    void mark_step_beginsExactlyAtTheThreshold() {
        int frameBytes = 48 + 42 + 24;
        port(builder -> builder.ecn(EcnConfig.step(5L * frameBytes)));
        assertEquals(0, marksAt(4, 100));
        assertEquals(100, marksAt(5, 100));
    }

    @Test
    void mark_onDeparture_looksAtWhatIsLeftBehind() {
        port(builder -> builder.ecn(EcnConfig.step(2L * DATA_WIRE_BYTES).onDeparture()));
        for (int i = 0; i < 4; i++) {
            port.enqueue(data(), port, 0);
        }
        Datagram datagram = new Datagram();
        List<Boolean> marks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Frame frame = port.pollTransmit(i * 1_000_000L);
            datagram.parse(frame);
            marks.add(datagram.isMarked());
            frame.release();
        }
        // Behind the first wait three, behind the second two; the others leave less behind than the threshold.
        assertEquals(List.of(true, true, false, false), marks);
        assertEquals(2, port.counters().get(CounterId.FRAMES_MARKED));
    }

    @Test
    void mark_red_risesWithTheQueue() {
        int frameBytes = 48 + 42 + 24;
        port(builder -> builder.ecn(new EcnConfig(10L * frameBytes, 20L * frameBytes, 400_000)));
        assertEquals(0, marksAt(10, 300));
        assertEquals(0.2, marksAt(15, 4_000) / 4_000.0, 0.03);
        assertEquals(0.36, marksAt(19, 4_000) / 4_000.0, 0.03);
        assertEquals(300, marksAt(20, 300));
        assertTrue(port.counters().get(CounterId.FRAMES_MARKED) > 0);
    }

    @Test
    void config_impossible_isRefused() {
        port(builder -> builder);
        assertThrows(ConfigException.class, () -> SwitchPortConfig.builder(RATE_BPS)
                .dataQueueBytesMax(1_000)
                .build());
        assertThrows(ConfigException.class, () -> new EcnConfig(10, 5, 0));
        assertThrows(ConfigException.class, () -> new EcnConfig(0, 5, 1_000_001));
        assertThrows(ConfigException.class, () -> new SwitchPortConfig.LinkEmulation(true, -1, 0, 0));
        assertThrows(ConfigException.class, () -> SwitchPortConfig.builder(1_000_000_000L)
                .link(new SwitchPortConfig.LinkEmulation(true, 0, 1537, 0))
                .build());
        assertThrows(IllegalArgumentException.class, () -> SwitchPortConfig.builder(0)
                .build());
    }
}
