package io.weir.bench.raw;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.frame.FrameQueue;
import java.nio.ByteOrder;

/** Writes a datagram into every frame of a pool once, so that sending one again costs only the moving of it. */
final class TestFrames {
    /** Where in its slot a frame begins. */
    static final int OFFSET = 256;

    private static final ByteOrder WIRE = ByteOrder.BIG_ENDIAN;

    private TestFrames() {}

    static void fill(FramePool pool, int sizeBytes) {
        FrameQueue all = new FrameQueue();
        for (Frame frame = pool.allocate(); frame != null; frame = pool.allocate()) {
            write(frame, sizeBytes);
            all.add(frame);
        }
        all.releaseAll();
    }

    private static void write(Frame frame, int sizeBytes) {
        var slot = frame.buffer();
        slot.setMemory(OFFSET, sizeBytes, (byte) 0x5A);
        slot.putLong(OFFSET, 0x0200_0000_0002_0200L, WIRE);
        slot.putInt(OFFSET + 8, 1, WIRE);
        slot.putInt(OFFSET + 12, 0x0800_4500, WIRE);
        slot.putInt(OFFSET + 16, (sizeBytes - 14) << 16, WIRE);
        slot.putInt(OFFSET + 20, 0x4000_4011, WIRE);
        slot.putInt(OFFSET + 24, 0x0000_0A00, WIRE);
        slot.putInt(OFFSET + 28, 0x0001_0A00, WIRE);
        slot.putInt(OFFSET + 32, 0x0002_1E61, WIRE);
        slot.putInt(OFFSET + 36, 0x2328_0000 | (sizeBytes - 34), WIRE);
    }
}
