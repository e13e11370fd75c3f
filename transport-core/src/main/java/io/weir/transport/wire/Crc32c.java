package io.weir.transport.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * CRC32C over pieces of a frame, with the JDK's intrinsic and without allocation. One owner.
 */
public final class Crc32c {
    /** The most that {@link #addGathered} takes. */
    static final int GATHERED_BYTES_MAX = 64;

    private final CRC32C crc = new CRC32C();
    private ByteBuffer viewed;
    private ByteBuffer view;
    /** Where short pieces are put next to each other: one call for all of them costs less than one for each. */
    private final ByteBuffer gatheredBytes = ByteBuffer.allocateDirect(GATHERED_BYTES_MAX);

    private final UnsafeBuffer gathered = new UnsafeBuffer(gatheredBytes);

    /** Begins a new sum. */
    public Crc32c reset() {
        crc.reset();
        return this;
    }

    /** Adds {@code length} bytes of a frame's slot. */
    @SuppressWarnings("ReferenceEquality") // another memory means another buffer object, whatever it holds
    public Crc32c add(UnsafeBuffer buffer, int at, int length) {
        ByteBuffer memory = buffer.byteBuffer();
        if (memory != viewed) {
            viewed = memory;
            view = memory.duplicate();
        }
        int start = buffer.wrapAdjustment() + at;
        view.limit(start + length).position(start);
        crc.update(view);
        return this;
    }

    /** {@return where to put short pieces for {@link #addGathered}} */
    UnsafeBuffer gathered() {
        return gathered;
    }

    /** Adds the first {@code length} bytes of {@link #gathered}. */
    Crc32c addGathered(int length) {
        gatheredBytes.limit(length).position(0);
        crc.update(gatheredBytes);
        return this;
    }

    /** {@return the sum} */
    public int value() {
        return (int) crc.getValue();
    }
}
