package io.weir.transport.sim;

import io.weir.pacer.LinkDrain;
import io.weir.pacer.Slack;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.Egress;
import io.weir.transport.time.Deadline;

/**
 * One direction of a link in virtual time: it pulls frames from an egress, each occupies it for its serialization time,
 * and arrives after the propagation delay. Frames on their way stand in the link's own queue, in the order of their
 * arrival, so that a link needs one arrival event however many frames it carries.
 */
public final class SimLink implements LinkFault.Line {
    private final Simulator simulator;
    private final int number;
    private final SimPort from;
    private final SimPort to;
    private final Egress egress;
    private final LinkDrain drain;
    private final long propagationNanos;
    private final FrameQueue inFlight = new FrameQueue();
    private final SimEvent arrival = new SimEvent(SimEvent.ARRIVAL, this);
    private final SimEvent wake = new SimEvent(SimEvent.LINK_WAKE, this);
    /** Null on a healthy link, whose frames need no order but that of their departure. */
    private LinkFault fault;

    // Frames that a fault delays, and the event of the first of them; null until the first fault is set.
    private LateFrames late;
    private SimEvent lateArrival;
    /** Frames that have started on the link; never falls. */
    private long framesCarried;
    /** When the latest frame is seen at the far end; never falls, so that order is kept. */
    private long lastArrivalNanos;

    SimLink(Simulator simulator, int number, SimPort from, SimPort to, long rateBps, long propagationNanos) {
        this.simulator = simulator;
        this.number = number;
        this.from = from;
        this.to = to;
        this.egress = from.egress();
        this.drain = new LinkDrain(rateBps, Slack.NONE);
        this.propagationNanos = propagationNanos;
    }

    /** Lets {@code newFilter} decide about every frame that leaves by this direction from now on. */
    public void setFilter(FrameFilter newFilter) {
        setFault((link, frame, arrivalNanos, nowNanos) -> {
            if (newFilter.passes(frame, nowNanos)) {
                link.deliver(frame, arrivalNanos);
            } else {
                frame.release();
            }
        });
    }

    /**
     * Lets {@code newFault} deal with every frame that leaves by this direction from now on; null for a healthy link.
     */
    public void setFault(LinkFault newFault) {
        if (late == null) {
            late = new LateFrames();
            lateArrival = new SimEvent(SimEvent.LATE_ARRIVAL, this);
        }
        fault = newFault;
    }

    @Override
    public void deliver(Frame frame, long atNanos) {
        late.add(frame, atNanos);
        scheduleLate();
    }

    /** {@return frames that have left by this direction} */
    public long framesCarried() {
        return framesCarried;
    }

    /** Starts what may start now, and schedules the next look. */
    void service(long nowNanos) {
        if (!drain.isFree(nowNanos)) {
            // Whatever waits cannot leave before.
            wakeAt(drain.freeNanos());
            return;
        }
        Frame frame = egress.pollTransmit(nowNanos);
        while (frame != null) {
            drain.start(frame.wireBytes(), nowNanos, nowNanos);
            depart(frame, nowNanos);
            frame = drain.isFree(nowNanos) ? egress.pollTransmit(nowNanos) : null;
        }
        long nextNanos = egress.nextTransmitNanos(nowNanos);
        if (nextNanos == Deadline.NO_DEADLINE) {
            simulator.cancel(wake);
        } else {
            // An egress that says "now" but gives nothing would stop the clock.
            wakeAt(Math.max(Math.max(nextNanos, drain.freeNanos()), nowNanos + 1));
        }
    }

    private void depart(Frame frame, long nowNanos) {
        framesCarried++;
        simulator.trace(this, frame, nowNanos);
        long arrivalNanos = drain.freeNanos() + propagationNanos;
        // Frames are seen in the order in which they came.
        lastArrivalNanos = Math.max(lastArrivalNanos, arrivalNanos + to.node().drawDelayNanos());
        if (fault != null) {
            fault.onDeparture(this, frame, lastArrivalNanos, nowNanos);
            return;
        }
        frame.setReadyNanos(lastArrivalNanos);
        inFlight.add(frame);
        if (!arrival.isScheduled()) {
            simulator.schedule(arrival, lastArrivalNanos);
        }
    }

    private void scheduleLate() {
        long atNanos = late.nextNanos();
        if (lateArrival.isScheduled()) {
            if (lateArrival.atNanos == atNanos) {
                return;
            }
            simulator.cancel(lateArrival);
        }
        if (atNanos != Deadline.NO_DEADLINE) {
            simulator.schedule(lateArrival, atNanos);
        }
    }

    private void wakeAt(long atNanos) {
        if (wake.isScheduled()) {
            if (wake.atNanos == atNanos) {
                return;
            }
            simulator.cancel(wake);
        }
        simulator.schedule(wake, atNanos);
    }

    /** {@return the frame that arrives now} */
    Frame arrive() {
        Frame frame = inFlight.poll();
        Frame next = inFlight.peek();
        if (next != null) {
            simulator.schedule(arrival, next.readyNanos());
        }
        return frame;
    }

    /** {@return the link's number, in the order in which links were made} */
    public int number() {
        return number;
    }

    /** {@return the frame that arrives now by way of the direction's fault} */
    Frame arriveLate(long nowNanos) {
        Frame frame = late.poll(nowNanos);
        scheduleLate();
        return frame;
    }

    /** {@return frames on their way} */
    public int framesInFlight() {
        return inFlight.frameCount() + (late == null ? 0 : late.frameCount());
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
        if (late != null) {
            late.releaseAll();
        }
    }
}
