package io.weir.transport.scenario.run;

import io.weir.pacer.RateMath;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.QueueSplit;
import io.weir.transport.switching.QueueContents;
import io.weir.transport.switching.QueueContents.Kind;
import io.weir.transport.switching.QueueMeter;
import io.weir.transport.switching.SwitchPort;
import io.weir.transport.telemetry.CounterId;

/** Measures a port of a switch from the end of the warm-up on. */
final class PortMeter {
    private static final int P25_PPM = 250_000;
    private static final int P50_PPM = 500_000;
    private static final int P75_PPM = 750_000;
    private static final int P99_PPM = 990_000;

    private final World.Port place;
    private final SwitchPort port;
    /** Null until start(), which makes it; nothing is weighed by time before. */
    private QueueMeter queue;

    private final QueueContents contents = new QueueContents();
    // When measuring began, and what each count was then; written by start, 0 before it.
    private long startNanos;
    private long wireBytesBefore;
    private long creditsOfferedBefore;
    private long dataDropsBefore;
    private long creditDropsBefore;
    private long marksBefore;

    PortMeter(World.Port place) {
        this.place = place;
        this.port = place.port();
        port.setQueueContents(contents);
    }

    void start(long nowNanos) {
        startNanos = nowNanos;
        queue = new QueueMeter(port.dataQueueBytes(), nowNanos);
        port.setQueueMeter(queue);
        port.restartCreditQueueMax();
        port.takeDataQueueBytesMax();
        wireBytesBefore = port.wireBytesSent(nowNanos);
        creditsOfferedBefore = port.counters().get(CounterId.CREDITS_RECEIVED);
        dataDropsBefore = port.counters().get(CounterId.DROP_DATA_QUEUE);
        creditDropsBefore = port.counters().get(CounterId.DROP_CREDIT_QUEUE);
        marksBefore = port.counters().get(CounterId.FRAMES_MARKED);
    }

    /** {@return the figures from the start to now} */
    PortResult result(long nowNanos) {
        queue.settle(nowNanos);
        return new PortResult(
                place.node(),
                place.peer(),
                queue.bytesMax(),
                queue.bytesMean(),
                queue.bytesAt(0),
                queue.bytesAt(P25_PPM),
                queue.bytesAt(P50_PPM),
                queue.bytesAt(P75_PPM),
                queue.bytesAt(P99_PPM),
                port.creditQueueFramesMax(),
                port.counters().get(CounterId.DROP_DATA_QUEUE) - dataDropsBefore,
                port.counters().get(CounterId.DROP_CREDIT_QUEUE) - creditDropsBefore,
                port.counters().get(CounterId.FRAMES_MARKED) - marksBefore,
                utilization(nowNanos),
                port.counters().get(CounterId.CREDITS_RECEIVED) - creditsOfferedBefore,
                contents.bytesMax(),
                longestQueue());
    }

    private QueueSplit longestQueue() {
        return new QueueSplit(
                contents.bytesAtMax(Kind.CREDITED_DATA),
                contents.bytesAtMax(Kind.OTHER_DATA),
                contents.bytesAtMax(Kind.OPENING),
                contents.bytesAtMax(Kind.ACKNOWLEDGEMENT),
                contents.bytesAtMax(Kind.REQUEST),
                contents.bytesAtMax(Kind.OTHER));
    }

    /**
     * {@return the wire bytes as a share of what the link could carry} Of a frame in transmission at either end of the
     * time, only its part within counts. What makes up for a pause of an earlier time is not use: at most 1.
     */
    private double utilization(long nowNanos) {
        long wireBytes = port.wireBytesSent(nowNanos) - wireBytesBefore;
        double linkBits = (double) (nowNanos - startNanos) * rateBps() / RateMath.NANOS_PER_SECOND;
        return linkBits <= 0 ? 0 : Math.min(1, wireBytes * 8 / linkBits);
    }

    /** {@return how long the link needs for {@code bytes}} */
    double delayNanos(long bytes) {
        return 8.0 * bytes * RateMath.NANOS_PER_SECOND / rateBps();
    }

    private long rateBps() {
        return port.config().linkRateBps();
    }

    /** {@return the sum over time of the queue's bytes and nanoseconds since the start; 0 before it} */
    long byteNanos(long nowNanos) {
        if (queue == null) {
            return 0;
        }
        queue.settle(nowNanos);
        return queue.byteNanos();
    }

    World.Port place() {
        return place;
    }

    QueueMeter queue() {
        return queue;
    }
}
