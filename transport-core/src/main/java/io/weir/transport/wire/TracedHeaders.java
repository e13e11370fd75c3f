package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/** How much of a frame a trace keeps: its headers, and never a byte of payload. No allocation. */
public final class TracedHeaders {
    /** The most of a frame that is not Weir's, or not whole. */
    public static final int FOREIGN_BYTES_MAX = 64;

    private static final int DATA_CODE = FrameType.DATA.code();
    private static final int FIRST_OF_DATA = WeirHeader.VERSION << 4 | DATA_CODE;

    // Where secrets are in a Weir header: docs/WIRE.md.
    private static final int TAG_AT = 2;
    private static final int COOKIE_AT_OPEN = 28;
    private static final int COOKIE_AT_CHALLENGE = 14;
    private static final int TAG_AT_ACCEPT = 14;
    private static final int TOKEN_AT_ACCEPT = 34;

    private TracedHeaders() {}

    /**
     * {@return of how many bytes the headers of a frame are}
     *
     * @param buffer memory outside the heap
     * @param bytesMax the most that is wanted
     */
    public static int bytes(UnsafeBuffer buffer, int at, int length, int bytesMax) {
        int weirAt = weirAt(buffer, at, length);
        if (weirAt == 0 || length < weirAt + WeirHeader.PREFIX_BYTES) {
            return Math.min(length, FOREIGN_BYTES_MAX);
        }
        int first = Bytes.u8(buffer, at + weirAt);
        if (first != FIRST_OF_DATA) {
            boolean isWeir = first >>> 4 == WeirHeader.VERSION && FrameType.of(first) != null;
            return Math.min(length, isWeir ? bytesMax : FOREIGN_BYTES_MAX);
        }
        int headers = weirAt + DataHeader.BYTES;
        int flags = WeirHeader.flags(buffer, at + weirAt);
        if ((flags & (DataHeader.FLAG_ACK | DataHeader.FLAG_CREDIT)) != 0) {
            headers += riderBytes(buffer, at + weirAt, length - weirAt, flags);
        }
        return Math.min(Math.min(length, headers), bytesMax);
    }

    private static int riderBytes(UnsafeBuffer buffer, int dataAt, int available, int flags) {
        int bytes = (flags & DataHeader.FLAG_CREDIT) == 0 ? 0 : DataHeader.CREDIT_BYTES;
        if ((flags & DataHeader.FLAG_ACK) != 0) {
            boolean isWhole = available >= DataHeader.BYTES + AckHeader.RIDING_BYTES;
            int ranges = isWhole ? AckHeader.rangeCount(buffer, AckHeader.ridingAt(dataAt)) : 0;
            // A count beyond the limit is of a frame that is dropped; what follows it may be anything.
            bytes += AckHeader.ridingBytes(Math.min(ranges, AckHeader.RANGES_MAX));
        }
        return bytes;
    }

    /** {@return where a datagram's content begins in a frame, or 0 if it is not of UDP in plain IP} */
    static int weirAt(UnsafeBuffer buffer, int at, int length) {
        if (length < HeaderTemplate.BYTES_V4) {
            return 0;
        }
        int type = Ethernet.type(buffer, at);
        if (type == Ethernet.TYPE_IPV4) {
            return HeaderTemplate.BYTES_V4;
        }
        return type == Ethernet.TYPE_IPV6 && length >= HeaderTemplate.BYTES_V6 ? HeaderTemplate.BYTES_V6 : 0;
    }

    /** Writes zeros in place of tags, cookies and tokens: who knows them can forge frames of the connection. */
    public static void hideSecrets(UnsafeBuffer buffer, int at, int length) {
        int weirAt = weirAt(buffer, at, length);
        boolean isWeir = weirAt != 0
                && length >= weirAt + WeirHeader.PREFIX_BYTES
                && WeirHeader.version(buffer, at + weirAt) == WeirHeader.VERSION;
        FrameType type = isWeir ? WeirHeader.type(buffer, at + weirAt) : null;
        if (type == null) {
            return;
        }
        clear(buffer, at, length, weirAt + TAG_AT, Long.BYTES);
        switch (type) {
            case OPEN -> clear(buffer, at, length, weirAt + COOKIE_AT_OPEN, Cookie.BYTES);
            case CHALLENGE -> clear(buffer, at, length, weirAt + COOKIE_AT_CHALLENGE, Cookie.BYTES);
            case ACCEPT -> {
                clear(buffer, at, length, weirAt + TAG_AT_ACCEPT, Long.BYTES);
                clear(buffer, at, length, weirAt + TOKEN_AT_ACCEPT, Cookie.BYTES);
            }
            default -> {
                // It has the tag alone.
            }
        }
    }

    private static void clear(UnsafeBuffer buffer, int at, int length, int from, int bytes) {
        for (int i = from; i < Math.min(length, from + bytes); i++) {
            Bytes.put8(buffer, at + i, 0);
        }
    }
}
