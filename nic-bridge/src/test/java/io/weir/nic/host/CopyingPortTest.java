package io.weir.nic.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortInfo;
import io.weir.transport.node.StampSources;
import io.weir.transport.node.UntimedNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link CopyingPort}: a port with separate frames, among others. */
class CopyingPortTest {
    private static final int FRAMES = 4;
    private static final int PORT_INDEX = 3;

    private final FramePool innerPool = new FramePool(FRAMES, 2048);
    private final FramePool pool = new FramePool(FRAMES, 1024);
    private final Inner inner = new Inner();
    private final Taker taker = new Taker();
    private final CopyingPort port = new CopyingPort(inner, innerPool, pool);

    private Frame frame(FramePool from, int headroom, int length) {
        Frame frame = from.allocate();
        frame.setExtent(headroom, length);
        frame.buffer().setMemory(headroom, length, (byte) length);
        return frame;
    }

    private int receive() {
        return port.pollReceive(taker, PORT_INDEX, FRAMES, 5);
    }

    @Test
    void pollReceive_frameBehindHeadroom_comesAsACopyOfTheOtherPool() {
        inner.received.add(frame(innerPool, 100, 60));
        assertEquals(1, receive());
        Frame copy = taker.frames.get(0);
        assertEquals(60, copy.length());
        assertEquals(60, copy.buffer().getByte(copy.offset() + 59));
        assertEquals(PORT_INDEX, copy.ingressPort());
        assertEquals(FRAMES, innerPool.available());
        assertEquals(FRAMES - 1, pool.available());
        assertEquals(0, port.lostFrames());
    }

    @Test
    void pollReceive_noFrameOrTooLong_countsAndKeepsNothing() {
        inner.received.add(frame(innerPool, 0, 1025));
        receive();
        while (pool.available() > 0) {
            pool.allocate();
        }
        inner.received.add(frame(innerPool, 0, 60));
        receive();
        assertEquals(List.of(), taker.frames);
        assertEquals(2, port.lostFrames());
        assertEquals(FRAMES, innerPool.available());
    }

    @Test
    void transmit_frame_leavesAsACopyAndIsReleased() {
        port.transmit(frame(pool, 10, 80));
        assertEquals(FRAMES, pool.available());
        Frame copy = inner.sent.get(0);
        assertEquals(80, copy.length());
        assertEquals(80, copy.buffer().getByte(copy.offset()));
        assertEquals(FRAMES - 1, port.transmitCapacity());
    }

    /** Takes what comes. */
    private static final class Taker implements UntimedNode {
        private final List<Frame> frames = new ArrayList<>();

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            assertEquals(PORT_INDEX, portIndex);
            frames.add(frame);
        }

        @Override
        public int portCount() {
            return PORT_INDEX + 1;
        }
    }

    /** A port that receives what it is given. */
    private static final class Inner implements NetPort {
        private final ArrayDeque<Frame> received = new ArrayDeque<>();
        private final List<Frame> sent = new ArrayList<>();

        @Override
        public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
            int count = received.size();
            for (int i = 0; i < count; i++) {
                node.onFrame(portIndex, received.poll(), nowNanos);
            }
            return count;
        }

        @Override
        public int transmitCapacity() {
            return 64;
        }

        @Override
        public void transmit(Frame frame) {
            sent.add(frame);
        }

        @Override
        public void flush() {}

        @Override
        public PortInfo info() {
            return new PortInfo("inner", "test", "", "", StampSources.software("none"), 1, 1500, 0);
        }

        @Override
        public String failure() {
            return null;
        }

        @Override
        public int pollFileDescriptor() {
            return -1;
        }

        @Override
        public void close() {}
    }
}
