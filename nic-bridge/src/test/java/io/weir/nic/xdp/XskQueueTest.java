package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.ffi.NativeMemory;
import io.weir.nic.testing.SinkNode;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameOwner;
import io.weir.transport.frame.FramePool;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests {@link XskQueue} over rings in plain memory, whose other ends the test has in place of the kernel. */
class XskQueueTest {
    private static final int ENTRIES = 64;
    private static final int SLOT_BYTES = 12_288;
    private static final int HEADROOM_BYTES = 256;
    private static final int PIECE_BYTES = 3840;
    private static final int CONTINUES = 1;
    private static final RingLayout ADDRESSES = new RingLayout(0, 128, 196, 320, ENTRIES, RingLayout.ADDRESS_BYTES);
    private static final RingLayout DESCRIPTORS =
            new RingLayout(0, 128, 196, 320, ENTRIES, RingLayout.DESCRIPTOR_BYTES);

    private final UnsafeBuffer fill = NativeMemory.allocate(ADDRESSES.memoryBytes());
    private final UnsafeBuffer completion = NativeMemory.allocate(ADDRESSES.memoryBytes());
    private final UnsafeBuffer receive = NativeMemory.allocate(DESCRIPTORS.memoryBytes());
    private final UnsafeBuffer transmit = NativeMemory.allocate(DESCRIPTORS.memoryBytes());
    private final ConsumerRing fillEnd = new ConsumerRing(fill, ADDRESSES);
    private final ConsumerRing transmitEnd = new ConsumerRing(transmit, DESCRIPTORS);
    private final ProducerRing receiveEnd = new ProducerRing(receive, DESCRIPTORS);
    private final ProducerRing completionEnd = new ProducerRing(completion, ADDRESSES);

    private final FramePool pool = new FramePool(2 * ENTRIES, SLOT_BYTES, true);
    private final Umem umem = new Umem(pool);
    private final short holder = umem.join();
    private final SinkNode sink = new SinkNode();
    private final XskQueue queue = new XskQueue(
            XskSocket.over(
                    new ProducerRing(fill, ADDRESSES),
                    new ProducerRing(transmit, DESCRIPTORS),
                    new ConsumerRing(receive, DESCRIPTORS),
                    new ConsumerRing(completion, ADDRESSES)),
            AfXdpConfig.host("weir0").ringSizes(RingSizes.ofAll(ENTRIES)).build(),
            umem,
            holder,
            null);

    @AfterEach
    void close() {
        queue.close();
        umem.leave(holder);
        sink.releaseAll();
        assertEquals(pool.frameCount(), pool.available());
    }

    /** The kernel puts a piece of a frame into a slot that it was given. */
    private void comes(int lengthBytes, boolean continues) {
        assertEquals(1, fillEnd.available(1), "the kernel has no slot left");
        long address = fillEnd.address();
        fillEnd.advance();
        fillEnd.release();
        assertTrue(receiveEnd.freeCount() > 0, "the receive ring is full of what has been taken");
        receiveEnd.putDescriptor(address + HEADROOM_BYTES, lengthBytes, continues ? CONTINUES : 0);
        receiveEnd.publish();
    }

    private int poll() {
        int frames = queue.receive(sink, 0, ENTRIES, 0);
        int lent = pool.count(FrameOwner.FILL);
        assertEquals(queue.fillFrames(), lent);
        assertEquals(pool.frameCount(), pool.available() + lent + pool.count(FrameOwner.HELD));
        return frames;
    }

    @Test
    void receive_frameInPiecesOverSeveralPolls_isWhole() {
        for (int i = 0; i < 3 * ENTRIES; i++) {
            comes(PIECE_BYTES, true);
            assertEquals(0, poll());
            comes(PIECE_BYTES, true);
            assertEquals(0, poll());
            comes(100, false);
            assertEquals(1, poll());
            Frame frame = sink.poll();
            assertEquals(2 * PIECE_BYTES + 100, frame.length());
            frame.release();
        }
        assertEquals(0, pool.count(FrameOwner.HELD));
    }

    @Test
    void receive_frameThatDoesNotEnd_givesItsEntriesAndSlotsBack() {
        for (int i = 0; i < 4 * ENTRIES; i++) {
            comes(PIECE_BYTES, true);
            assertEquals(0, poll());
            assertTrue(pool.count(FrameOwner.HELD) <= 1);
        }
        comes(60, false);
        assertEquals(0, poll());
        comes(60, false);
        assertEquals(1, poll());
    }

    @Test
    void close_frameHasBegun_givesItsSlotBack() {
        comes(PIECE_BYTES, true);
        assertEquals(0, poll());
        assertEquals(1, pool.count(FrameOwner.HELD));
    }

    @Test
    void transmit_frameInPieces_isFreeWhenTheLastIsCompleted() {
        for (int i = 0; i < 3 * ENTRIES; i++) {
            int available = pool.available();
            assertTrue(queue.transmitCapacity() > 0);
            Frame frame = pool.allocate();
            frame.setExtent(HEADROOM_BYTES, 9_014);
            queue.transmit(frame);
            queue.flush();
            int pieces = transmitEnd.available(ENTRIES);
            assertEquals(3, pieces);
            for (int piece = 0; piece < pieces; piece++) {
                queue.transmitCapacity();
                assertEquals(available - 1, pool.available(), "free before its last piece is completed");
                completionEnd.putAddress(transmitEnd.address());
                completionEnd.publish();
                transmitEnd.advance();
                transmitEnd.release();
            }
            queue.transmitCapacity();
            assertEquals(available, pool.available());
        }
    }
}
