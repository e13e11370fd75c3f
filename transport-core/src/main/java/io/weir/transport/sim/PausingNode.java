package io.weir.transport.sim;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.node.Egress;
import io.weir.transport.node.EgressListener;
import io.weir.transport.node.Node;
import io.weir.transport.scenario.Pauses;
import io.weir.transport.scenario.result.PauseResult;
import io.weir.transport.time.Deadline;
import java.util.ArrayDeque;

/**
 * A host or switch whose loop loses its core as a trace has it. In a pause frames wait in the rings of its ports,
 * time-outs and what applications ask for wait too, and nothing leaves but what is on a link already. Then the loop's
 * cycles go on as those of the event loop do: the Node learns of the pause, does what it was asked for, takes a burst
 * of frames from each ring, fires what is due and transmits; the next cycle has a later time.
 *
 * <p>Between pauses the Node is as prompt as without, unless each frame costs the loop time. What leaves is then
 * counted too, but not held back: a device takes frames from its ring while the loop does something else.
 *
 * <p>Design notes: every pause ends with an event, also that of an idle Node, because a real loop notices its pauses
 * when nothing happens, and Nodes may learn from them. Who uses it closes it, for the frames in its rings.
 */
public final class PausingNode implements Node {
    /** As an agent of the event loop takes from a port in one go. */
    private static final int RECEIVE_BURST_FRAMES = 64;
    /** From which length on the event loop tells its Nodes. */
    static final long TOLD_NANOS_MIN = 100_000;

    private final Node node;
    private final PauseClock clock;
    private final int ringFrames;
    private final long workNanos;
    private final FrameQueue[] rings;
    private final Egress[] egresses;
    private final ArrayDeque<Runnable> deferred = new ArrayDeque<>();
    /** Who is told which port is ready; null where the driver looks at every port itself. */
    private EgressListener listener;
    /** Frames in all rings. */
    private int waitingFrames;
    /** The latest time that it was told; in a pause what is overdue waits for its end. */
    private long latestNanos;
    /** Until when the loop is at the frames of an earlier cycle; nothing is received before. */
    private long busyUntilNanos;
    /** Whether the Node has been told of a pause, and not yet that its rings are empty. */
    private boolean isBehind;
    /** Pauses that have ended. */
    private long pauseCount;
    /** Their lengths together. */
    private long pausedNanos;
    /** The longest of them. */
    private long pauseNanosMax;
    /** Frames that found a ring full. */
    private long framesLost;

    /** Creates a Node that pauses; {@code random} says where in the trace it begins. */
    public PausingNode(Node node, Pauses pauses, SeededRandom random) {
        this(node, pauses, Math.floorMod(random.nextLong(), pauses.trace().cycleNanos()));
    }

    /** Creates a Node whose time 0 is {@code phaseNanos} into the trace. */
    PausingNode(Node node, Pauses pauses, long phaseNanos) {
        this.node = node;
        this.clock = new PauseClock(pauses.trace(), phaseNanos);
        this.ringFrames = pauses.ringFrames();
        this.workNanos = pauses.workNanos();
        this.rings = new FrameQueue[node.portCount()];
        this.egresses = new Egress[node.portCount()];
        for (int i = 0; i < rings.length; i++) {
            rings[i] = new FrameQueue();
            egresses[i] = new Port(node.egress(i));
        }
    }

    /** {@return whether the loop has its core} */
    public boolean isRunning(long nowNanos) {
        return nowNanos < clock.startNanos();
    }

    /** Does something in the first cycle after the pause, before frames are received. The loop is paused. */
    public void defer(Runnable action) {
        deferred.add(action);
    }

    @Override
    public void onFrame(int portIndex, Frame frame, long nowNanos) {
        latestNanos = nowNanos;
        if (waitingFrames == 0 && isRunning(nowNanos) && nowNanos >= busyUntilNanos) {
            work(1, nowNanos);
            node.onFrame(portIndex, frame, nowNanos);
        } else if (rings[portIndex].frameCount() == ringFrames) {
            framesLost++;
            frame.release();
        } else {
            rings[portIndex].add(frame);
            waitingFrames++;
        }
    }

    @Override
    public void onTimeout(long nowNanos) {
        latestNanos = nowNanos;
        boolean isResumed = false;
        if (!isRunning(nowNanos)) {
            if (nowNanos < clock.endNanos()) {
                return;
            }
            resume(nowNanos);
            isResumed = true;
        }
        if (nowNanos >= busyUntilNanos) {
            runCycle(nowNanos);
        }
        if (isResumed && listener != null) {
            // Each port was silent, and has told nobody what it has.
            for (int i = 0; i < egresses.length; i++) {
                listener.onReady(i);
            }
        }
    }

    private void resume(long nowNanos) {
        long lengthNanos = nowNanos - clock.startNanos();
        pauseCount++;
        pausedNanos += lengthNanos;
        pauseNanosMax = Math.max(pauseNanosMax, lengthNanos);
        if (busyUntilNanos > clock.startNanos()) {
            busyUntilNanos += lengthNanos;
        }
        clock.advance();
        if (lengthNanos >= TOLD_NANOS_MIN) {
            node.onPause(lengthNanos, nowNanos);
            isBehind = true;
        }
        for (Runnable action = deferred.poll(); action != null; action = deferred.poll()) {
            action.run();
        }
    }

    private void runCycle(long nowNanos) {
        int received = 0;
        for (int i = 0; i < rings.length && waitingFrames > 0; i++) {
            received += receive(i, nowNanos);
        }
        if (isBehind && waitingFrames == 0) {
            isBehind = false;
            node.onCaughtUp(nowNanos);
        }
        if (node.nextTimeoutNanos() <= nowNanos) {
            node.onTimeout(nowNanos);
        }
        work(received, nowNanos);
        if (waitingFrames > 0 && busyUntilNanos <= nowNanos) {
            // Time goes on from cycle to cycle, even where frames cost nothing.
            busyUntilNanos = nowNanos + 1;
        }
    }

    private void work(int frames, long nowNanos) {
        if (workNanos > 0 && frames > 0) {
            busyUntilNanos = Math.max(busyUntilNanos, nowNanos) + frames * workNanos;
        }
    }

    private int receive(int portIndex, long nowNanos) {
        FrameQueue ring = rings[portIndex];
        int count = Math.min(ring.frameCount(), RECEIVE_BURST_FRAMES);
        for (int i = 0; i < count; i++) {
            waitingFrames--;
            node.onFrame(portIndex, ring.poll(), nowNanos);
        }
        return count;
    }

    @Override
    public long nextTimeoutNanos() {
        long dueNanos = waitingFrames > 0 ? busyUntilNanos : Math.max(node.nextTimeoutNanos(), busyUntilNanos);
        return Math.max(dueNanos, latestNanos) >= clock.startNanos() ? clock.endNanos() : dueNanos;
    }

    @Override
    public Egress egress(int portIndex) {
        return egresses[portIndex];
    }

    @Override
    public int portCount() {
        return rings.length;
    }

    @Override
    public void onPause(long pauseNanos, long nowNanos) {
        node.onPause(pauseNanos, nowNanos);
    }

    @Override
    public void onCaughtUp(long nowNanos) {
        node.onCaughtUp(nowNanos);
    }

    @Override
    public void onDeparted(int portIndex, long ticket, long departedNanos) {
        node.onDeparted(portIndex, ticket, departedNanos);
    }

    @Override
    public boolean setEgressListener(EgressListener newListener) {
        boolean tells = node.setEgressListener(newListener);
        listener = tells ? newListener : null;
        return tells;
    }

    /** {@return its result so far, under this name} */
    public PauseResult result(String name) {
        return new PauseResult(name, pauseCount, pausedNanos, pauseNanosMax, framesLost);
    }

    /** Returns the frames of its rings to their pool. */
    public void close() {
        for (FrameQueue ring : rings) {
            ring.releaseAll();
        }
        waitingFrames = 0;
    }

    /** The Node's own egress, silent while nobody runs it. */
    private final class Port implements Egress {
        private final Egress egress;

        Port(Egress egress) {
            this.egress = egress;
        }

        @Override
        public Frame pollTransmit(long nowNanos) {
            if (!isRunning(nowNanos)) {
                return null;
            }
            Frame frame = egress.pollTransmit(nowNanos);
            if (frame != null) {
                work(1, nowNanos);
            }
            return frame;
        }

        @Override
        public long nextTransmitNanos(long nowNanos) {
            return isRunning(nowNanos) ? egress.nextTransmitNanos(nowNanos) : Deadline.NO_DEADLINE;
        }
    }
}
