package io.weir.cli.perf;

import io.weir.cli.perf.carrier.LinkFigures;

/** What looks at a connection have shown. It belongs to the loop's thread. */
final class FiguresSeen {
    // What was counted when the measurement began, and what the latest look has shown.
    private LinkFigures base = LinkFigures.NONE;
    private LinkFigures last = LinkFigures.NONE;
    // Of the looks since then: how many knew a round-trip time, and the sums and extremes of what they have shown.
    private long rttCount;
    private long rttSumNanos;
    private long rttMinNanos;
    private long rttMaxNanos;
    private long windowMaxBytes;
    private long peerWindowMaxBytes;

    /** Notes what a look shows; one that shows nothing, after the connection's end, is passed over. */
    LinkFigures look(LinkFigures now) {
        if (now.equals(LinkFigures.NONE)) {
            return last;
        }
        last = now;
        windowMaxBytes = Math.max(windowMaxBytes, now.windowBytes());
        peerWindowMaxBytes = Math.max(peerWindowMaxBytes, now.peerWindowBytes());
        if (now.rttNanos() > 0) {
            rttMinNanos = rttCount == 0 ? now.rttNanos() : Math.min(rttMinNanos, now.rttNanos());
            rttMaxNanos = Math.max(rttMaxNanos, now.rttNanos());
            rttSumNanos += now.rttNanos();
            rttCount++;
        }
        return last;
    }

    /** Forgets all but the counts, which begin at these. */
    void restart(LinkFigures now) {
        base = now;
        last = now;
        rttCount = 0;
        rttSumNanos = 0;
        rttMinNanos = 0;
        rttMaxNanos = 0;
        windowMaxBytes = 0;
        peerWindowMaxBytes = 0;
    }

    /** {@return the latest round-trip time, 0 while none is known} */
    long rttNanos() {
        return last.rttNanos();
    }

    long rttMinNanos() {
        return rttMinNanos;
    }

    long rttMeanNanos() {
        return rttCount == 0 ? 0 : rttSumNanos / rttCount;
    }

    long rttMaxNanos() {
        return rttMaxNanos;
    }

    long peerWindowMaxBytes() {
        return peerWindowMaxBytes;
    }

    long windowMaxBytes() {
        return windowMaxBytes;
    }

    long retransmittedFrames() {
        return last.retransmittedFrames() - base.retransmittedFrames();
    }
}
