package io.weir.transport.protocol.peers;

import io.weir.transport.protocol.AckSample;
import io.weir.transport.protocol.Exponentiation;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.Parameter;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.reactive.CongestionControl;
import io.weir.transport.protocol.reactive.Reactive;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Marks;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * DCQCN's reaction point: cuts its rate at a notification, and raises it by a timer and by a counter of bytes. One
 * instance per flow; O(1).
 *
 * <p>Source: Zhu and others, "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3.
 * Deviations: there is no priority flow control beneath it, so that frames can be lost, and a time-out counts as a
 * notification.
 */
public final class Dcqcn implements CongestionControl {
    private static final Parameter<Double> GAIN =
            Parameter.fraction("gain", 1 / 256.0, 1, "g, the weight of the latest notification in alpha (section 5.2)");
    private static final Parameter<Long> ALPHA_TIMER = Parameter.nanos(
            "alphaTimer", 55_000, "without a notification for this long alpha falls (section 3.1: 55 us)");
    private static final Parameter<Long> RATE_TIMER =
            Parameter.nanos("rateTimer", 55_000, "T, the time between two increases by time (section 5.2: 55 us)");
    private static final Parameter<Long> BYTE_COUNTER = Parameter.bytes(
            "byteCounter", 10_000_000, "B, the bytes between two increases by bytes (section 5.2: 10 MB)");
    private static final Parameter<Long> RECOVERY_STEPS =
            Parameter.count("recoverySteps", 5, 1, 100, "F, the increases that are fast recovery (section 3.1: 5)");
    private static final Parameter<Long> ADDITIVE = Parameter.bps(
            "additiveIncrease", 40_000_000, "R_AI, by which the target rate rises then (section 3.1: 40 Mb/s)");
    private static final Parameter<Long> HYPER = Parameter.bps(
            "hyperIncrease", 400_000_000, "R_HAI, once both time and bytes are past F: the paper has no number");
    private static final Parameter<Long> RATE_MIN =
            Parameter.bps("rateMin", 10_000_000, "the lowest rate: the paper has no number");
    private static final Parameter<Long> NOTIFICATION_INTERVAL = Parameter.nanos(
            "notificationInterval", 50_000, "N, the least time between two notifications (section 3.1: 50 us)");
    private static final Parameter<Boolean> TOWARDS_LINE =
            Parameter.flag("towardsLine", false, "after fast recovery, go half of the way to the link's rate");
    private static final Parameter<Long> FRAMES_PER_ACK =
            Parameter.count("framesPerAck", 8, 1, 64, "data frames per acknowledgement without a notification");

    /** The protocol. */
    public static final ProtocolKind KIND = new ProtocolKind(
                    new ProtocolId(10, "dcqcn"),
                    "Zhu and others, SIGCOMM 2015",
                    List.of(
                            GAIN,
                            ALPHA_TIMER,
                            RATE_TIMER,
                            BYTE_COUNTER,
                            RECOVERY_STEPS,
                            ADDITIVE,
                            HYPER,
                            RATE_MIN,
                            NOTIFICATION_INTERVAL,
                            TOWARDS_LINE,
                            FRAMES_PER_ACK),
                    Reactive.maker(
                            Dcqcn::new,
                            settings -> new NotificationReceiver(
                                    settings.whole(NOTIFICATION_INTERVAL), (int) settings.whole(FRAMES_PER_ACK))))
            .with("dcqcn-ccrp", settings -> settings.with(GAIN, 1 / 16.0)
                    .with(BYTE_COUNTER, 15_000)
                    .with(NOTIFICATION_INTERVAL, 16_000)
                    .with(TOWARDS_LINE, true));

    private final double gain;
    private final long alphaTimerNanos;
    private final long rateTimerNanos;
    private final long byteCounterBytes;
    private final long recoverySteps;
    private final double additiveBps;
    private final double hyperBps;
    private final double rateBpsMin;
    private final double rateBpsMax;
    private final boolean isTowardsLine;
    private final int overheadBytes;

    /**
     * R_C, the current rate in bit/s: {@code rateBpsMin <= rateBps <= rateBpsMax}; notifications cut it.
     */
    private double rateBps;
    /** R_T, the target rate; the rate before the latest notification, raised after fast recovery. */
    private double targetBps;
    /** The share of notified time, 0 to 1, as of {@link #alphaNanos}. */
    private double alpha = 1;
    /** When alpha was set, or NO_DEADLINE before the first notification: until then it stays. */
    private long alphaNanos = Deadline.NO_DEADLINE;

    /** When the rate timer fires next, or NO_DEADLINE at the link's rate: no counter runs then. */
    private long rateNanos = Deadline.NO_DEADLINE;
    /** Bytes on the wire since the byte counter fired last; cleared by a notification. */
    private long sentBytes;
    // Increases since the latest notification, by the timer and by the byte counter.
    private int timeSteps;
    private int byteSteps;

    Dcqcn(Settings settings, FlowContext context) {
        gain = settings.fraction(GAIN);
        alphaTimerNanos = settings.whole(ALPHA_TIMER);
        rateTimerNanos = settings.whole(RATE_TIMER);
        byteCounterBytes = settings.whole(BYTE_COUNTER);
        recoverySteps = settings.whole(RECOVERY_STEPS);
        additiveBps = settings.whole(ADDITIVE);
        hyperBps = settings.whole(HYPER);
        rateBpsMax = context.linkRateBps();
        rateBpsMin = Math.min((double) settings.whole(RATE_MIN), rateBpsMax);
        isTowardsLine = settings.flag(TOWARDS_LINE);
        overheadBytes = context.dataWireBytesMax() - context.segmentBytesMax();
        rateBps = rateBpsMax;
        targetBps = rateBpsMax;
    }

    @Override
    public long windowBytes() {
        return UNLIMITED_BYTES;
    }

    /** {@return the current rate, R_C; a flow without a notification is not limited} */
    @Override
    public long rateBps() {
        return (long) rateBps;
    }

    @Override
    public boolean understandsMarks() {
        return true;
    }

    @Override
    public void observe(AckSample ack, long nowNanos) {
        if ((ack.marks() & Marks.CONGESTION) != 0) {
            onNotification(nowNanos);
        }
    }

    // = dcqcn section 3.1 equation 1: R_T = R_C, R_C = R_C (1 - alpha / 2), alpha = (1 - g) alpha + g
    private void onNotification(long nowNanos) {
        alpha = alpha(nowNanos);
        targetBps = rateBps;
        rateBps = Math.max(rateBpsMin, rateBps * (1 - alpha / 2));
        alpha = (1 - gain) * alpha + gain;
        timeSteps = 0;
        byteSteps = 0;
        sentBytes = 0;
        alphaNanos = nowNanos;
        rateNanos = nowNanos + rateTimerNanos;
    }

    // = dcqcn section 3.1 equation 2: alpha = (1 - g) alpha, each time that the alpha timer fires. Nobody asks for
    // alpha before the next notification, so it is worked out then: a timer would never let an idle flow sleep.
    double alpha(long nowNanos) {
        if (alphaNanos == Deadline.NO_DEADLINE) {
            return alpha;
        }
        long timesFired = (nowNanos - alphaNanos) / alphaTimerNanos;
        return alpha * Exponentiation.power(1 - gain, timesFired);
    }

    @Override
    public void onSegment(UnsafeBuffer buffer, int at, long nowNanos) {
        if (rateNanos == Deadline.NO_DEADLINE) {
            return;
        }
        sentBytes += DataHeader.riderBytes(buffer, at) + DataHeader.payloadBytes(buffer, at) + overheadBytes;
        if (sentBytes >= byteCounterBytes) {
            sentBytes -= byteCounterBytes;
            byteSteps++;
            increase();
        }
    }

    @Override
    public long nextTimeoutNanos() {
        return rateNanos;
    }

    @Override
    public void onTimeout(long nowNanos) {
        if (rateNanos <= nowNanos) {
            timeSteps++;
            rateNanos = nowNanos + rateTimerNanos;
            increase();
        }
    }

    // = dcqcn section 3.1 equations 3 and 4, Figure 7
    private void increase() {
        if (Math.max(timeSteps, byteSteps) > recoverySteps) {
            raiseTarget();
        }
        rateBps = Math.min(rateBpsMax, (targetBps + rateBps) / 2);
        if (rateBps >= rateBpsMax - 1) {
            rest();
        }
    }

    private void raiseTarget() {
        if (isTowardsLine) {
            targetBps = rateBpsMax;
        } else {
            boolean isHyper = Math.min(timeSteps, byteSteps) > recoverySteps;
            targetBps = Math.min(rateBpsMax, targetBps + (isHyper ? hyperBps : additiveBps));
        }
    }

    /** Nothing is left to win: the counters begin again with the next notification. */
    private void rest() {
        rateBps = rateBpsMax;
        rateNanos = Deadline.NO_DEADLINE;
    }

    // deviation: where nothing stops a frame from being lost, the notifications may be among what is
    @Override
    public void onRetransmissionTimeout(long inFlightBytes, long nowNanos) {
        onNotification(nowNanos);
    }
}
