package io.weir.transport.sim;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameQueue;
import io.weir.transport.host.HostStack;
import io.weir.transport.node.Egress;
import io.weir.transport.node.ForwardingNode;
import io.weir.transport.node.Node;
import io.weir.transport.scenario.Fault;
import io.weir.transport.time.Deadline;
import java.util.function.Supplier;

/**
 * A host whose driver loses its core at times, and that crashes and comes back. In a pause, frames wait in the rings,
 * time-outs and transmissions too. A crash takes everything that the stack knew: frames return to their pool, and the
 * peers are told nothing; a new stack, with the address of the old one and new secrets, starts empty.
 */
public final class FaultyHost extends ForwardingNode {
    /** As many frames wait for a host that does not run; what comes then finds no room, like in a NIC's ring. */
    private static final int RING_FRAMES = 4096;

    private final Supplier<HostStack> boot;
    private final FrameQueue rings = new FrameQueue();
    private final Egress egress = new FaultyEgress();
    private HostStack stack;
    private boolean isUp = true;
    private long pausedNanos = Deadline.NO_DEADLINE;
    private long resumeNanos;

    /** Creates a host that runs; {@code boot} makes its stack now and after each crash. */
    public FaultyHost(Supplier<HostStack> boot) {
        this.boot = boot;
        this.stack = boot.get();
    }

    /** {@return the stack that runs, or that ran last} */
    public HostStack stack() {
        return stack;
    }

    /** {@return whether the host runs, be it paused} */
    public boolean isUp() {
        return isUp;
    }

    /** Runs the host no more before {@code nowNanos + pauseNanos}, unless it is paused or down already. */
    public void pause(long pauseNanos, long nowNanos) {
        if (isUp && pausedNanos == Deadline.NO_DEADLINE) {
            pausedNanos = nowNanos;
            resumeNanos = nowNanos + pauseNanos;
        }
    }

    /** Pauses the host as {@code fault} says, on behalf of {@code node}, which is this host. Allocates. */
    public void pause(Simulator simulator, SimNode node, Fault.HostPause fault) {
        schedulePause(simulator, node, fault, fault.fromNanos());
    }

    private void schedulePause(Simulator simulator, SimNode node, Fault.HostPause fault, long atNanos) {
        if (atNanos >= fault.untilNanos()) {
            return;
        }
        simulator.at(atNanos, node, () -> {
            pause(fault.pauseNanos(), atNanos);
            if (fault.everyNanos() > 0) {
                schedulePause(simulator, node, fault, atNanos + fault.everyNanos());
            }
        });
    }

    /** Ends the stack and all that it held. Frames that come while the host is down vanish. */
    public void crash(long nowNanos) {
        if (isUp) {
            stack.tick(nowNanos);
            stack.close();
            rings.releaseAll();
            isUp = false;
            pausedNanos = Deadline.NO_DEADLINE;
        }
    }

    /** Starts a new stack, if the host is down. */
    public void restart(long nowNanos) {
        if (!isUp) {
            stack = boot.get();
            stack.tick(nowNanos);
            isUp = true;
        }
    }

    private boolean isPaused(long nowNanos) {
        return pausedNanos != Deadline.NO_DEADLINE && nowNanos < resumeNanos;
    }

    private void resume(long nowNanos) {
        if (pausedNanos == Deadline.NO_DEADLINE) {
            return;
        }
        stack.onPause(nowNanos - pausedNanos, nowNanos);
        pausedNanos = Deadline.NO_DEADLINE;
        for (Frame frame = rings.poll(); frame != null; frame = rings.poll()) {
            stack.onFrame(0, frame, nowNanos);
        }
        stack.onCaughtUp(nowNanos);
    }

    @Override
    public void onFrame(int portIndex, Frame frame, long nowNanos) {
        boolean isWaiting = isPaused(nowNanos);
        if (!isUp || (isWaiting && rings.frameCount() == RING_FRAMES)) {
            frame.release();
        } else if (isWaiting) {
            rings.add(frame);
        } else {
            resume(nowNanos);
            stack.onFrame(portIndex, frame, nowNanos);
        }
    }

    @Override
    public void onTimeout(long nowNanos) {
        if (isUp && !isPaused(nowNanos)) {
            resume(nowNanos);
            stack.onTimeout(nowNanos);
        }
    }

    @Override
    public long nextTimeoutNanos() {
        if (!isUp) {
            return Deadline.NO_DEADLINE;
        }
        return pausedNanos == Deadline.NO_DEADLINE ? stack.nextTimeoutNanos() : resumeNanos;
    }

    @Override
    protected Node node() {
        return stack;
    }

    @Override
    protected Egress egress() {
        return egress;
    }

    /** {@return frames that it holds: those of the rings and of the stack} */
    public int framesHeld() {
        return rings.frameCount() + (isUp ? stack.framesHeld() : 0);
    }

    /** Ends every connection silently, and returns every frame to its pool. */
    public void close() {
        if (isUp) {
            stack.close();
        }
        rings.releaseAll();
    }

    /** The stack's own egress, silent while nobody runs it. */
    private final class FaultyEgress implements Egress {
        private boolean isSilent() {
            return !isUp || pausedNanos != Deadline.NO_DEADLINE;
        }

        @Override
        public Frame pollTransmit(long nowNanos) {
            return isSilent() ? null : stack.egress(0).pollTransmit(nowNanos);
        }

        @Override
        public long nextTransmitNanos(long nowNanos) {
            return isSilent() ? Deadline.NO_DEADLINE : stack.egress(0).nextTransmitNanos(nowNanos);
        }
    }
}
