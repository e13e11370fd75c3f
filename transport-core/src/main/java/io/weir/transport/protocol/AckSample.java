package io.weir.transport.protocol;

/**
 * What an acknowledgement told a flow's sender: one object a flow, filled again for each. Bytes are payload.
 *
 * <p>What has arrived or was lost is known with the order of frames, so that of frames that came out of order the news
 * may be a few frames late.
 */
public final class AckSample {
    // Filled for each acknowledgement by StreamSender, with begin() first; units and meaning are with the accessors.
    // The protocol and an observer read it until their call returns, and nobody keeps it.
    private long arrivedBytes;
    private int arrivedFrames;
    private long lostBytes;
    private long lostPacketNumber;
    private long ackedPacketNumber;
    private long sentPacketNumber;
    private long inFlightBytesBefore;
    private long inFlightBytes;
    private long markedFrames;
    private long rttNanos;
    private long slackNanos;
    private int t1;
    private int t2;
    private int t3;
    private long t4Nanos;
    private boolean hasTimes;
    private int coveredFrames;
    private int window;
    private int marks;

    /** Begins again, with what was in flight before. */
    public AckSample begin(long bytesInFlight, long latestPacketNumber) {
        inFlightBytesBefore = bytesInFlight;
        sentPacketNumber = latestPacketNumber;
        rttNanos = 0;
        slackNanos = 0;
        hasTimes = false;
        coveredFrames = 1;
        return this;
    }

    /** Sets which frames have arrived, and what is in flight still. */
    public AckSample arrived(long bytes, int frames, long largestPacketNumber, long bytesInFlight) {
        arrivedBytes = bytes;
        arrivedFrames = frames;
        ackedPacketNumber = largestPacketNumber;
        inFlightBytes = bytesInFlight;
        return this;
    }

    /** Sets which frames were found lost. */
    public AckSample lost(long bytes, long largestPacketNumber) {
        lostBytes = bytes;
        lostPacketNumber = largestPacketNumber;
        return this;
    }

    /** Gives the time stamps and the round-trip time that follows from them, 0 if none does. */
    public AckSample times(int sentStamp, int receivedStamp, int repliedStamp, long roundTripNanos) {
        t1 = sentStamp;
        t2 = receivedStamp;
        t3 = repliedStamp;
        rttNanos = roundTripNanos;
        hasTimes = true;
        return this;
    }

    /**
     * Sets how much later than {@code t1} the data frame may have left, because its own host took so long to hand it
     * over.
     */
    public AckSample slack(long nanos) {
        slackNanos = nanos;
        return this;
    }

    /**
     * Sets how many frames came since the acknowledgement before, by the receiver's count: the stamps are those of the
     * latest.
     */
    public AckSample covering(int frames) {
        coveredFrames = frames;
        return this;
    }

    /** Sets when the acknowledgement came, as near to the wire as its port can tell. */
    public AckSample heard(long arrivedNanos) {
        t4Nanos = arrivedNanos;
        return this;
    }

    /** Gives what switches had to say. */
    public AckSample signals(long newMarkedFrames, int windowField, int markBits) {
        markedFrames = newMarkedFrames;
        window = windowField;
        marks = markBits;
        return this;
    }

    /** {@return bytes that have arrived since the acknowledgement before} */
    public long arrivedBytes() {
        return arrivedBytes;
    }

    /** {@return frames that have arrived since the acknowledgement before} */
    public int arrivedFrames() {
        return arrivedFrames;
    }

    /** {@return bytes found lost now} */
    public long lostBytes() {
        return lostBytes;
    }

    /** {@return the largest packet number of the frames found lost now} */
    public long lostPacketNumber() {
        return lostPacketNumber;
    }

    /** {@return the largest packet number that has arrived} */
    public long ackedPacketNumber() {
        return ackedPacketNumber;
    }

    /** {@return the packet number sent last} */
    public long sentPacketNumber() {
        return sentPacketNumber;
    }

    /** {@return bytes that were in flight when the acknowledgement came} */
    public long inFlightBytesBefore() {
        return inFlightBytesBefore;
    }

    /** {@return bytes that are in flight still} */
    public long inFlightBytes() {
        return inFlightBytes;
    }

    /** {@return frames that came marked Congestion Experienced since the acknowledgement before} */
    public long markedFrames() {
        return markedFrames;
    }

    /**
     * {@return the time from the departure of the latest data frame to the acknowledgement's arrival, less its
     * receiver's turnaround; 0 when not known} It is the most that it can have been: see {@link #slackNanos}.
     */
    public long rttNanos() {
        return rttNanos;
    }

    /**
     * {@return how much of {@link #rttNanos}, and of {@code t2 - t1}, may have passed in this host: its loop reads its
     * clock, and hands frames over some time later} 0 in virtual time, and where the device tells when frames left.
     */
    public long slackNanos() {
        return slackNanos;
    }

    /**
     * {@return the least that the round trip can have been, without {@link #slackNanos}; 0 when no round trip is
     * known}
     */
    public long rttNanosMin() {
        return rttNanos == 0 ? 0 : Math.max(1, rttNanos - slackNanos);
    }

    /** {@return whether {@link #t1}, {@link #t2}, {@link #t3} and {@link #t4Nanos} are there} */
    public boolean hasTimes() {
        return hasTimes;
    }

    /** {@return for how many frames the stamps stand, as the receiver says} */
    public int coveredFrames() {
        return coveredFrames;
    }

    /** {@return the low 32 bits of this host's clock when the data frame left} */
    public int t1() {
        return t1;
    }

    /** {@return the low 32 bits of the receiver's clock when it came} */
    public int t2() {
        return t2;
    }

    /** {@return the low 32 bits of the receiver's clock when the acknowledgement left} */
    public int t3() {
        return t3;
    }

    /**
     * {@return this host's clock when the acknowledgement came: calibrated, so that it may differ a little from the
     * poll's time}
     */
    public long t4Nanos() {
        return t4Nanos;
    }

    /** {@return the window field, which switches may have set} */
    public int window() {
        return window;
    }

    /** {@return the marks, see {@code Marks}} */
    public int marks() {
        return marks;
    }
}
