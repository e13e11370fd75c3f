package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.Egress;
import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.reactive.CongestionControl;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.BulkFlow;
import io.weir.transport.testing.StampingDevice;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.testing.WatchedProtocol;
import io.weir.transport.wire.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Two hosts whose devices stamp frames, or do not: what their senders learn of the delay between them, which never
 * changes.
 */
class HardwareStampsTest {
    private static final long LINK_RATE_BPS = 10_000_000_000L;
    private static final int CYCLES = 20_000;
    private static final int CYCLE_NANOS_MAX = 3_000;
    private static final int SEGMENTS_IN_FLIGHT = 4;

    private final SeededRandom random = new SeededRandom(11);

    /** Lets four segments be in flight, and notes what each acknowledgement tells of the delay there. */
    private static final class DelayNotes implements CongestionControl {
        private final List<Integer> delaysNanos = new ArrayList<>();

        @Override
        public void observe(AckSample ack, long nowNanos) {
            if (ack.hasTimes()) {
                delaysNanos.add(ack.t2() - ack.t1());
            }
        }

        @Override
        public long windowBytes() {
            return SEGMENTS_IN_FLIGHT * 1_424L;
        }

        @Override
        public void onAck(AckSample ack, boolean isLimited, long nowNanos) {}

        @Override
        public void onLoss(long inFlightBytes, long nowNanos) {}

        @Override
        public void onRetransmissionTimeout(long inFlightBytes, long nowNanos) {}

        int rangeNanos() {
            // The first few are from before the clocks have met.
            List<Integer> settled = delaysNanos.subList(50, delaysNanos.size());
            return settled.stream().mapToInt(Integer::intValue).max().orElseThrow()
                    - settled.stream().mapToInt(Integer::intValue).min().orElseThrow();
        }
    }

    private final class Host {
        private final FramePool pool = new FramePool(512, 2048, true);
        private final WatchedProtocol<DelayNotes> protocol =
                new WatchedProtocol<>(new ProtocolId(14, "notes"), context -> new DelayNotes());
        private final StampingDevice device;
        private final HostStack stack;
        private final Egress egress;

        Host(int number, long skewNanos, boolean stamps) {
            device = new StampingDevice(pool, number, skewNanos, stamps);
            HostConfig config = HostConfig.builder(
                            TestNetwork.mac(number), List.of(TestNetwork.address(number)), LINK_RATE_BPS)
                    .build();
            ProtocolFactory factory = protocol.newFactory(random.split());
            SeededRandom secrets = random.split();
            stack = new HostStack(config, pool, List.of(factory), secrets::nextLong);
            egress = stack.egress(0);
        }

        void cycle(long nowNanos) {
            device.pollReceive(stack, 0, 64, nowNanos);
            stack.onTimeout(nowNanos);
            device.tick(nowNanos);
            for (Frame frame = egress.pollTransmit(nowNanos); frame != null; frame = egress.pollTransmit(nowNanos)) {
                device.transmit(frame);
            }
        }
    }

    private Host run(boolean stamps) {
        Host sender = new Host(1, 7_000_000_000L, stamps);
        Host receiver = new Host(2, -3_000_000_000L, stamps);
        sender.device.connect(receiver.device);
        receiver.stack.listen(TestNetwork.PORT, incoming -> BulkFlow.receiver());
        Path path = Path.from(TestNetwork.mac(1), TestNetwork.address(1), 40_000)
                .to(TestNetwork.mac(2), TestNetwork.address(2), TestNetwork.PORT);
        BulkFlow flow = BulkFlow.sender();
        flow.fillEarly(sender.stack.connect(path, flow));
        long nowNanos = 0;
        for (int i = 0; i < CYCLES; i++) {
            nowNanos += 1 + random.nextInt(CYCLE_NANOS_MAX);
            sender.cycle(nowNanos);
            receiver.cycle(nowNanos + random.nextInt(1_000));
            nowNanos += 1_000;
        }
        return sender;
    }

    @Test
    void onAck_devicesStamp_theDelayIsTheWiresToAMicrosecond() {
        Host sender = run(true);
        DelayNotes notes = sender.protocol.controls().get(0);
        assertTrue(notes.delaysNanos.size() > 500, notes.delaysNanos.size() + " samples");
        // What remains is how near the nearest polls of the last milliseconds came to the wire.
        assertTrue(notes.rangeNanos() <= 3_000, "delays differ by " + notes.rangeNanos() + " ns");
        assertTrue(sender.stack.counters().get(CounterId.DEPARTURES_UNKNOWN) <= 50);
    }

    @Test
    void onAck_driversStamp_theDelayHasTheDevicesIn() {
        Host sender = run(false);
        int rangeNanos = sender.protocol.controls().get(0).rangeNanos();
        assertTrue(rangeNanos >= StampingDevice.DELAY_NANOS_MAX / 2, "delays differ by " + rangeNanos + " ns");
        assertEquals(0, sender.stack.counters().get(CounterId.DEPARTURES_UNKNOWN));
    }
}
