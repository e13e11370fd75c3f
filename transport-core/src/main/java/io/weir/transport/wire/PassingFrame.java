package io.weir.transport.wire;

import io.weir.transport.frame.Frame;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A frame on its way, as a switch sees it: what it may read of the Weir header, and the fields that it may change.
 * Reused for every frame; it looks at the frame and owns nothing.
 *
 * <p>A change keeps the UDP checksum right by what was changed alone (RFC 1624): the payload is not read, and damage
 * that came before stays visible. A checksum of 0, which frames without their payload have, stays 0.
 */
public final class PassingFrame {
    private static final int IP = Ethernet.HEADER_BYTES;
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int UDP_BYTES = 8;
    private static final int CHECKSUM_BEFORE_WEIR = 2;
    private static final int FRAGMENT_BITS = 0x3FFF;
    private static final int NO_FIELDS = -1;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    // What lookAt() was given: the frame, its memory, where its Weir header and the window field begin in it (-1
    // without one), and its type or null. Good until the frame moves on.
    private Frame frame;
    private UnsafeBuffer buffer;
    private int weirAt;
    private int windowAt;
    private FrameType type;
    private final FlowFields flow = new FlowFields();

    /** {@return this, looking at {@code newFrame}} */
    public PassingFrame lookAt(Frame newFrame) {
        frame = newFrame;
        buffer = newFrame.buffer();
        weirAt = weirAt(newFrame);
        int available = newFrame.offset() + newFrame.length() - weirAt;
        type = weirAt > 0 && isVersion(available) ? WeirHeader.type(buffer, weirAt) : null;
        windowAt = NO_FIELDS;
        if (type == FrameType.DATA && available >= DataHeader.BYTES) {
            windowAt = weirAt + DataHeader.WINDOW;
        } else if (type == FrameType.ACK && available >= AckHeader.BYTES) {
            windowAt = weirAt + AckHeader.WINDOW;
        }
        return this;
    }

    private boolean isVersion(int available) {
        return available >= WeirHeader.PREFIX_BYTES && WeirHeader.version(buffer, weirAt) == WeirHeader.VERSION;
    }

    private static int weirAt(Frame frame) {
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset();
        if (frame.length() < HeaderTemplate.BYTES_V4) {
            return NO_FIELDS;
        }
        int etherType = Ethernet.type(buffer, at);
        if (etherType == Ethernet.TYPE_IPV4) {
            boolean isWholeUdp = Bytes.u8(buffer, at + IP) == 0x45
                    && Bytes.u8(buffer, at + IP + 9) == Datagram.PROTOCOL_UDP
                    && (Bytes.u16(buffer, at + IP + 6) & FRAGMENT_BITS) == 0;
            return isWholeUdp ? at + IP + IPV4_BYTES + UDP_BYTES : NO_FIELDS;
        }
        boolean isUdp = etherType == Ethernet.TYPE_IPV6
                && frame.length() >= HeaderTemplate.BYTES_V6
                && Bytes.u8(buffer, at + IP + 6) == Datagram.PROTOCOL_UDP;
        return isUdp ? at + IP + IPV6_BYTES + UDP_BYTES : NO_FIELDS;
    }

    /** {@return what the frame occupies on a link} */
    public int wireBytes() {
        return frame.wireBytes();
    }

    /** {@return its length without the link's framing, its payload included} */
    public int frameBytes() {
        return frame.frameBytes();
    }

    /**
     * {@return the connection that it belongs to: a number that is the same for both directions, and another for most
     * others}
     */
    public long connectionKey() {
        flow.read(buffer, frame.offset(), frame.length());
        return mixed(flow.source()) + mixed(flow.destination());
    }

    private static long mixed(long value) {
        long product = value * MULTIPLIER;
        return product ^ (product >>> 32);
    }

    /** {@return the type, or null for a frame that is not Weir's} */
    public FrameType type() {
        return type;
    }

    /** {@return whether it is data or an acknowledgement, with a window field and marks that a switch may change} */
    public boolean hasWindow() {
        return windowAt != NO_FIELDS;
    }

    /** {@return whether it is data} */
    public boolean isData() {
        return hasWindow() && type == FrameType.DATA;
    }

    /** {@return whether it is data that a credit permits} */
    public boolean isCredited() {
        return isData() && DataHeader.creditSequence(buffer, weirAt) != DataHeader.NO_CREDIT;
    }

    /** {@return whether it is data without payload} */
    public boolean isEmptyData() {
        return isData() && DataHeader.payloadBytes(buffer, weirAt) == 0;
    }

    /** {@return whether nothing follows it in its direction: the end of a stream, or of its connection} */
    public boolean isLast() {
        return type == FrameType.RESET || (isData() && (WeirHeader.flags(buffer, weirAt) & DataHeader.FLAG_FIN) != 0);
    }

    /** {@return the {@link Marks}, 0 where there are none} */
    public int marks() {
        return hasWindow() ? Bytes.u8(buffer, windowAt + 4) : 0;
    }

    /** {@return the window field of a frame that has one} */
    public int window() {
        return Bytes.i32(buffer, windowAt);
    }

    /** {@return the round-trip time that the sender of data knows, 0 for none} */
    public long roundTripNanos() {
        return isData() ? DataHeader.roundTripNanos(buffer, weirAt) : 0;
    }

    /** Changes the window field of a frame that has one. */
    public void setWindow(int window) {
        int before = Bytes.i32(buffer, windowAt);
        Bytes.put32(buffer, windowAt, window);
        updateChecksum(before >>> 16, window >>> 16);
        updateChecksum(before & 0xFFFF, window & 0xFFFF);
    }

    /** Changes the {@link Marks} of a frame that has them. */
    public void setMarks(int marks) {
        int before = Bytes.u16(buffer, windowAt + 4);
        Bytes.put8(buffer, windowAt + 4, marks);
        updateChecksum(before, Bytes.u16(buffer, windowAt + 4));
    }

    /**
     * Says in an opening or accepting frame that a meter stands on the path, so that each credit may grant one frame
     * only.
     */
    public void requireSingleFrames() {
        if (type == FrameType.OPEN) {
            clear(OpenHeader.CREDIT_FRAMES, OpenHeader.BYTES);
        } else if (type == FrameType.ACCEPT) {
            clear(AcceptHeader.CREDIT_FRAMES, AcceptHeader.BYTES);
        }
    }

    /** Makes the byte at the even offset {@code field} 0. */
    private void clear(int field, int headerBytes) {
        int at = weirAt + field;
        if (frame.offset() + frame.length() < weirAt + headerBytes || Bytes.u8(buffer, at) == 0) {
            return;
        }
        int before = Bytes.u16(buffer, at);
        Bytes.put8(buffer, at, 0);
        updateChecksum(before, Bytes.u16(buffer, at));
    }

    /** {@return whether the packet understands marks; then it is marked Congestion Experienced now} */
    public boolean markCongestion() {
        return EcnField.mark(frame);
    }

    private void updateChecksum(int before, int after) {
        int checksum = Bytes.u16(buffer, weirAt - CHECKSUM_BEFORE_WEIR);
        if (checksum != 0) {
            int updated = InternetChecksum.update16(checksum, before, after);
            // = rfc768 Fields: "If the computed checksum is zero, it is transmitted as all ones"
            Bytes.put16(buffer, weirAt - CHECKSUM_BEFORE_WEIR, updated == 0 ? 0xFFFF : updated);
        }
    }
}
