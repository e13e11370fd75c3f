package io.weir.bench.path;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.wire.Crc32c;
import io.weir.transport.wire.InternetChecksum;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What no stack that checks its bytes goes below: at both ends a copy, a CRC32C and a checksum of each frame's payload.
 * The link in memory, which copies in and out as a port in copy mode does, comes on top.
 */
final class Floor {
    static final int PAYLOAD_BYTES = 1424;

    private static final int SLOTS = 256;
    private static final int SLOT_BYTES = 2048;
    private static final int ENDS = 2;

    private final FramePool pool = new FramePool(SLOTS, SLOT_BYTES);
    private final Frame[] frames = new Frame[SLOTS];
    private final UnsafeBuffer source = new UnsafeBuffer(new byte[PAYLOAD_BYTES]);
    private final Crc32c crc = new Crc32c();

    Floor() {
        Arrays.setAll(frames, i -> pool.allocate());
    }

    /** {@return a number that depends on all of the work, so that none of it can be left out} */
    long run(int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            UnsafeBuffer frame = frames[i & (SLOTS - 1)].buffer();
            for (int end = 0; end < ENDS; end++) {
                frame.putBytes(0, source, 0, PAYLOAD_BYTES);
                sum += crc.reset().add(frame, 0, PAYLOAD_BYTES).value();
                sum = InternetChecksum.add(sum, frame, 0, PAYLOAD_BYTES);
            }
        }
        return sum;
    }
}
