package io.weir.transport.protocol.credit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.CreditShape;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.Path;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests how many credits a port of 1 Gbps admits around pauses of its switch. */
class CreditInflowTest {
    private static final long RATE_BPS = 1_000_000_000;
    private static final long MILLISECOND = 1_000_000;
    /** Two bursts of two credits, and a queue of eight. */
    private static final int STRICT = 12;
    /** What the link sends in a millisecond, less the share of frames without credit. */
    private static final int PER_MILLISECOND = 76;

    private final FramePool pool = new FramePool(4, 2048);
    private final Path path =
            Path.from(TestNetwork.mac(1), TestNetwork.address(1), 1).to(TestNetwork.mac(2), TestNetwork.address(2), 2);
    private final PeerFrames host = new PeerFrames(pool, path, 1, new UnsafeBuffer(ByteBuffer.allocateDirect(12)), 2);
    private final CreditInflow inflow = new CreditInflow(
            CreditPortConfig.exact(RATE_BPS, CreditShape.permitting(1538).withWireBytes(84, 92), 10_000, 2));

    /** {@return how many credits of a large number are admitted at {@code nowNanos}} */
    private int admitted(long nowNanos) {
        int count = 0;
        Frame credit = host.credit(1);
        while (inflow.admits(credit, nowNanos)) {
            count++;
        }
        credit.release();
        return count;
    }

    @Test
    void admits_afterAPauseWithoutBudget_noMoreThanBefore() {
        assertEquals(STRICT, admitted(0), 1);
        inflow.onPause(10 * MILLISECOND, 0, 0, 10 * MILLISECOND);
        assertEquals(0, admitted(10 * MILLISECOND));
        assertEquals(STRICT, admitted(11 * MILLISECOND), 1);
    }

    @Test
    void admits_afterPausesWithoutCredits_budgetOnce() {
        for (int i = 1; i <= 5; i++) {
            inflow.onPause(MILLISECOND, 30 * 1538, 30 * 1538, i * MILLISECOND);
        }
        assertEquals(STRICT + 30, admitted(5 * MILLISECOND), 2);
    }

    @Test
    void admits_runningBetweenPauses_whatTheLinkSendsMeanwhile() {
        admitted(0);
        long nowNanos = 0;
        int count = 0;
        for (int i = 0; i < 100; i++) {
            nowNanos += 9 * MILLISECOND / 10;
            inflow.onPause(9 * MILLISECOND / 10, 0, 0, nowNanos);
            nowNanos += MILLISECOND / 10;
            count += admitted(nowNanos);
        }
        assertTrue(count <= 10 * (PER_MILLISECOND + 1), count + " credits in 10 ms of running");
        assertTrue(count >= 9 * PER_MILLISECOND, count + " credits in 10 ms of running");
    }
}
