package io.weir.nic.xdp;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameOwner;
import io.weir.transport.frame.FramePool;

/**
 * Makes frames of the pieces in which the kernel hands out those that are longer than a chunk: what follows the first
 * piece is copied behind it, and its slot goes back to the pool.
 */
final class Gatherer {
    private final FramePool pool;
    /** The pieces so far of a frame that goes on with the next descriptor; null between frames. */
    private Frame begun;
    /** Whether what comes up to the end of the frame is dropped, because it does not fit a slot. */
    private boolean isDropping;
    /** Frames dropped because they do not fit a slot. */
    private long tooLongCount;

    Gatherer(FramePool pool) {
        this.pool = pool;
    }

    /** {@return the frame that is whole with this held piece, the caller's then; or null} */
    Frame add(Frame piece, boolean continues) {
        if (begun == null && !isDropping) {
            if (!continues) {
                return piece;
            }
            begun = piece;
            return null;
        }
        append(piece);
        if (continues) {
            return null;
        }
        Frame whole = begun;
        begun = null;
        isDropping = false;
        return whole;
    }

    /** Gives back the pieces of a frame whose rest will not come. */
    void close() {
        if (begun != null) {
            begun.release();
            begun = null;
        }
    }

    /** {@return frames dropped because they do not fit a slot} */
    long tooLongCount() {
        return tooLongCount;
    }

    private void append(Frame piece) {
        if (begun != null) {
            int end = begun.offset() + begun.length();
            if (end + piece.length() > pool.frameCapacityBytes()) {
                close();
                isDropping = true;
                tooLongCount++;
            } else {
                begun.buffer().putBytes(end, piece.buffer(), piece.offset(), piece.length());
                begun.setExtent(begun.offset(), begun.length() + piece.length());
            }
        }
        pool.release(piece, FrameOwner.HELD);
    }
}
