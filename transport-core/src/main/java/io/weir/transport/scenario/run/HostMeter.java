package io.weir.transport.scenario.run;

import io.weir.pacer.RateMath;
import io.weir.transport.host.HostStack;
import io.weir.transport.host.QueuedHost;
import io.weir.transport.scenario.result.HostResult;
import io.weir.transport.telemetry.CounterId;

/** Measures the port of a host: counts from the end of the warm-up on, the most of anything over the whole run. */
final class HostMeter {
    private final String name;
    private final HostStack stack;
    /** The queue in front of the link, or null. */
    private final QueuedHost queue;

    // When measuring began, and what each count was then; written by start, 0 before it.
    private long startNanos;
    private long wireBytesBefore;
    private long offeredBefore;
    private long droppedBefore;
    private long queueDropsBefore;

    HostMeter(String name, HostStack stack, QueuedHost queue) {
        this.name = name;
        this.stack = stack;
        this.queue = queue;
    }

    void start(long nowNanos) {
        startNanos = nowNanos;
        wireBytesBefore = wireBytesSent(nowNanos);
        offeredBefore = creditsOffered();
        droppedBefore = creditsDropped();
        queueDropsBefore = queueDrops();
    }

    HostResult result(long nowNanos) {
        double linkBits =
                (double) (nowNanos - startNanos) * stack.config().link().rateBps() / RateMath.NANOS_PER_SECOND;
        double wireBits = 8.0 * (wireBytesSent(nowNanos) - wireBytesBefore);
        return new HostResult(
                name,
                linkBits <= 0 ? 0 : Math.min(1, wireBits / linkBits),
                stack.flowsWaitingMax(),
                queue == null ? 0 : queue.queueBytesMax(),
                queueDrops() - queueDropsBefore,
                creditsOffered() - offeredBefore,
                creditsDropped() - droppedBefore,
                stack.creditsWaitingMax());
    }

    private long wireBytesSent(long nowNanos) {
        return queue == null ? stack.wireBytesSent(nowNanos) : queue.counters().get(CounterId.WIRE_BYTES_SENT);
    }

    private long queueDrops() {
        return queue == null ? 0 : queue.counters().get(CounterId.DROP_DATA_QUEUE);
    }

    private long creditsOffered() {
        return stack.counters().get(CounterId.CREDITS_SENT);
    }

    private long creditsDropped() {
        return stack.counters().get(CounterId.CREDITS_DROPPED_AT_HOST);
    }

    /** {@return backlogs of peers that only a repeated request told of} */
    long backlogsUnheard() {
        return stack.counters().get(CounterId.BACKLOGS_UNHEARD);
    }

    /** {@return requests that this host repeated because no credit came in time} */
    long requestsRepeated() {
        return stack.counters().get(CounterId.REQUESTS_REPEATED);
    }

    /**
     * {@return what makes a run doubtful whose flows all wait for their hosts' meters, or null} The papers' rules lose
     * credits there by design: those are in the result, and no problem.
     */
    String problem() {
        long dropped = creditsDropped();
        return dropped == 0
                ? null
                : "host " + name + " lost " + dropped + " of its " + creditsOffered()
                        + " credits at its own meter, although its flows wait for it; give the world more frames, or the"
                        + " meter a burst of one credit at least";
    }
}
