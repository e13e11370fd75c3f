package io.weir.transport.protocol;

import io.weir.transport.wire.PassingFrame;

/**
 * What a protocol asks of a switch's port: it looks at the frames that wait for the link there and may mark or stamp them. One
 * instance a port, owned by its switch's thread; O(1) a call, no allocation, no state per flow.
 *
 * <p>It sees every frame but metered credits, of whatever kind: what it measures (a rate, a load) is the link's. It changes only
 * frames of its own protocol, which their {@link io.weir.transport.wire.Marks} tell, or those that say they understand marks.
 *
 * <p>Time comes with the frames: a policy that does something at intervals catches up when the next frame comes or goes, which a
 * queue that is not empty has for certain. What a protocol needs beyond that (to hold a frame, to be called at a time) becomes a
 * method with a default here and a line in {@code SwitchPort}.
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
}
