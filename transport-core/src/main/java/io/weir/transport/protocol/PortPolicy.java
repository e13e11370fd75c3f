package io.weir.transport.protocol;

import io.weir.transport.wire.PassingFrame;
import java.util.List;

/**
 * What a protocol asks of a switch's port: it looks at the frames that wait for the link there and may mark or stamp
 * them. One instance per port, owned by its switch's thread; O(1) per call, no allocation, no state per flow.
 *
 * <p>It sees every frame but metered credits, of whatever kind: what it measures (a rate, a load) is the link's. It
 * changes only its protocol's frames, which their {@link io.weir.transport.wire.Marks} tell, or those that say
 * they understand marks.
 *
 * <p>Time comes with the frames: a policy that does something at intervals catches up when the next frame comes or
 * goes, which a queue that is not empty has for certain. A policy may also watch what comes in by the port, and hold
 * some of it back for a while (TFC). What a protocol needs beyond that becomes a method with a default here and a line
 * in {@code SwitchPort}.
 */
public interface PortPolicy {
    /**
     * A frame came to the port; it joins the queue after this, or finds it full and is dropped.
     *
     * @param frame the frame, to look at and to write into; good until this returns
     * @param queueBytes what is in the queue before it
     */
    void onArrival(PassingFrame frame, long queueBytes, long nowNanos);

    /**
     * A frame leaves the queue for the link.
     *
     * @param frame the frame, to look at and to write into; good until this returns
     * @param queueBytes what is in the queue behind it
     */
    void onDeparture(PassingFrame frame, long queueBytes, long nowNanos);

    /** {@return what its {@link #gauge}s are called, in their order; none for a policy with nothing to show} */
    default List<String> gauges() {
        return List.of();
    }

    /** {@return what one of its {@link #gauges} stands at} */
    default long gauge(int index) {
        return 0;
    }

    /** {@return whether it wants to see, by {@link #holds}, what comes in by the port} */
    default boolean watchesReturns() {
        return false;
    }

    /**
     * A frame came in by the port, where what answers the frames of its queue comes from, and may be held back before
     * it is forwarded. What is held leaves in the order in which it came.
     *
     * @param frame the frame, to look at and to write into; good until this returns
     * @param heldFrames how many it holds already
     * @return whether to hold it until {@link #nextReleaseNanos}
     */
    default boolean holds(PassingFrame frame, int heldFrames, long nowNanos) {
        return false;
    }

    /**
     * {@return when the first of the frames that it holds may go on}
     *
     * @param sinceNanos since when that one has been held
     */
    default long nextReleaseNanos(long sinceNanos) {
        return sinceNanos;
    }

    /** The first of the frames that it holds goes on: to look at and to write into; good until this returns. */
    default void onRelease(PassingFrame frame, long nowNanos) {}
}
