package io.weir.transport.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link FrameQueue}. */
class FrameQueueTest {
    private final FramePool pool = new FramePool(64, 2048);
    private final FrameQueue queue = new FrameQueue();

    private Frame frame(int length) {
        Frame frame = pool.allocate();
        frame.setExtent(0, length);
        return frame;
    }

    @Test
    void poll_afterAdds_isFirstInFirstOut() {
        Frame a = frame(60);
        Frame b = frame(100);
        queue.add(a);
        queue.add(b);
        assertEquals(84 + 124, queue.wireBytes());
        assertSame(a, queue.peek());
        assertSame(a, queue.poll());
        assertSame(b, queue.poll());
        assertNull(queue.poll());
        assertNull(queue.peek());
        assertTrue(queue.isEmpty());
        assertEquals(0, queue.wireBytes());
    }

    @Test
    void remove_last_letsTheNextBeAddedBehindTheOneBefore() {
        Frame a = frame(60);
        Frame b = frame(60);
        Frame c = frame(60);
        queue.add(a);
        queue.add(b);
        assertSame(b, queue.remove(1));
        queue.add(c);
        assertSame(a, queue.poll());
        assertSame(c, queue.poll());
        assertTrue(queue.isEmpty());
        queue.add(b);
        assertSame(b, queue.remove(0));
        assertTrue(queue.isEmpty());
    }

    @Test
    void operations_random_matchAList() {
        SeededRandom random = new SeededRandom(9);
        List<Frame> model = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            if (model.isEmpty() || (model.size() < 64 && random.nextInt(2) == 0)) {
                Frame frame = frame(random.nextInt(2048));
                queue.add(frame);
                model.add(frame);
            } else {
                int index = random.nextInt(3) == 0 ? 0 : random.nextInt(model.size());
                Frame removed = index == 0 ? queue.poll() : queue.remove(index);
                assertSame(model.remove(index), removed);
                removed.release();
            }
            assertEquals(model.size(), queue.frameCount());
            assertEquals(model.stream().mapToLong(Frame::wireBytes).sum(), queue.wireBytes());
            assertSame(model.isEmpty() ? null : model.get(0), queue.peek());
        }
        queue.releaseAll();
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void add_frameOfNobody_fails() {
        Frame frame = frame(60);
        frame.release();
        assertThrows(AssertionError.class, () -> queue.add(frame));
    }

    @Test
    void add_frameThatIsQueuedAlready_fails() {
        Frame frame = frame(60);
        queue.add(frame);
        assertThrows(AssertionError.class, () -> queue.add(frame));
    }
}
