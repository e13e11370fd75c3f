package io.weir.transport.flow;

import java.util.Arrays;

/**
 * Which sent bytes are lost: the frames in flight in the order of their packet numbers, what of the stream has been
 * acknowledged selectively, and what must be retransmitted.
 *
 * <p>A frame is lost when one with a packet number at least {@link #REORDER_FRAMES} higher has arrived and it has not
 * (the packet threshold of RFC 9002, section 6.1.1), when one sent after a time-out has arrived and it was sent before,
 * or when all are given up. A retransmission has its own packet number, so the same rule finds it lost again.
 * Offsets count the end of the stream as one more byte.
 *
 * <p>Amortized O(1) per frame. Arrays double until {@code framesMax}; afterwards nothing allocates.
 */
public final class LossRecovery {
    /** How far behind the largest packet number received a frame may be before it counts as lost. */
    public static final int REORDER_FRAMES = 3;

    private static final int FRAMES_AT_FIRST = 64;

    private final int framesMax;
    private final RangeSet acked;
    private final RangeSet lost;
    // The frames in flight, oldest first, as rings of one length, a power of two: slot i has the frame's packet number
    // and the stream bytes [start, end) that it carried. onSent adds, onAck and onTimeout take away; packet numbers
    // rise along the ring.
    private long[] packetNumbers = new long[FRAMES_AT_FIRST];
    private long[] starts = new long[FRAMES_AT_FIRST];
    private long[] ends = new long[FRAMES_AT_FIRST];
    /** The slot of the oldest frame in flight; moved by onAck. */
    private int head;
    /** Frames in flight, at most framesMax; raised by onSent, lowered by onAck, cleared by onTimeout. */
    private int count;
    /** The stream bytes below it have all arrived; written by onAck, never falls. */
    private long ackedOffset;
    /** The largest packet number that has arrived, -1 before the first; written by onAck, never falls. */
    private long largestPacketNumber = -1;
    /** Stream bytes of the frames in the ring, retransmitted ones counted each time; onSent adds, onAck subtracts. */
    private long inFlightBytes;
    // What the latest onAck has found, in bytes and frames, for the caller to read; each onAck begins again from 0.
    private long arrivedBytes;
    private int arrivedFrames;
    private long arrivedBytesMax;
    private long lostBytes;
    /** The largest packet number ever found lost, 0 before the first; written by onAck. */
    private long lostPacketNumber;
    /** The largest packet number sent before the latest {@link #probe}, -1 before the first; never falls. */
    private long probedPacketNumber = -1;

    /** Creates an empty record of at most {@code framesMax} frames in flight, with at most {@code gapsMax} gaps. */
    public LossRecovery(int framesMax, int gapsMax) {
        this.framesMax = framesMax;
        this.acked = new RangeSet(gapsMax);
        this.lost = new RangeSet(gapsMax);
    }

    /** {@return whether one more frame may be in flight} */
    public boolean hasRoom() {
        return count < framesMax;
    }

    /** Notes that a frame with bytes [start, end) has left. */
    public void onSent(long packetNumber, long start, long end) {
        if (count == packetNumbers.length) {
            grow();
        }
        int slot = (head + count++) & (packetNumbers.length - 1);
        packetNumbers[slot] = packetNumber;
        starts[slot] = start;
        ends[slot] = end;
        inFlightBytes += end - start;
        lost.remove(start, end);
    }

    /** Notes that [start, end) has arrived, beyond the cumulative acknowledgement. */
    public void onRange(long start, long end) {
        // A range too many is forgotten: its bytes will be acknowledged cumulatively, or sent twice.
        if (acked.add(start, end)) {
            lost.remove(start, end);
        }
    }

    /** Notes a cumulative acknowledgement, after its ranges, and finds what is lost. */
    public void onAck(long offset, long largest) {
        ackedOffset = Math.max(ackedOffset, offset);
        largestPacketNumber = Math.max(largestPacketNumber, largest);
        acked.removeBelow(ackedOffset);
        lost.removeBelow(ackedOffset);
        arrivedBytes = 0;
        arrivedFrames = 0;
        arrivedBytesMax = 0;
        lostBytes = 0;
        while (count > 0) {
            boolean arrived = ends[head] <= ackedOffset || acked.contains(starts[head], ends[head]);
            if (!arrived && !isOvertaken(packetNumbers[head])) {
                break;
            }
            settle(arrived);
            head = (head + 1) & (packetNumbers.length - 1);
            count--;
        }
    }

    private boolean isOvertaken(long packetNumber) {
        return packetNumber + REORDER_FRAMES <= largestPacketNumber
                || (packetNumber <= probedPacketNumber && largestPacketNumber > probedPacketNumber);
    }

    private void settle(boolean arrived) {
        long bytes = ends[head] - starts[head];
        inFlightBytes -= bytes;
        if (arrived) {
            arrivedBytes += bytes;
            arrivedFrames++;
            arrivedBytesMax = Math.max(arrivedBytesMax, bytes);
        } else {
            lostBytes += bytes;
            lostPacketNumber = packetNumbers[head];
            markLost(Math.max(starts[head], ackedOffset), ends[head]);
        }
    }

    /**
     * Nothing was heard for a time-out, which need not be a loss: [{@code from}, {@code end}) is retransmitted to ask.
     * All that is in flight stays there until the answer, which shows what was lost.
     */
    // = rfc9002 section 6.2: "A PTO timer expiration event does not indicate packet loss"
    public void probe(long from, long end) {
        if (count > 0) {
            probedPacketNumber = packetNumbers[(head + count - 1) & (packetNumbers.length - 1)];
        }
        markLost(Math.max(from, ackedOffset), end);
    }

    /** Gives up waiting: everything sent of [{@code from}, {@code sentOffset}) and not acknowledged counts as lost. */
    public void onTimeout(long from, long sentOffset) {
        count = 0;
        inFlightBytes = 0;
        markLost(Math.max(from, ackedOffset), sentOffset);
    }

    private void markLost(long start, long end) {
        long from = start;
        for (int i = 0; i < acked.size() && from < end; i++) {
            if (acked.end(i) > from && acked.start(i) < end) {
                lost.add(from, acked.start(i));
                from = acked.end(i);
            }
        }
        // Should the set be full, the retransmission timer finds the rest.
        lost.add(from, end);
    }

    /** {@return whether all of [start, end) is known to have arrived} */
    public boolean hasArrived(long start, long end) {
        return end <= ackedOffset || acked.contains(start, end);
    }

    /** {@return the ranges to retransmit} */
    public RangeSet lost() {
        return lost;
    }

    /** {@return bytes whose fate is not known} */
    public long inFlightBytes() {
        return inFlightBytes;
    }

    /** {@return bytes that the latest acknowledgement told the arrival of} */
    public long arrivedBytes() {
        return arrivedBytes;
    }

    /** {@return frames that it told the arrival of} */
    public int arrivedFrames() {
        return arrivedFrames;
    }

    /** {@return bytes of the longest of these frames, or 0} */
    public long arrivedBytesMax() {
        return arrivedBytesMax;
    }

    /** {@return bytes that it showed to be lost} */
    public long lostBytes() {
        return lostBytes;
    }

    /** {@return the largest packet number ever found lost} */
    public long lostPacketNumber() {
        return lostPacketNumber;
    }

    /** {@return the largest packet number that has arrived, or -1} */
    public long largestPacketNumber() {
        return largestPacketNumber;
    }

    /** {@return frames whose fate is not known} */
    public int framesInFlight() {
        return count;
    }

    /** {@return whether the fate of a frame of more than {@code bytes} is not known} O(frames in flight). */
    public boolean hasLonger(long bytes) {
        for (int i = 0; i < count; i++) {
            int slot = (head + i) & (packetNumbers.length - 1);
            if (ends[slot] - starts[slot] > bytes) {
                return true;
            }
        }
        return false;
    }

    /** Gives up room that only a busy stream needs. Does nothing while frames are in flight. */
    public void trim() {
        if (count == 0 && packetNumbers.length > FRAMES_AT_FIRST) {
            head = 0;
            packetNumbers = new long[FRAMES_AT_FIRST];
            starts = new long[FRAMES_AT_FIRST];
            ends = new long[FRAMES_AT_FIRST];
        }
    }

    private void grow() {
        int oldLength = packetNumbers.length;
        packetNumbers = unrolled(packetNumbers, oldLength);
        starts = unrolled(starts, oldLength);
        ends = unrolled(ends, oldLength);
        head = 0;
    }

    private long[] unrolled(long[] old, int oldLength) {
        long[] grown = Arrays.copyOfRange(old, head, head + oldLength * 2);
        System.arraycopy(old, 0, grown, oldLength - head, head);
        return grown;
    }
}
