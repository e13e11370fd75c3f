package io.weir.transport.frame;

/**
 * A first-in first-out queue of held frames, linked through the frames themselves: no memory beyond them, O(1), no
 * allocation. A frame is in at most one queue.
 */
public final class FrameQueue {
    private Frame head;
    private Frame tail;
    private int frameCount;
    private long wireBytes;

    /** Appends a frame, which the queue now owns. */
    public void add(Frame frame) {
        assert frame.next() == null && frame != tail && frame.owner() == FrameOwner.HELD;
        if (tail == null) {
            head = frame;
        } else {
            tail.setNext(frame);
        }
        tail = frame;
        frameCount++;
        wireBytes += frame.wireBytes();
    }

    /** {@return the oldest frame, now the caller's, or null when the queue is empty} */
    public Frame poll() {
        Frame frame = head;
        if (frame == null) {
            return null;
        }
        head = frame.next();
        if (head == null) {
            tail = null;
        }
        frame.setNext(null);
        frameCount--;
        wireBytes -= frame.wireBytes();
        return frame;
    }

    /** {@return frame {@code index} from the head, taken out of the queue; O(index)} */
    public Frame remove(int index) {
        if (index == 0) {
            return poll();
        }
        Frame before = head;
        for (int i = 1; i < index; i++) {
            before = before.next();
        }
        Frame frame = before.next();
        before.setNext(frame.next());
        if (frame.next() == null) {
            tail = before;
        }
        frame.setNext(null);
        frameCount--;
        wireBytes -= frame.wireBytes();
        return frame;
    }

    /** {@return the oldest frame, still the queue's, or null when the queue is empty} */
    public Frame peek() {
        return head;
    }

    /** {@return whether the queue holds nothing} */
    public boolean isEmpty() {
        return head == null;
    }

    /** {@return the frames in the queue} */
    public int frameCount() {
        return frameCount;
    }

    /** {@return what the frames in the queue occupy on a link} */
    public long wireBytes() {
        return wireBytes;
    }

    /** Returns every frame to its pool. */
    public void releaseAll() {
        for (Frame frame = poll(); frame != null; frame = poll()) {
            frame.release();
        }
    }
}
