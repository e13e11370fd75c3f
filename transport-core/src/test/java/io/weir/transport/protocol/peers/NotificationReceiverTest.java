package io.weir.transport.protocol.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.Marks;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link NotificationReceiver} with 50 us between notifications. */
class NotificationReceiverTest {
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(128));
    private final NotificationReceiver receiver = new NotificationReceiver(50_000, 8);

    private boolean notifies(boolean isMarked, long nowNanos) {
        receiver.onData(buffer, 0, isMarked, nowNanos);
        boolean wantsAck = receiver.wantsAck();
        if (wantsAck) {
            AckHeader.write(buffer, 0, 1, 0, 0, 0);
            receiver.onAck(buffer, 0, nowNanos);
            assertEquals(Marks.CONGESTION, AckHeader.marks(buffer, 0));
        }
        return wantsAck;
    }

    @Test
    void onData_firstMark_isToldAtOnce() {
        assertFalse(notifies(false, 0));
        assertTrue(notifies(true, 1_000));
    }

    @Test
    void onData_everyFrameMarked_tellsOnceInAnInterval() {
        int count = 0;
        long last = Long.MIN_VALUE / 2;
        for (long now = 0; now < 1_000_000; now += 1_230) {
            if (notifies(true, now)) {
                assertTrue(now - last >= 50_000);
                last = now;
                count++;
            }
        }
        assertEquals(20, count, 1);
    }

    @Test
    void onData_marksThatCameWithinTheInterval_areNotRemembered() {
        assertTrue(notifies(true, 0));
        assertFalse(notifies(true, 40_000));
        assertFalse(notifies(false, 60_000));
        assertTrue(notifies(true, 61_000));
    }

    @Test
    void onAck_nothingToTell_hasNoMark() {
        AckHeader.write(buffer, 0, 1, 0, 0, 0);
        receiver.onAck(buffer, 0, 0);
        assertEquals(0, AckHeader.marks(buffer, 0));
        assertEquals(8, receiver.framesPerAck(1));
    }
}
