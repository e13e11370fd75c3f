package io.weir.transport.sim;

import io.weir.pacer.LinkDrain;
import io.weir.pacer.Slack;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.Egress;
import io.weir.transport.time.Deadline;

/**
 * One direction of a link in virtual time: it pulls frames from an egress, each occupies it for its serialization time, and
 * arrives after the propagation delay. Frames on their way stand in the link's own queue: all take equally long.
 */
public final class SimLink {
    private final SimPort from;
    private final SimPort to;
    private final LinkDrain drain;
    private final long propagationNanos;
    private final FrameQueue inFlight = new FrameQueue();
    private FrameFilter filter = FrameFilter.PASS_ALL;
    private long wakeNanos = Deadline.NO_DEADLINE;
    private long framesCarried;

    SimLink(SimPort from, SimPort to, long rateBps, long propagationNanos) {
        this.from = from;
        this.to = to;
        this.drain = new LinkDrain(rateBps, Slack.NONE);
        this.propagationNanos = propagationNanos;
    }

    /** Lets {@code newFilter} decide about every frame that leaves by this direction. */
    public void setFilter(FrameFilter newFilter) {
        filter = newFilter;
    }

    /** {@return frames that have left by this direction} */
    public long framesCarried() {
        return framesCarried;
    }

    /** Starts what may start now, and schedules the next look. */
    void service(Simulator simulator, long nowNanos) {
        Egress egress = from.egress();
        while (drain.isFree(nowNanos)) {
            Frame frame = egress.pollTransmit(nowNanos);
            if (frame == null) {
                break;
            }
            drain.start(frame.wireBytes(), nowNanos, nowNanos);
            depart(simulator, frame, nowNanos);
        }
        wakeAt(simulator, Math.max(egress.nextTransmitNanos(nowNanos), drain.freeNanos()), nowNanos);
    }

    private void depart(Simulator simulator, Frame frame, long nowNanos) {
        framesCarried++;
        simulator.trace(this, frame, nowNanos);
        if (!filter.passes(frame, nowNanos)) {
            frame.release();
            return;
        }
        inFlight.add(frame);
        simulator.schedule(drain.freeNanos() + propagationNanos, Simulator.ARRIVAL, this);
    }

    private void wakeAt(Simulator simulator, long nextNanos, long nowNanos) {
        if (nextNanos == Deadline.NO_DEADLINE) {
            return;
        }
        // An egress that says "now" but gives nothing would stop the clock.
        long atNanos = Math.max(nextNanos, nowNanos + 1);
        if (atNanos < wakeNanos || wakeNanos <= nowNanos) {
            wakeNanos = atNanos;
            simulator.schedule(atNanos, Simulator.LINK_WAKE, this);
        }
    }

    Frame arrive() {
        return inFlight.poll();
    }

    /** {@return the port that frames leave by} */
    public SimPort from() {
        return from;
    }

    /** {@return the port that frames arrive at} */
    public SimPort to() {
        return to;
    }

    void releaseAll() {
        inFlight.releaseAll();
    }
}
