package io.weir.cli.traffic;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * The bytes of a stream that is sent as fast as its connection takes them: zeros that nobody looks at, or bytes that
 * are made, whose SHA-256 it takes. Belongs to the thread of the connection's loop.
 */
public final class StreamSource {
    /** Null for zeros. */
    private final PayloadMaker payload;
    /** Null for zeros. */
    private final Sha256 digest;

    private final byte[] chunk;
    private final UnsafeBuffer chunkBuffer;
    /** What of the chunk has been written, in bytes; a whole chunk at first, which has the next one made. */
    private int chunkAt;
    /** Where the chunk's bytes end: before it does once there are no more. */
    private int chunkEnd;
    /** Written in all; raised by write() alone. */
    private long writtenBytes;

    /**
     * Creates a source.
     *
     * @param chunkBytes how much is offered at once
     * @param payload where the bytes come from, or null for zeros
     */
    public StreamSource(int chunkBytes, PayloadMaker payload) {
        this.payload = payload;
        this.digest = payload == null ? null : new Sha256();
        this.chunk = new byte[chunkBytes];
        this.chunkBuffer = new UnsafeBuffer(chunk);
        this.chunkAt = chunkBytes;
        this.chunkEnd = chunkBytes;
    }

    /** Writes the next bytes, as far as there is room for them, and not more than {@code bytesMax}. */
    public void write(ByteSink sink, long bytesMax) {
        long leftBytes = bytesMax;
        int offered = 0;
        int taken = 0;
        while (leftBytes > 0 && taken == offered) {
            if (chunkAt == chunkEnd) {
                if (isAtEnd()) {
                    return;
                }
                nextChunk();
            }
            offered = (int) Math.min(leftBytes, chunkEnd - chunkAt);
            taken = sink.write(chunkBuffer, chunkAt, offered);
            if (digest != null) {
                digest.update(chunk, chunkAt, taken);
            }
            chunkAt += taken;
            leftBytes -= taken;
            writtenBytes += taken;
        }
    }

    private void nextChunk() {
        if (payload != null) {
            chunkEnd = payload.next(chunk, 0, chunk.length);
        }
        chunkAt = 0;
    }

    /** {@return whether the connection has taken all bytes that there are} */
    public boolean isAtEnd() {
        return chunkEnd < chunk.length && chunkAt == chunkEnd;
    }

    /** {@return bytes that the connection has taken} */
    public long writtenBytes() {
        return writtenBytes;
    }

    /** {@return the SHA-256 of the bytes that the connection has taken, in hexadecimal digits, or null of zeros} */
    public String sha256() {
        return digest == null ? null : digest.text();
    }
}
