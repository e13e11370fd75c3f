package io.weir.transport.frame;

import java.util.Objects;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One Ethernet frame in a slot of a {@link FramePool}: the bytes from the destination address to the end of the
 * payload, without preamble and check sequence, at {@link #offset()} of the slot's {@link #buffer()}.
 *
 * <p>A frame has one owner. {@code onX(frame)} takes it, {@code pollX()} gives it; a method that only looks at it says
 * so. Frames are made once, with their pool; nothing here allocates.
 */
public final class Frame {
    /** Preamble, start delimiter and inter-packet gap (20 B) and the check sequence (4 B): on a link, not in memory. */
    public static final int LINK_OVERHEAD_BYTES = 24;

    /**
     * The shortest frame in memory: Ethernet's 64 bytes without the check sequence. Shorter ones are padded on a link.
     */
    public static final int LENGTH_BYTES_MIN = 60;

    /** The ticket of a frame about whose departure nobody asks. */
    public static final long NO_TICKET = 0;

    private static final long NO_STAMP = Long.MIN_VALUE;

    private final FramePool pool;
    private final UnsafeBuffer buffer;
    private final int index;

    /**
     * Who has the frame, as the ordinal of a {@link FrameOwner}: a reference would tell the garbage collector of each
     * change. Changed by {@link #transfer} alone.
     */
    private int owner = FrameOwner.FREE.ordinal();
    /** Whether it was last allocated to be received into; the pool's. */
    private boolean toFill;

    // Where the frame lies in its slot, in bytes; written by setExtent: 0 <= offset, offset + length <= the slot's
    // bytes.
    private int offset;
    private int length;
    /** Bytes on the link behind {@link #length} that no memory holds; written by setElidedBytes, 0 on real ports. */
    private int elidedBytes;
    /** Bytes on the link with padding and all framing; set with the extent: wireBytes(length + elidedBytes). */
    private int wireBytes;
    /** The index of the port that it came in by; written by the Node that took it. */
    private int ingressPort;
    /** A time of the queue that holds the frame; written before each enqueue, meaningless in no queue. */
    private long readyNanos;
    /** When the port says that it came, or NO_STAMP; written by a port before it hands the frame over. */
    private long stampNanos = NO_STAMP;
    /** Whether the port's device found the UDP checksum right; written by a port before it hands the frame over. */
    private boolean isUdpChecked;
    /** The Node's number for news of the departure, or NO_TICKET; written by the Node before the frame leaves. */
    private long ticket = NO_TICKET;
    /** The frame behind it in the one queue that holds it; written by {@link FrameQueue} and the pool, else null. */
    private Frame next;

    Frame(FramePool pool, UnsafeBuffer buffer, int index) {
        this.pool = pool;
        this.buffer = buffer;
        this.index = index;
    }

    /** {@return what {@code lengthBytes} in memory occupy on a link: padded to the minimum, with all framing} */
    public static int wireBytes(int lengthBytes) {
        return Math.max(lengthBytes, LENGTH_BYTES_MIN) + LINK_OVERHEAD_BYTES;
    }

    /** {@return the slot's memory, bounded to the slot} */
    public UnsafeBuffer buffer() {
        return buffer;
    }

    /** {@return the slot's number in its pool} */
    public int index() {
        return index;
    }

    /** {@return the pool that the frame returns to} */
    public FramePool pool() {
        return pool;
    }

    /** {@return where in the slot the frame begins} */
    public int offset() {
        return offset;
    }

    /** {@return the frame's length in memory} */
    public int length() {
        return length;
    }

    /**
     * {@return bytes at the frame's end that are on the link and not in memory: payload that a simulation does not
     * carry}
     */
    public int elidedBytes() {
        return elidedBytes;
    }

    /** Sets how many bytes of the frame are not in memory. */
    public void setElidedBytes(int bytes) {
        elidedBytes = bytes;
        wireBytes = wireBytes(length + bytes);
    }

    /** {@return the whole frame's length, in memory or not} */
    public int frameBytes() {
        return length + elidedBytes;
    }

    /** {@return what the frame occupies on a link} */
    public int wireBytes() {
        return wireBytes;
    }

    /** Says where in the slot the frame lies. The owner's right alone. */
    public void setExtent(int newOffset, int newLength) {
        // What reads and writes headers relies on this alone.
        Objects.checkFromIndexSize(newOffset, newLength, pool.frameCapacityBytes());
        offset = newOffset;
        length = newLength;
        wireBytes = wireBytes(newLength + elidedBytes);
    }

    /** {@return the port by which the frame came into the Node that holds it} */
    public int ingressPort() {
        return ingressPort;
    }

    /** Notes the port by which the frame came in. */
    public void setIngressPort(int portIndex) {
        ingressPort = portIndex;
    }

    /** {@return a time that belongs to the queue which holds the frame: when it came, or when it may go on} */
    public long readyNanos() {
        return readyNanos;
    }

    /** Notes the time that belongs to the queue which is about to hold the frame. */
    public void setReadyNanos(long nanos) {
        readyNanos = nanos;
    }

    /**
     * {@return when the frame came by its port, as the port knows it, or {@code otherwiseNanos} if the port does not
     * say}
     */
    public long stampNanos(long otherwiseNanos) {
        return stampNanos == NO_STAMP ? otherwiseNanos : stampNanos;
    }

    /** Notes when the frame came, by the driver's clock: a port that knows better than the time of the poll says so. */
    public void setStampNanos(long nanos) {
        stampNanos = nanos;
    }

    /** {@return the ticket that identifies this frame in onDeparted, or {@link #NO_TICKET}} */
    public long ticket() {
        return ticket;
    }

    /** Sets the ticket under which the Node is told when the frame left, if the port's device reports that. */
    public void setTicket(long value) {
        ticket = value;
    }

    boolean isToFill() {
        return toFill;
    }

    void setToFill(boolean isToFill) {
        toFill = isToFill;
    }

    /** {@return whether the device that received the frame found its UDP checksum right} */
    public boolean isUdpChecked() {
        return isUdpChecked;
    }

    /** Says that the device which received the frame found its UDP checksum right. */
    public void setUdpChecked() {
        isUdpChecked = true;
    }

    /** Forgets what the frame was. */
    void clear() {
        offset = 0;
        length = 0;
        ingressPort = 0;
        clearMarks();
    }

    /** Forgets all but where the frame lies. */
    void clearMarks() {
        elidedBytes = 0;
        wireBytes = wireBytes(length);
        stampNanos = NO_STAMP;
        isUdpChecked = false;
        ticket = NO_TICKET;
    }

    /** {@return who has the frame} */
    public FrameOwner owner() {
        return FrameOwner.of(owner);
    }

    /** Hands the frame from one owner to another. */
    public void transfer(FrameOwner from, FrameOwner to) {
        if (owner != from.ordinal()) {
            throw new IllegalStateException("frame " + index + " belongs to " + owner() + ", not to " + from);
        }
        owner = to.ordinal();
    }

    /** Returns the frame, held by a Node until now, to its pool. */
    public void release() {
        pool.release(this, FrameOwner.HELD);
    }

    Frame next() {
        return next;
    }

    void setNext(Frame frame) {
        next = frame;
    }
}
