package io.weir.transport.protocol.reactive;

import io.weir.transport.protocol.AckSample;

/**
 * The congestion window of DCTCP: grows as Reno's, and gives up half of the marked share once for each window of data
 * in which switches have marked anything. One instance per flow; O(1); no allocation.
 *
 * <p>Source: RFC 8257 section 3.3 to 3.5.
 */
public final class DctcpWindow {
    private final RenoWindow window;
    private final MarkedShare share;
    private long cutPacketNumber;

    /** Creates the law of a flow that has sent nothing. */
    public DctcpWindow(RenoWindow window, MarkedShare share) {
        this.window = window;
        this.share = share;
    }

    /** Counts marks; for each acknowledgement, also while a loss is being repaired (section 3.5: alpha goes on). */
    public void observe(AckSample ack) {
        share.onAck(ack);
    }

    /** An acknowledgement came, and no loss is being repaired. */
    public void onAck(AckSample ack, boolean isLimited) {
        // = rfc3168 section 6.1.2: a marked acknowledgement does not make the window grow
        if (ack.markedFrames() == 0) {
            if (isLimited) {
                window.grow(ack.arrivedBytes());
            }
            return;
        }
        // = rfc8257 section 3.3: "does not react to congestion indications more than once for every window of data"
        if (ack.ackedPacketNumber() > cutPacketNumber) {
            cutPacketNumber = ack.sentPacketNumber();
            // = rfc8257 section 3.3 step 9: "cwnd = cwnd * (1 - DCTCP.Alpha / 2)"
            window.reduceTo(window.windowBytes() - share.of(window.windowBytes()) / 2);
        }
    }

    /** Frames were lost: as any TCP (section 3.5). */
    public void onLoss(long inFlightBytes) {
        window.reduceTo(inFlightBytes / 2);
    }

    /** Nothing was heard for a retransmission time-out: as any TCP (section 3.5). */
    public void onRetransmissionTimeout(long inFlightBytes) {
        window.restart(inFlightBytes / 2);
    }

    /** {@return payload bytes that may be in flight} */
    public long windowBytes() {
        return window.windowBytes();
    }

    /** {@return the estimate of the marked share, DCTCP.Alpha} */
    public MarkedShare share() {
        return share;
    }
}
