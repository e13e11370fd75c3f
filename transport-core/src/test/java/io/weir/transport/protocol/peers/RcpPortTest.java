package io.weir.transport.protocol.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.PartSettings;
import io.weir.transport.protocol.PortPolicyConfig;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.testing.Passing;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Dscp;
import io.weir.transport.wire.Marks;
import io.weir.transport.wire.PassingFrame;
import org.junit.jupiter.api.Test;

/** Tests {@link RcpPort} on a link of 10 Gbit/s, updated every 10 us, with flows whose round trip is 100 us. */
class RcpPortTest {
    private static final double CAPACITY_BPS = 1e10;
    private static final long INTERVAL_NANOS = 10_000;
    private static final long RTT_NANOS = 100_000;
    private static final int FRAME = Passing.WIRE_BYTES;

    private final Passing passing = new Passing();
    private final RcpPort port = new RcpPort(
            RcpPort.PART.usual().with(RcpPort.INTERVAL, INTERVAL_NANOS),
            new PortPolicyConfig.Port((long) CAPACITY_BPS, 1500, new Counters(), new SeededRandom(1)));

    private PassingFrame data(int window) {
        return passing.data(window, Marks.RATE, RTT_NANOS, Dscp.ECN_NOT_ECT);
    }

    /** Lets frames come for one interval at a share of the link, and the next interval begin. */
    private double interval(long startNanos, double share, long queueBytes) {
        int frames = (int) Math.round(share * CAPACITY_BPS * INTERVAL_NANOS / 1e9 / 8 / FRAME);
        for (int i = 0; i < frames; i++) {
            port.onArrival(data(DataHeader.WINDOW_UNSET), queueBytes, startNanos + 1 + i);
        }
        port.onDeparture(data(DataHeader.WINDOW_UNSET), queueBytes, startNanos + INTERVAL_NANOS);
        return 8.0 * frames * FRAME * 1e9 / INTERVAL_NANOS;
    }

    @Test
    void update_loadAndQueue_followTheEquation() {
        double y = interval(0, 2, 50_000);
        double queueBps = 8 * 50_000 * 1e9 / RTT_NANOS;
        double expected = CAPACITY_BPS * (1 + 0.1 * (0.4 * (CAPACITY_BPS - y) - 0.226 * queueBps) / CAPACITY_BPS);
        assertEquals(expected, port.rateBps(), 1);
    }

    @Test
    void onDeparture_lowerRate_isStampedInKilobits() {
        interval(0, 2, 50_000);
        assertEquals((int) (port.rateBps() / 1_000), passing.window());
    }

    @Test
    void onDeparture_frameWithALowerRate_keepsIt() {
        port.onDeparture(data(17), 0, 1);
        assertEquals(17, passing.window());
    }

    @Test
    void onDeparture_frameOfAnotherProtocol_isLeftAloneAndCounts() {
        for (int i = 0; i < 30; i++) {
            port.onArrival(passing.data(5, 0, 999, Dscp.ECN_NOT_ECT), 0, i);
        }
        port.onDeparture(passing.data(DataHeader.WINDOW_UNSET, 0, 0, Dscp.ECN_NOT_ECT), 0, INTERVAL_NANOS);
        assertEquals(DataHeader.WINDOW_UNSET, passing.window());
        assertTrue(port.rateBps() < CAPACITY_BPS, "30 frames in 10 us are more than the link passes");
        assertEquals(RTT_NANOS, port.rttNanos(), 1);
    }

    @Test
    void update_longOverload_endsAtTheLeastRate() {
        for (int i = 0; i < 3_000; i++) {
            interval(i * INTERVAL_NANOS, 3, 400_000);
        }
        assertEquals(0.05 * 8 * FRAME * 1e9 / RTT_NANOS, port.rateBps(), 1);
    }

    @Test
    void update_idleLink_givesAllOfItAgain() {
        for (int i = 0; i < 50; i++) {
            interval(i * INTERVAL_NANOS, 3, 100_000);
        }
        assertTrue(port.rateBps() < CAPACITY_BPS / 10);
        port.onArrival(data(DataHeader.WINDOW_UNSET), 0, 50_000_000);
        assertEquals(CAPACITY_BPS, port.rateBps(), 1);
    }

    @Test
    void update_roundTripsOfTheFlows_areAveraged() {
        for (int i = 0; i < 400; i++) {
            for (int j = 0; j < 8; j++) {
                port.onArrival(
                        passing.data(0, Marks.RATE, j % 2 == 0 ? 40_000 : 60_000, Dscp.ECN_NOT_ECT),
                        0,
                        i * INTERVAL_NANOS + j);
            }
        }
        assertEquals(50_000, port.rttNanos(), 500);
    }

    @Test
    void settings_impossible_areRefused() {
        PartSettings usual = RcpPort.PART.usual();
        assertThrows(ConfigException.class, () -> usual.with(RcpPort.ALPHA, 0));
        assertThrows(ConfigException.class, () -> usual.with(RcpPort.BETA, 1_000_001));
        assertThrows(ConfigException.class, () -> usual.with(RcpPort.INTERVAL, 999));
    }
}
