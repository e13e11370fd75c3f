package io.weir.nic.net;

import io.weir.nic.ffi.NativeMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** One rtnetlink request being put together: header, body, attributes. */
final class NetlinkRequest {
    static final int NEW_NEIGHBOUR = 28;
    static final int DELETE_NEIGHBOUR = 29;
    static final int GET_LINK = 18;
    static final int GET_ADDRESS = 22;
    static final int GET_ROUTE = 26;
    static final int GET_NEIGHBOUR = 30;

    static final int HEADER_BYTES = 16;
    static final int FLAG_REQUEST = 1;
    static final int FLAG_ACKNOWLEDGE = 4;
    static final int FLAG_REPLACE = 0x100;
    static final int FLAG_DUMP = 0x300;
    static final int FLAG_CREATE = 0x400;

    private static final int CAPACITY_BYTES = 256;
    private static final int ATTRIBUTE_HEADER_BYTES = 4;

    private final UnsafeBuffer buffer = NativeMemory.allocate(CAPACITY_BYTES);
    private int lengthBytes;

    /** Begins a request of {@code type} whose fixed body has {@code bodyBytes}, all zero until set. */
    NetlinkRequest(int type, int flags, int bodyBytes) {
        buffer.putShort(4, (short) type);
        buffer.putShort(6, (short) (flags | FLAG_REQUEST));
        lengthBytes = HEADER_BYTES + bodyBytes;
    }

    /** Sets a byte of the body. */
    NetlinkRequest bodyByte(int offset, int value) {
        buffer.putByte(HEADER_BYTES + offset, (byte) value);
        return this;
    }

    /** Sets four bytes of the body. */
    NetlinkRequest bodyInt(int offset, int value) {
        buffer.putInt(HEADER_BYTES + offset, value);
        return this;
    }

    /** Appends an attribute. */
    NetlinkRequest attribute(int type, byte[] value) {
        int offset = BitUtil.align(lengthBytes, ATTRIBUTE_HEADER_BYTES);
        buffer.putShort(offset, (short) (ATTRIBUTE_HEADER_BYTES + value.length));
        buffer.putShort(offset + 2, (short) type);
        buffer.putBytes(offset + ATTRIBUTE_HEADER_BYTES, value);
        lengthBytes = offset + ATTRIBUTE_HEADER_BYTES + value.length;
        return this;
    }

    /** Appends an attribute that is a number. */
    NetlinkRequest attribute(int type, int value) {
        return attribute(
                type,
                ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .putInt(value)
                        .array());
    }

    /** {@return whether the reply is a list of messages that ends with one that says so} */
    boolean isDump() {
        return (buffer.getShort(6) & FLAG_DUMP) == FLAG_DUMP;
    }

    UnsafeBuffer finish() {
        buffer.putInt(0, lengthBytes);
        return buffer;
    }

    int lengthBytes() {
        return lengthBytes;
    }
}
