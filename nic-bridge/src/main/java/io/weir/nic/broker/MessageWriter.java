package io.weir.nic.broker;

import io.weir.transport.wire.IpAddress;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes one message. What does not fit is cut: texts are made for people, and lists are split by their writers. */
final class MessageWriter {
    /** In the heap: it is copied to where the kernel reads it when it is sent. */
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[UnixSocket.MESSAGE_BYTES_MAX]);

    private int lengthBytes;

    MessageWriter(MessageKind kind) {
        putInt(kind.ordinal());
    }

    MessageWriter putInt(int value) {
        if (hasRoom(Integer.BYTES)) {
            buffer.putInt(lengthBytes, value);
            lengthBytes += Integer.BYTES;
        }
        return this;
    }

    MessageWriter putLong(long value) {
        if (hasRoom(Long.BYTES)) {
            buffer.putLong(lengthBytes, value);
            lengthBytes += Long.BYTES;
        }
        return this;
    }

    MessageWriter putText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int count = Math.min(bytes.length, Math.max(0, buffer.capacity() - lengthBytes - Integer.BYTES));
        putInt(count);
        buffer.putBytes(lengthBytes, bytes, 0, count);
        lengthBytes += count;
        return this;
    }

    MessageWriter putAddress(IpAddress address) {
        return putInt(address.isV6() ? 1 : 0).putLong(address.high()).putLong(address.low());
    }

    private boolean hasRoom(int bytes) {
        return lengthBytes + bytes <= buffer.capacity();
    }

    UnsafeBuffer buffer() {
        return buffer;
    }

    int lengthBytes() {
        return lengthBytes;
    }
}
