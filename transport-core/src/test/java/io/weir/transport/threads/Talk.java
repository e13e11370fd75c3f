package io.weir.transport.threads;

import io.weir.transport.socket.WeirSocket;
import java.nio.ByteBuffer;
import java.util.Random;

/** A conversation over one connection: a request, whose first bytes say which one it is, and a response. */
final class Talk {
    static final int HEADER_BYTES = Integer.BYTES;
    private static final int BYTES_MAX = 40_000;

    final int id;
    final int requestBytes;
    final int responseBytes;
    /** Whether request and response go at the same time, by two threads on each side. */
    final boolean isDuplex;
    /** Whether the server's side is a listener on its loop. */
    final boolean isByListener;
    /** Whether the client ends its direction before it reads. */
    final boolean isHalfClosed;
    // Null until there is one. The thread that has the turn, as everything here.
    WeirSocket near;
    WeirSocket far;
    /** Whether somebody has interfered, so that it need not end well. */
    boolean isDisturbed;
    /** Whether the server's side has ended. */
    boolean isServed;

    Talk(int id, Random random) {
        this.id = id;
        requestBytes = HEADER_BYTES + size(random);
        responseBytes = size(random);
        int kind = random.nextInt(4);
        isDuplex = kind == 1;
        isByListener = kind == 2;
        isHalfClosed = random.nextBoolean();
    }

    private static int size(Random random) {
        return random.nextInt(random.nextInt(3) == 0 ? BYTES_MAX : 500);
    }

    /** {@return the bytes of a direction from an offset on, at most so many} */
    ByteBuffer bytes(boolean isRequest, int offset, int countMax) {
        int total = isRequest ? requestBytes : responseBytes;
        byte[] bytes = new byte[Math.min(countMax, total - offset)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = octet(isRequest, offset + i);
        }
        return ByteBuffer.wrap(bytes);
    }

    byte octet(boolean isRequest, int offset) {
        if (isRequest && offset < HEADER_BYTES) {
            return (byte) (id >>> (8 * (HEADER_BYTES - 1 - offset)));
        }
        return (byte) (id * 31 + (isRequest ? 17 : 0) + offset * 7 + (offset >> 8) * 13);
    }

    @Override
    public String toString() {
        return "talk " + id + " (" + requestBytes + " and " + responseBytes + " bytes"
                + (isDuplex ? ", both at once" : "") + (isByListener ? ", by a listener" : "")
                + (isDisturbed ? ", disturbed" : "") + ")";
    }
}
