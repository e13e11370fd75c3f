package io.weir.nic.net;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** One rtnetlink message as received: its fixed body and its attributes by type. */
final class NetlinkMessage {
    private static final int ATTRIBUTE_HEADER_BYTES = 4;
    /** The two upper bits of an attribute's type are flags (nested, network byte order). */
    private static final int TYPE_MASK = 0x3FFF;

    private final ByteBuffer body;
    private final Map<Integer, byte[]> attributes;

    /** Reads the message whose bytes after the header are {@code payload}; the fixed body takes {@code bodyBytes}. */
    NetlinkMessage(byte[] payload, int bodyBytes) {
        body = ByteBuffer.wrap(payload).order(ByteOrder.nativeOrder());
        attributes = attributes(payload, bodyBytes);
    }

    int bodyByte(int offset) {
        return body.get(offset) & 0xFF;
    }

    int bodyShort(int offset) {
        return body.getShort(offset) & 0xFFFF;
    }

    int bodyInt(int offset) {
        return body.getInt(offset);
    }

    /** {@return the attribute's bytes, or null when the message has none of the type} */
    byte[] attribute(int type) {
        return attributes.get(type);
    }

    /** {@return the attribute as a number, or {@code absent} when the message has none of the type} */
    int attributeInt(int type, int absent) {
        byte[] value = attributes.get(type);
        return value == null || value.length < Integer.BYTES ? absent : intAt(value);
    }

    /** {@return the attribute as text, or empty when the message has none of the type} */
    String attributeText(int type) {
        return text(attributes.get(type));
    }

    /** {@return the attributes inside the attribute of {@code type}, empty when there is none} */
    Map<Integer, byte[]> nested(int type) {
        return nested(attributes, type);
    }

    /** {@return the attributes inside the one of {@code type} among {@code outer}, empty when there is none} */
    static Map<Integer, byte[]> nested(Map<Integer, byte[]> outer, int type) {
        byte[] value = outer.get(type);
        return value == null ? Collections.emptyMap() : attributes(value, 0);
    }

    /** {@return an attribute's bytes as text, empty for null} */
    static String text(byte[] value) {
        if (value == null || value.length == 0) {
            return "";
        }
        int length = value[value.length - 1] == 0 ? value.length - 1 : value.length;
        return new String(value, 0, length, StandardCharsets.UTF_8);
    }

    static int intAt(byte[] value) {
        return ByteBuffer.wrap(value).order(ByteOrder.nativeOrder()).getInt();
    }

    static int shortAt(byte[] value) {
        return ByteBuffer.wrap(value).order(ByteOrder.nativeOrder()).getShort() & 0xFFFF;
    }

    private static Map<Integer, byte[]> attributes(byte[] bytes, int start) {
        Map<Integer, byte[]> found = new HashMap<>();
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        int offset = start;
        while (offset + ATTRIBUTE_HEADER_BYTES <= bytes.length) {
            int length = buffer.getShort(offset) & 0xFFFF;
            if (length < ATTRIBUTE_HEADER_BYTES || offset + length > bytes.length) {
                break;
            }
            byte[] value = new byte[length - ATTRIBUTE_HEADER_BYTES];
            buffer.get(offset + ATTRIBUTE_HEADER_BYTES, value);
            found.put(buffer.getShort(offset + 2) & TYPE_MASK, value);
            offset += (length + 3) & ~3;
        }
        return found;
    }
}
