package io.weir.transport.flow;

import org.agrona.BitUtil;

/**
 * When frames left, for a sender whose device tells only afterwards: by packet number, until the acknowledgement comes.
 *
 * <p>A frame bears the time at which it was handed over, and its acknowledgement brings that back. With the packet
 * number it finds the device's stamp here. The latest {@code framesMax} frames are remembered; O(1), no allocation
 * after construction.
 *
 * <p>Source: DX (section V-A): the stamp cannot be in the data packet when the hardware gives it, so that the sender
 * keeps it under the acknowledgement that it expects.
 */
public final class SentStamps {
    /** What is not known. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    private final int[] numbers;
    private final int[] bornStamps;
    private final long[] departuresNanos;
    private final int mask;

    /** Creates an empty memory for so many frames, rounded up to a power of two. */
    public SentStamps(int framesMax) {
        int capacity = BitUtil.findNextPositivePowerOfTwo(framesMax);
        numbers = new int[capacity];
        bornStamps = new int[capacity];
        departuresNanos = new long[capacity];
        mask = capacity - 1;
    }

    /** Notes that a frame is handed over which bears {@code bornStamp}. */
    public void onSent(long packetNumber, int bornStamp) {
        int slot = (int) packetNumber & mask;
        numbers[slot] = (int) packetNumber;
        bornStamps[slot] = bornStamp;
        departuresNanos[slot] = UNKNOWN;
    }

    /**
     * Notes when the frame with these low 32 bits of its packet number left; one that is forgotten already is left
     * alone.
     */
    public void onDeparted(int packetNumberLow, long nanos) {
        int slot = packetNumberLow & mask;
        if (numbers[slot] == packetNumberLow) {
            departuresNanos[slot] = nanos;
        }
    }

    /**
     * {@return when the frame left which an acknowledgement tells of, or {@link #UNKNOWN}} So it is when the frame is
     * forgotten, when the device has not told yet, and when the acknowledgement brings the stamp of a frame that came
     * out of order.
     */
    public long departureNanos(long packetNumber, int bornStamp) {
        int slot = (int) packetNumber & mask;
        boolean isIt = numbers[slot] == (int) packetNumber && bornStamps[slot] == bornStamp;
        return isIt ? departuresNanos[slot] : UNKNOWN;
    }
}
