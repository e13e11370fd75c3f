package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.telemetry.FlowField;
import io.weir.transport.telemetry.FlowTable;
import io.weir.transport.telemetry.GaugeId;
import io.weir.transport.telemetry.Gauges;
import io.weir.transport.testing.Allocations;
import io.weir.transport.testing.Bottleneck;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests {@link HostReport} with a host that receives four flows at 10 Gbit/s together. */
class HostReportTest {
    private static final int FLOWS = 4;
    private static final Bottleneck.Shape SHAPE =
            new Bottleneck.Shape(FLOWS, 10_000_000_000L, 10_000_000_000L, 100_000, 100, 65);
    private static final long FIRST_NANOS = 20_000_000;
    private static final long LATER_NANOS = 30_000_000;

    private final Gauges gauges = new Gauges(new UnsafeBuffer(ByteBuffer.allocateDirect(1_024)), Long.BYTES);
    private Bottleneck run;

    @BeforeEach
    void start() {
        run = new Bottleneck(SHAPE, ExpressPass.weir(), 1).startAll(0);
        run.run(FIRST_NANOS);
    }

    @AfterEach
    void close() {
        run.close();
    }

    private static FlowTable table(int rows) {
        return new FlowTable(new UnsafeBuffer(ByteBuffer.allocateDirect(FlowTable.bytes(rows))));
    }

    private HostReport receiver() {
        return new HostReport(run.network().stack(FLOWS + 1));
    }

    @Test
    void report_twice_hasRatesOfTheTimeBetween() {
        FlowTable flows = table(8);
        receiver().write(gauges, flows, FIRST_NANOS);
        run.run(LATER_NANOS);
        receiver().write(gauges, flows, LATER_NANOS);
        assertEquals(FLOWS, gauges.get(GaugeId.CONNECTIONS));
        long sumBps = 0;
        int used = 0;
        for (int row = 0; row < flows.rowCount(); row++) {
            if (flows.get(row, FlowField.IP_VERSION) != FlowTable.UNUSED) {
                used++;
                sumBps += flows.get(row, FlowField.RECEIVE_RATE_BPS);
                assertEquals(0, flows.get(row, FlowField.IDLE_NANOS));
                assertTrue(flows.get(row, FlowField.CREDITS_USED) > 0);
            }
        }
        assertEquals(FLOWS, used);
        assertTrue(sumBps > 8_000_000_000L && sumBps < 10_000_000_000L, sumBps + " bps");
    }

    @Test
    void report_connectionsOpenedSinceTheOneBefore_haveTheirRateInTheFirst() {
        FlowTable flows = table(FLOWS);
        receiver().write(gauges, flows, FIRST_NANOS);
        for (int row = 0; row < FLOWS; row++) {
            long bits = flows.get(row, FlowField.RECEIVED_BYTES) * Byte.SIZE;
            assertTrue(bits > 0);
            assertEquals(bits * 1_000_000 / (FIRST_NANOS / 1_000), flows.get(row, FlowField.RECEIVE_RATE_BPS));
        }
    }

    @Test
    void report_nothingMoves_countsAsIdle() {
        FlowTable flows = table(8);
        receiver().write(gauges, flows, FIRST_NANOS);
        receiver().write(gauges, flows, FIRST_NANOS + 5_000_000);
        receiver().write(gauges, flows, FIRST_NANOS + 7_000_000);
        assertEquals(7_000_000, flows.get(0, FlowField.IDLE_NANOS));
        assertEquals(0, flows.get(0, FlowField.RECEIVE_RATE_BPS));
    }

    @Test
    void report_tooFewRows_countsTheOthers() {
        UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(FlowTable.bytes(3)));
        receiver().write(gauges, new FlowTable(memory), FIRST_NANOS);
        assertEquals(FLOWS - 3, memory.getLong(FlowTable.OMITTED_OFFSET));
        assertEquals(memory.getLong(FlowTable.END_OFFSET), memory.getLong(FlowTable.beginOffset(3)));
    }

    @Test
    void report_manyTimes_allocatesNothing() {
        FlowTable flows = table(256);
        HostReport receiver = receiver();
        Runnable step = () -> receiver.write(gauges, flows, FIRST_NANOS);
        Allocations.of(1_000, step);
        assertEquals(0, Allocations.fewestOf(4, 1_000, step));
    }

    @Test
    void states_ofTheTable_areTheConnections() {
        assertEquals(
                Arrays.stream(Lifecycle.State.values())
                        .map(state -> state.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                        .toList(),
                FlowTable.STATES);
    }
}
