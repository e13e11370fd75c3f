package io.weir.transport.scenario.run;

import io.weir.transport.host.AckObserver;
import io.weir.transport.host.Connection;
import io.weir.transport.protocol.AckSample;
import io.weir.transport.scenario.result.Series;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.LongArrayList;

/**
 * Writes down what one flow's sender knew: its window interval by interval, and window by window what acknowledgements
 * told it.
 */
final class WindowObserver implements AckObserver {
    private final long warmUpNanos;
    private final LongArrayList windowBytes = new LongArrayList();
    private final List<Series.Round> rounds = new ArrayList<>();
    /** The sender's, null until it is established. */
    private Connection connection;
    /** The shortest round trip so far, 0 before the first. */
    private long baseRttNanos;
    /** The packet number sent last when this round began; its acknowledgement ends the round. */
    private long roundEndPacketNumber;
    // This round's acknowledgements: when the frames that they answer left, frames that arrived, marked ones, and the
    // sum of the round trips, one for each of the times. endRound begins again.
    private List<Long> sentNanos = new ArrayList<>();
    private long frames;
    private long markedFrames;
    private long rttSumNanos;

    WindowObserver(long warmUpNanos) {
        this.warmUpNanos = warmUpNanos;
    }

    void begin(Connection established) {
        connection = established;
        established.observe(this);
    }

    @Override
    public void onAck(AckSample ack, long nowNanos) {
        frames += ack.arrivedFrames();
        markedFrames += ack.markedFrames();
        if (ack.rttNanos() > 0) {
            baseRttNanos = baseRttNanos == 0 ? ack.rttNanos() : Math.min(baseRttNanos, ack.rttNanos());
            rttSumNanos += ack.rttNanos();
            // All hosts' clocks are the world's.
            int agoNanos = (int) nowNanos - ack.t1();
            sentNanos.add(nowNanos - agoNanos);
        }
        if (ack.ackedPacketNumber() > roundEndPacketNumber) {
            roundEndPacketNumber = ack.sentPacketNumber();
            endRound();
        }
    }

    private void endRound() {
        if (!sentNanos.isEmpty() && sentNanos.get(0) >= warmUpNanos) {
            double rttNanos = (double) rttSumNanos / sentNanos.size();
            rounds.add(new Series.Round(sentNanos, frames, markedFrames, rttNanos));
            sentNanos = new ArrayList<>();
        }
        sentNanos.clear();
        frames = 0;
        markedFrames = 0;
        rttSumNanos = 0;
    }

    void sample() {
        windowBytes.addLong(connection == null ? 0 : connection.congestionWindowBytes());
    }

    Series.FlowWindows result(String id) {
        return new Series.FlowWindows(
                id, baseRttNanos, windowBytes.longStream().boxed().toList(), List.copyOf(rounds));
    }
}
