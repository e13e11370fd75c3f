package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.testing.SinkNode;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.Node;
import io.weir.transport.node.UntimedNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The memory before a frame, as XDP program and kernel write it. */
class DeviceStampsTest {
    private static final long MARK = 0x5745495253544D50L;
    private static final int OFFSET = 256;
    private static final long APART = 1_000_000_000L;

    private final FramePool pool = new FramePool(4, 2048, true);
    private final DeviceStamps stamps = DeviceStamps.byDevice(true);
    private final List<String> told = new ArrayList<>();
    private final Node node = new Told();

    private final class Told extends Delegate {
        @Override
        public void onDeparted(int portIndex, long ticket, long departedNanos) {
            told.add(portIndex + " " + ticket + " " + departedNanos);
        }
    }

    /** A Node that does nothing else. */
    private abstract static class Delegate implements UntimedNode {
        private final SinkNode sink = new SinkNode();

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            sink.onFrame(portIndex, frame, nowNanos);
        }

        @Override
        public io.weir.transport.node.Egress egress(int portIndex) {
            return sink.egress(portIndex);
        }
    }

    private Frame frame(int offset) {
        Frame frame = pool.allocate();
        frame.setExtent(offset, 100);
        return frame;
    }

    private Frame received(long mark, long deviceNanos) {
        Frame frame = frame(OFFSET);
        frame.buffer().putLong(OFFSET - 16, mark);
        frame.buffer().putLong(OFFSET - 8, deviceNanos);
        return frame;
    }

    private Frame transmitted(long ticket, int offset) {
        Frame frame = frame(offset);
        frame.setTicket(ticket);
        return frame;
    }

    @Test
    void onReceived_marked_hasTheDevicesTime() {
        stamps.onReceived(received(MARK, APART + 5_000), 5_200);
        Frame late = received(MARK, APART + 6_000);
        stamps.onReceived(late, 90_000);
        assertEquals(6_200, late.stampNanos(-1));
        assertEquals(2, stamps.receivedCount());
    }

    @Test
    void onReceived_deviceHadNone_keepsThePollsAndIsCounted() {
        Frame frame = received(MARK, 0);
        stamps.onReceived(frame, 5_200);
        assertEquals(-1, frame.stampNanos(-1));
        assertEquals(1, stamps.unstampedCount());
    }

    @Test
    void onReceived_slotUsedBefore_oldStampIsNotRead() {
        Frame frame = received(MARK, APART);
        stamps.onReceived(frame, 5_200);
        frame.setStampNanos(-7);
        stamps.onReceived(frame, 9_000);
        assertEquals(-7, frame.stampNanos(-1));
        assertEquals(1, stamps.unstampedCount());
    }

    @Test
    void onReceived_noRoomBeforeTheFrame_isUnstamped() {
        stamps.onReceived(frame(8), 5_200);
        assertEquals(1, stamps.unstampedCount());
    }

    @Test
    void request_nodeAsks_kernelIsAsked() {
        Frame frame = transmitted(3, 32);
        assertTrue(stamps.request(frame));
        assertEquals(1, frame.buffer().getLong(8));
        assertEquals(0, frame.buffer().getLong(16));
    }

    @Test
    void request_noTicketOrNoRoomOrNotOffered_kernelIsNotAsked() {
        assertFalse(stamps.request(frame(32)));
        assertFalse(stamps.request(transmitted(3, 8)));
        assertFalse(DeviceStamps.byDevice(false).request(transmitted(3, 32)));
    }

    @Test
    void onCompleted_answered_tellsTheNodeByItsClock() {
        stamps.onReceived(received(MARK, APART + 5_000), 5_200);
        Frame frame = transmitted(3, 32);
        stamps.request(frame);
        frame.buffer().putLong(16, APART + 9_000);
        stamps.onCompleted(frame, node, 1);
        assertEquals(List.of("1 3 9200"), told);
    }

    @Test
    void onCompleted_notAnsweredOrClockUnknown_saysNothing() {
        Frame frame = transmitted(3, 32);
        stamps.request(frame);
        frame.buffer().putLong(16, APART + 9_000);
        stamps.onCompleted(frame, node, 1);
        stamps.onReceived(received(MARK, APART + 5_000), 5_200);
        stamps.request(frame);
        stamps.onCompleted(frame, node, 1);
        assertEquals(List.of(), told);
        assertEquals(0, stamps.departedCount());
    }
}
