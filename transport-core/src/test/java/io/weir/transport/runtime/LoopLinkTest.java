package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.Egress;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.UntimedNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link LoopLink}. */
class LoopLinkTest {
    private final FramePool pool = new FramePool(2048, 256);
    private final LoopLink link = new LoopLink(LoopLink.info("a", 1500, 1_000), LoopLink.info("b", 1500, 1_000));
    private final Keeper keeper = new Keeper();

    /** A Node that keeps what comes. */
    private static final class Keeper implements UntimedNode {
        private final List<Frame> frames = new ArrayList<>();

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            frames.add(frame);
        }

        @Override
        public Egress egress(int portIndex) {
            return null;
        }
    }

    private Frame send(NetPort port) {
        Frame frame = pool.allocate();
        frame.setExtent(0, Frame.LENGTH_BYTES_MIN);
        port.transmit(frame);
        return frame;
    }

    @Test
    void transmit_frame_isTheSameAtTheOtherEnd() {
        Frame first = send(link.left());
        Frame second = send(link.left());
        assertEquals(1, link.right().pollReceive(keeper, 0, 1, 0));
        assertEquals(1, link.right().pollReceive(keeper, 0, 5, 0));
        assertSame(first, keeper.frames.get(0));
        assertSame(second, keeper.frames.get(1));
        assertEquals(0, link.left().pollReceive(keeper, 0, 5, 0), "nothing went the other way");
    }

    @Test
    void transmitCapacity_framesNotTaken_isUsedUp() {
        int capacity = link.right().transmitCapacity();
        for (int i = 0; i < capacity; i++) {
            send(link.right());
        }
        assertEquals(0, link.right().transmitCapacity());
        link.left().pollReceive(keeper, 0, 10, 0);
        assertEquals(10, link.right().transmitCapacity());
    }

    @Test
    void close_framesOnTheWay_returnToThePool() {
        send(link.left());
        send(link.right());
        link.left().close();
        link.right().close();
        assertEquals(pool.frameCount(), pool.available());
    }
}
