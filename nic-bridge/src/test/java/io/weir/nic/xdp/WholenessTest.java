package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Tests {@link Wholeness}: what a driver has cut off is told from every whole frame. */
class WholenessTest {
    private static final int OFFSET = 256;

    private final FramePool pool = new FramePool(2, 4096);
    private final UdpFrames writer = new UdpFrames(1, "10.0.0.1", 2, "10.0.0.2");

    private Frame ipv4(int payloadBytes) {
        return writer.write(pool.frame(0), OFFSET, payloadBytes, 4720, 1);
    }

    @Test
    void isCutOff_wholeFramesOfEverySize_areNot() {
        for (int payload = 8; payload <= 1472; payload++) {
            Frame frame = ipv4(payload);
            assertFalse(Wholeness.isCutOff(frame), payload + " bytes");
            frame.setExtent(OFFSET, Math.max(60, frame.length()));
            assertFalse(Wholeness.isCutOff(frame), payload + " bytes, padded");
        }
    }

    @Test
    void isCutOff_firstPieceOfAFullFrame_is() {
        for (int payload : new int[] {983, 1472}) {
            Frame frame = ipv4(payload);
            frame.setExtent(OFFSET, 1024);
            assertTrue(Wholeness.isCutOff(frame), payload + " bytes");
        }
    }

    @Test
    void isCutOff_ipv6_looksAtItsPayload() {
        Frame frame = ipv4(1000);
        frame.buffer().putShort(OFFSET + 12, (short) 0x86DD, ByteOrder.BIG_ENDIAN);
        frame.buffer().putShort(OFFSET + 18, (short) (frame.length() - 54), ByteOrder.BIG_ENDIAN);
        assertFalse(Wholeness.isCutOff(frame));
        frame.setExtent(OFFSET, frame.length() - 1);
        assertTrue(Wholeness.isCutOff(frame));
    }

    @Test
    void isCutOff_noIp_isNot() {
        Frame frame = ipv4(1000);
        frame.buffer().putShort(OFFSET + 12, (short) 0x0806, ByteOrder.BIG_ENDIAN);
        frame.setExtent(OFFSET, 60);
        assertFalse(Wholeness.isCutOff(frame));
    }
}
