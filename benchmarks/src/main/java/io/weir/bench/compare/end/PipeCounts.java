package io.weir.bench.compare.end;

import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;

/**
 * What one end of Weir has counted by now.
 *
 * @param frames frames received and sent
 * @param creditsSent credits for the other end's data
 * @param creditsUsed credits that sent this end's data
 * @param creditsExpired credits that this end got and could not use in time
 */
record PipeCounts(long frames, long creditsSent, long creditsUsed, long creditsExpired) {
    static PipeCounts of(Counters counters) {
        return new PipeCounts(
                counters.get(CounterId.FRAMES_RECEIVED) + counters.get(CounterId.FRAMES_SENT),
                counters.get(CounterId.CREDITS_SENT),
                counters.get(CounterId.CREDITS_USED),
                counters.get(CounterId.CREDITS_EXPIRED));
    }

    /** Reports what was counted since then: frames per message, credits per message of their direction. */
    void reportSince(PipeCounts before, long calls, EndOutput out) {
        out.value("framesPerMessage", (frames - before.frames) / (2.0 * calls));
        out.value("creditsSentPerMessage", (double) (creditsSent - before.creditsSent) / calls);
        out.value("creditsUsedPerMessage", (double) (creditsUsed - before.creditsUsed) / calls);
        out.value("creditsExpiredPerMessage", (double) (creditsExpired - before.creditsExpired) / calls);
    }
}
