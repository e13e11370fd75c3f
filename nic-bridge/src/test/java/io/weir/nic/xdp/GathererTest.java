package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import org.junit.jupiter.api.Test;

/** Tests {@link Gatherer}. */
class GathererTest {
    private static final int SLOT_BYTES = 12_288;
    private static final int PIECE_BYTES = 3840;

    private final FramePool pool = new FramePool(8, SLOT_BYTES, true);
    private final Gatherer gatherer = new Gatherer(pool);

    private Frame piece(int length, int seed) {
        Frame frame = pool.allocate();
        frame.setExtent(256, length);
        for (int i = 0; i < length; i++) {
            frame.buffer().putByte(256 + i, (byte) (seed + i));
        }
        return frame;
    }

    @Test
    void add_onePiece_isTheFrame() {
        Frame piece = piece(60, 1);
        assertSame(piece, gatherer.add(piece, false));
        assertEquals(60, piece.length());
    }

    @Test
    void add_threePieces_areOneFrameInTheFirstsSlot() {
        Frame first = piece(PIECE_BYTES, 1);
        assertNull(gatherer.add(first, true));
        assertNull(gatherer.add(piece(PIECE_BYTES, 2), true));
        assertSame(first, gatherer.add(piece(1334, 3), false));
        assertEquals(256, first.offset());
        assertEquals(9014, first.length());
        assertEquals(9038, first.wireBytes());
        for (int i = 0; i < 9014; i++) {
            int seed = 1 + i / PIECE_BYTES;
            assertEquals((byte) (seed + i % PIECE_BYTES), first.buffer().getByte(256 + i), "byte " + i);
        }
        assertEquals(7, pool.available());
        first.release();
    }

    @Test
    void add_moreThanASlotHolds_isDroppedToItsEndAndCounted() {
        for (int i = 0; i < 4; i++) {
            assertNull(gatherer.add(piece(PIECE_BYTES, i), true));
        }
        assertNull(gatherer.add(piece(10, 4), false));
        assertEquals(1, gatherer.tooLongCount());
        assertEquals(8, pool.available());
        Frame next = piece(60, 5);
        assertSame(next, gatherer.add(next, false));
    }

    @Test
    void close_frameBegun_givesItBack() {
        gatherer.add(piece(PIECE_BYTES, 1), true);
        assertEquals(7, pool.available());
        gatherer.close();
        assertEquals(8, pool.available());
    }
}
