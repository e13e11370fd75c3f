package io.weir.transport.switching;

import io.weir.pacer.LinkDrain;
import io.weir.pacer.SeededRandom;
import io.weir.pacer.Slack;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.ConfigException;
import io.weir.transport.node.Egress;
import io.weir.transport.protocol.PortPolicyConfig;
import io.weir.transport.protocol.credit.CreditInflow;
import io.weir.transport.protocol.credit.CreditQueue;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.TrafficClass;
import java.util.List;

/**
 * What leaves a switch by one port: a data queue in bytes, a metered credit queue, the link's rate, and the link itself
 * where nothing below has one.
 *
 * <p>Source: ExpressPass section 3.1. A credit goes first whenever the meter lets it, as in the authors' code. A frame
 * in transmission counts in no queue.
 */
public final class SwitchPort implements Egress {
    private final SwitchPortConfig config;
    private final Counters counters;
    private final LinkDrain link;
    private final CreditQueue credits;
    private final FrameQueue data;
    /** What frames that came in by the port may do to others. */
    private final IngressLimits limits;
    /** Of the data queue. */
    private final IngressCounts dataCounts;
    /** Of the credit queue. */
    private final IngressCounts creditCounts;

    private final EcnMarker marker;
    /** Null for none, so that a port without any pays for a comparison alone. */
    private final PortPolicies policies;
    /** Null where no policy holds frames. */
    private final HeldFrames held;

    private final DelayLine departing;
    private final DelayLine arriving;
    private final LinkDrain arrivingLink;
    private final boolean isEmulated;
    private final int frameBytesMax;
    /** Null until the switch has paused: the senders of credits meter them already. */
    private CreditInflow inflow;

    // The longest data queue on the wire: since the port began, and since the latest take; raised by each enqueue.
    private long dataQueueBytesMax;
    private long dataQueueBytesWindowMax;
    /** Null where nobody measures. */
    private QueueMeter meter;
    /** Null where nobody measures. */
    private QueueContents contents;

    /** Creates a port of a switch with so many. */
    SwitchPort(SwitchPortConfig config, int portCount, SeededRandom random) {
        this(config, random, new Kept(portCount));
    }

    /** What stays when the configuration changes. */
    private record Kept(
            Counters counters,
            FrameQueue data,
            DelayLine departing,
            DelayLine arriving,
            IngressCounts dataCounts,
            IngressCounts creditCounts) {
        Kept(int portCount) {
            this(
                    new Counters(),
                    new FrameQueue(),
                    new DelayLine(),
                    new DelayLine(),
                    new IngressCounts(portCount),
                    new IngressCounts(portCount));
        }
    }

    private SwitchPort(SwitchPortConfig config, SeededRandom random, Kept kept) {
        this.config = config;
        this.counters = kept.counters;
        this.data = kept.data;
        this.departing = kept.departing;
        this.arriving = kept.arriving;
        this.dataCounts = kept.dataCounts;
        this.creditCounts = kept.creditCounts;
        this.limits = new IngressLimits(config);
        this.isEmulated = config.link().isEmulated();
        // A switch's queues mean something only if its link keeps time: late at times, never early.
        Slack slack = new Slack(config.link().catchUpNanos(), 0);
        this.link = new LinkDrain(config.linkRateBps(), slack);
        this.arrivingLink = new LinkDrain(config.linkRateBps(), slack);
        this.credits = config.credits() == null ? null : new CreditQueue(config.credits(), random.split());
        this.marker = config.ecn() == null ? null : new EcnMarker(config.ecn(), random);
        this.policies = config.policies().isEmpty() ? null : newPolicies(config, random);
        this.held = policies == null ? null : policies.held();
        this.frameBytesMax = config.mtuBytes() + Ethernet.HEADER_BYTES;
    }

    private PortPolicies newPolicies(SwitchPortConfig config, SeededRandom random) {
        return new PortPolicies(
                config.policies(),
                new PortPolicyConfig.Port(config.linkRateBps(), config.mtuBytes(), counters, random.split()));
    }

    /** Refuses a configuration that the port cannot change to while frames are on its way. */
    void requirePossible(SwitchPortConfig newConfig) {
        if (newConfig.link().isEmulated() != isEmulated) {
            throw new ConfigException("link.emulate=" + newConfig.link().isEmulated() + " and was " + isEmulated
                    + "; a port begins or ends to play its link only when it is opened");
        }
    }

    /**
     * {@return the same port with another configuration, in place of this one} Its counters go on, and what is queued
     * or on its link stays there; credits that wait for the meter that ends are dropped, and counted. What its policies
     * hold, {@link #pollHeldEarly} has to be asked for before.
     */
    SwitchPort withConfig(SwitchPortConfig newConfig, SeededRandom random) {
        Kept kept = new Kept(counters, data, departing, arriving, dataCounts, creditCounts);
        SwitchPort next = new SwitchPort(newConfig, random, kept);
        next.dataQueueBytesMax = dataQueueBytesMax;
        next.dataQueueBytesWindowMax = dataQueueBytesWindowMax;
        next.meter = meter;
        next.contents = contents;
        if (credits != null) {
            counters.add(CounterId.DROP_CREDIT_QUEUE, credits.frameCount());
            credits.releaseAll();
        }
        return next;
    }

    /**
     * Nobody has run the port for {@code pauseNanos}: what its link and its meter would have passed meanwhile is made
     * up for, as far as the budget reaches, and its queues hold as much more.
     */
    void onPause(long pauseNanos, long nowNanos) {
        long bytesMax = config.pauses().bytes();
        long bytes = config.pauses().makeUpBytes(pauseNanos, config.linkRateBps());
        link.makeUp(bytes, bytesMax);
        arrivingLink.makeUp(bytes, bytesMax);
        if (credits != null) {
            credits.makeUp(bytes, bytesMax, nowNanos);
            if (inflow == null) {
                inflow = new CreditInflow(config.credits());
            }
            // What waits already has been let in for an earlier pause.
            inflow.onPause(pauseNanos, Math.max(0, bytes - data.wireBytes()), bytesMax, nowNanos);
        }
    }

    /** The switch has other ports from now on: {@code newIndexes} has what number each has now, or -1. */
    void renumber(int[] newIndexes, int portCount) {
        dataCounts.renumber(newIndexes, portCount);
        creditCounts.renumber(newIndexes, portCount);
    }

    // ---- ingress

    /** {@return whether the port has frames on its modelled incoming link} */
    boolean isEmulated() {
        return isEmulated;
    }

    /** Counts a frame that came in by this port. */
    void countReceived(Frame frame) {
        counters.increment(CounterId.FRAMES_RECEIVED);
        counters.add(CounterId.WIRE_BYTES_RECEIVED, frame.wireBytes());
    }

    /** {@return whether a frame that came in by this port may go to every other one; if not it is dropped} */
    boolean admitsFlood(Frame frame, long nowNanos) {
        boolean isAdmitted = limits.admitsFlood(frame, nowNanos);
        if (!isAdmitted) {
            drop(frame, CounterId.DROP_FLOOD_LIMIT);
        }
        return isAdmitted;
    }

    /** Puts a frame that came in on the modelled link from the host. */
    void addArriving(Frame frame, long nowNanos) {
        long roomBytes = config.link().ingressQueueBytesMax() + arrivingLink.makeUpBytes();
        if (arriving.wireBytes() + frame.wireBytes() > roomBytes) {
            drop(frame, CounterId.DROP_INGRESS_QUEUE);
            return;
        }
        arrivingLink.start(frame.wireBytes(), nowNanos, Math.max(nowNanos, arrivingLink.freeNanos()));
        arriving.add(frame, arrivingLink.freeNanos() + config.link().propagationNanos());
    }

    Frame pollArrived(long nowNanos) {
        return arriving.poll(nowNanos);
    }

    /** {@return whether a policy of the port may hold frames that come in by it} */
    boolean isHolding() {
        return held != null;
    }

    /** {@return whether the port keeps a frame that came in by it for a while} */
    boolean hold(Frame frame, long nowNanos) {
        return held != null && held.offer(frame, nowNanos);
    }

    /** {@return a frame that is held no longer, or null} */
    Frame pollReleased(long nowNanos) {
        return held == null ? null : held.poll(nowNanos);
    }

    /** {@return a frame that is held, before its time, or null} */
    Frame pollHeldEarly() {
        return held == null ? null : held.pollEarly();
    }

    /** {@return when the next frame from the modelled link is there, or one is held no longer} */
    long nextIngressNanos() {
        return Math.min(arriving.nextNanos(), held == null ? Deadline.NO_DEADLINE : held.nextNanos());
    }

    // ---- egress

    /** {@return whether what a credit brings that has come in by this port can leave by it} */
    private boolean admitsCredit(Frame credit, long nowNanos) {
        return inflow == null || inflow.admits(credit, nowNanos);
    }

    /** {@return whether credits that leave by the port pass a meter} */
    boolean isMetering() {
        return credits != null;
    }

    /** Takes a frame that came by {@code ingress} and leaves by this port, or drops it for a reason that is counted. */
    void enqueue(Frame frame, SwitchPort ingress, long nowNanos) {
        if (frame.frameBytes() > frameBytesMax) {
            drop(frame, CounterId.DROP_TOO_LONG);
            return;
        }
        frame.setReadyNanos(nowNanos);
        if (credits != null && classOf(frame) == TrafficClass.CREDIT) {
            counters.increment(CounterId.CREDITS_RECEIVED);
            enqueueCredit(frame, ingress, nowNanos);
            return;
        }
        enqueueData(frame, nowNanos);
    }

    private void enqueueCredit(Frame frame, SwitchPort ingress, long nowNanos) {
        creditCounts.onQueued(frame.ingressPort());
        if (!ingress.admitsCredit(frame, nowNanos)) {
            dropCredit(frame, CounterId.DROP_CREDIT_LATE);
            return;
        }
        // One port's flood takes what others leave, whatever waits.
        boolean isLast = ingress.limits.isCreditFlooding(frame, nowNanos);
        Frame refused = isLast && !credits.hasRoomFor(frame) ? frame : credits.offer(frame);
        if (refused != null) {
            dropCredit(refused, CounterId.DROP_CREDIT_QUEUE);
        }
    }

    private void dropCredit(Frame frame, CounterId reason) {
        creditCounts.onDropped(frame.ingressPort());
        drop(frame, reason);
    }

    private void enqueueData(Frame frame, long nowNanos) {
        long queueBytes = data.wireBytes();
        if (policies != null) {
            policies.onArrival(frame, queueBytes, nowNanos);
        }
        // What may leave at once waits for nothing but this thread.
        if (queueBytes + frame.wireBytes() > config.dataQueueBytesMax() + link.makeUpBytes()) {
            dataCounts.onDropped(frame.ingressPort());
            drop(frame, CounterId.DROP_DATA_QUEUE);
            return;
        }
        dataCounts.onQueued(frame.ingressPort());
        if (marker != null && !marker.isOnDeparture() && marker.mark(frame, queueBytes)) {
            counters.increment(CounterId.FRAMES_MARKED);
        }
        data.add(frame);
        if (meter != null) {
            meter.onLevel(data.wireBytes(), nowNanos);
        }
        if (contents != null) {
            contents.onArrival(frame);
        }
        dataQueueBytesMax = Math.max(dataQueueBytesMax, data.wireBytes());
        dataQueueBytesWindowMax = Math.max(dataQueueBytesWindowMax, data.wireBytes());
    }

    private static TrafficClass classOf(Frame frame) {
        return TrafficClass.of(frame.buffer(), frame.offset(), frame.length());
    }

    private void drop(Frame frame, CounterId reason) {
        counters.increment(reason);
        frame.release();
    }

    @Override
    public Frame pollTransmit(long nowNanos) {
        if (!isEmulated) {
            return startNext(nowNanos);
        }
        for (Frame frame = startNext(nowNanos); frame != null; frame = startNext(nowNanos)) {
            departing.add(frame, link.freeNanos() + config.link().propagationNanos());
        }
        return departing.poll(nowNanos);
    }

    private Frame startNext(long nowNanos) {
        if (!link.isFree(nowNanos)) {
            return null;
        }
        Frame frame = credits == null ? null : credits.poll(nowNanos);
        if (frame != null) {
            counters.increment(CounterId.CREDITS_SENT);
        } else {
            frame = pollData(nowNanos);
        }
        if (frame == null) {
            return null;
        }
        link.start(frame.wireBytes(), frame.readyNanos(), nowNanos);
        counters.increment(CounterId.FRAMES_SENT);
        counters.add(CounterId.WIRE_BYTES_SENT, frame.wireBytes());
        return frame;
    }

    private Frame pollData(long nowNanos) {
        Frame frame = data.poll();
        if (frame == null) {
            return null;
        }
        if (policies != null) {
            policies.onDeparture(frame, data.wireBytes(), nowNanos);
        }
        if (contents != null) {
            contents.onDeparture(frame);
        }
        if (marker != null && marker.isOnDeparture() && marker.mark(frame, data.wireBytes())) {
            counters.increment(CounterId.FRAMES_MARKED);
        }
        if (meter != null) {
            meter.onLevel(data.wireBytes(), nowNanos);
        }
        return frame;
    }

    @Override
    public long nextTransmitNanos(long nowNanos) {
        long readyNanos = !data.isEmpty() ? nowNanos : nextCreditNanos(nowNanos);
        if (readyNanos != Deadline.NO_DEADLINE) {
            readyNanos = Math.max(readyNanos, link.freeNanos());
        }
        return Math.min(readyNanos, departing.nextNanos());
    }

    private long nextCreditNanos(long nowNanos) {
        return credits == null ? Deadline.NO_DEADLINE : credits.nextNanos(nowNanos);
    }

    // ---- queries

    /** {@return what the port is} */
    public SwitchPortConfig config() {
        return config;
    }

    /** {@return what the port counts} */
    public Counters counters() {
        return counters;
    }

    /** {@return frames that the data queue has taken, by the port that they came in by} */
    public long[] dataQueuedByIngress() {
        return dataCounts.queued();
    }

    /** {@return frames for which the data queue had no room, by the port that they came in by} */
    public long[] dataDroppedByIngress() {
        return dataCounts.dropped();
    }

    /** {@return credits that were to pass the meter, by the port that they came in by} */
    public long[] creditsOfferedByIngress() {
        return creditCounts.queued();
    }

    /** {@return credits that did not pass the meter, by the port that they came in by} */
    public long[] creditsDroppedByIngress() {
        return creditCounts.dropped();
    }

    /** {@return bytes in the data queue, as they count on the wire} */
    public long dataQueueBytes() {
        return data.wireBytes();
    }

    /** {@return the most bytes that have been in the data queue} */
    public long dataQueueBytesMax() {
        return dataQueueBytesMax;
    }

    /** {@return the most bytes that have been in the data queue since this was asked last} */
    public long takeDataQueueBytesMax() {
        long max = dataQueueBytesWindowMax;
        dataQueueBytesWindowMax = data.wireBytes();
        return max;
    }

    /** Measures the data queue over time from now on; null for no more. */
    public void setQueueMeter(QueueMeter newMeter) {
        meter = newMeter;
    }

    /** Looks into the data queue from now on, at every frame; the queue has to be empty. */
    public void setQueueContents(QueueContents newContents) {
        contents = newContents;
    }

    /**
     * {@return the wire bytes that have left by {@code nowNanos}} A frame in transmission counts as far as it has left.
     */
    public long wireBytesSent(long nowNanos) {
        return counters.get(CounterId.WIRE_BYTES_SENT) - link.bytesLeft(nowNanos);
    }

    /** {@return credits that wait for the meter} */
    public int creditQueueFrames() {
        return credits == null ? 0 : credits.frameCount();
    }

    /** {@return the most credits that have waited at once} */
    public int creditQueueFramesMax() {
        return credits == null ? 0 : credits.frameCountMax();
    }

    /** Forgets how many credits have waited: the most counts from now on. */
    public void restartCreditQueueMax() {
        if (credits != null) {
            credits.restartMax();
        }
    }

    /** {@return what the gauges of its policies are called} */
    public List<String> gauges() {
        return policies == null ? List.of() : policies.gauges();
    }

    /** {@return what one of its {@link #gauges} stands at} */
    public long gauge(int index) {
        return policies.gauge(index);
    }

    /** {@return frames that came in by the port and that a policy holds} */
    public int heldFrames() {
        return held == null ? 0 : held.frameCount();
    }

    /** {@return frames that the port holds: queued, on its link, or held by a policy} */
    public int framesHeld() {
        return data.frameCount() + departing.frameCount() + arriving.frameCount() + creditQueueFrames() + heldFrames();
    }

    void releaseAll() {
        data.releaseAll();
        if (contents != null) {
            contents.clear();
        }
        departing.releaseAll();
        arriving.releaseAll();
        if (held != null) {
            held.releaseAll();
        }
        if (credits != null) {
            credits.releaseAll();
        }
    }
}
