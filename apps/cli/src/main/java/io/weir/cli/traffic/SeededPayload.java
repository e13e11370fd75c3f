package io.weir.cli.traffic;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The bytes of one stream, made from a seed: the same for the same seed and stream, however they are asked for. */
public final class SeededPayload implements PayloadMaker {
    private static final int BLOCK_BYTES = 8_192;
    private static final long GAMMA = 0x9E37_79B9_7F4A_7C15L;

    private final byte[] block = new byte[BLOCK_BYTES];
    private final ByteBuffer words = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    private long state;
    private int at = BLOCK_BYTES;

    public SeededPayload(long seed, int stream) {
        state = mixed(seed + GAMMA * (stream + 1L));
    }

    /** {@return {@code length}: there is no end} */
    @Override
    public int next(byte[] target, int offset, int length) {
        int done = 0;
        while (done < length) {
            if (at == BLOCK_BYTES) {
                makeBlock();
            }
            int count = Math.min(length - done, BLOCK_BYTES - at);
            System.arraycopy(block, at, target, offset + done, count);
            at += count;
            done += count;
        }
        return length;
    }

    private void makeBlock() {
        for (int i = 0; i < BLOCK_BYTES; i += Long.BYTES) {
            state += GAMMA;
            words.putLong(i, mixed(state));
        }
        at = 0;
    }

    /** The finisher of SplitMix64: every bit of the input moves every bit of the output. */
    private static long mixed(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return z ^ (z >>> 31);
    }
}
