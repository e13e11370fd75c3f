package io.weir.transport.socket;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.Connection;
import io.weir.transport.node.PortEnd;
import io.weir.transport.runtime.EventLoop;
import java.io.IOException;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How a transport ends: whether it can still be used, why not, and who waits for it. What ends it wakes all who wait,
 * and they find the reason here. Any thread.
 */
final class TransportEnd {
    /** How much later than asked for the last frames may leave before the loop is ended all the same. */
    private static final long DRAIN_SLACK_NANOS = 1_000_000_000L;
    /** How often a thread that waits for a loop's end looks whether that can still come. */
    private static final long LOOK_NANOS = 100_000_000;

    private final TransportLoops loops;
    private final PortClaims claims;
    private final WaitClock clock;
    /** What threads of the application may be waiting for; sockets leave it when their connection is over. */
    private final Set<Wakeable> waiters = ConcurrentHashMap.newKeySet();
    /** Loops that have not stopped; each that stops takes one. */
    private final AtomicInteger runningLoops;

    /** Closed by the loop that stops last. */
    private final TransportCounters counters;

    private final AtomicBoolean isClosing = new AtomicBoolean();
    /** Whether the interface is opened again when it returns. */
    private final boolean isReopening;
    /** Why the port moves no frames, or null while it does; written by loops' threads. */
    private volatile PortEnd portEnd;
    /** Loops whose connections do not know yet that the interface is gone; each that does takes one. */
    private final AtomicInteger untoldLoops;
    /** Is told when the interface is gone, and when it is back. */
    private volatile InterfaceEndListener listener = reason -> {};

    TransportEnd(
            TransportLoops loops, PortClaims claims, WaitClock clock, boolean isReopening, TransportCounters counters) {
        this.counters = counters;
        this.loops = loops;
        this.isReopening = isReopening;
        this.untoldLoops = new AtomicInteger(loops.size());
        this.claims = claims;
        this.clock = clock;
        this.runningLoops = new AtomicInteger(loops.size());
    }

    /** Something waits, or may, until the transport ends. */
    void register(Wakeable waiter) {
        waiters.add(waiter);
    }

    void forget(Wakeable waiter) {
        waiters.remove(waiter);
    }

    /**
     * The port moves no frames any more. Those that wait for a connection that there was have been told. A loop's
     * thread.
     */
    void onGone(PortEnd end) {
        portEnd = end;
        counters.record(Failures.ofUse(CloseReason.of(end), null));
        waiters.forEach(Wakeable::wake);
        if (untoldLoops.decrementAndGet() == 0) {
            listener.onInterfaceEnded(CloseReason.of(end));
        }
    }

    /** The interface is open again. The loop's thread. */
    void onReturned() {
        untoldLoops.set(loops.size());
        portEnd = null;
        listener.onInterfaceReturned();
    }

    void setListener(InterfaceEndListener newListener) {
        listener = newListener == null ? reason -> {} : newListener;
    }

    /** {@return why the interface moves no frames, or null while it does} */
    CloseReason interfaceEnd() {
        PortEnd end = portEnd;
        return end == null ? null : CloseReason.of(end);
    }

    /** Refuses what needs the interface, also while it is away and will be opened again. */
    void requireInterface() throws IOException {
        requireRunning();
        CloseReason end = interfaceEnd();
        if (end != null) {
            throw Failures.ofUse(end, null);
        }
    }

    /** A loop has ended. Unless the transport is being closed it ended by a fault, and the others end with it. */
    void onLoopStopped() {
        try {
            if (runningLoops.decrementAndGet() == 0) {
                counters.close();
                claims.releaseAll();
            } else if (!isClosing.get()) {
                loops.forEach(home -> home.loop().requestClose());
            }
        } finally {
            waiters.forEach(Wakeable::wake);
        }
    }

    void requireRunning() throws IOException {
        IOException reason = reason();
        if (reason != null) {
            throw reason;
        }
    }

    /** {@return why nothing can be waited for any more, or null} */
    IOException reason() {
        boolean isClosed = isClosing.get();
        for (TransportLoop home : loops) {
            Throwable fault = home.loop().failure();
            if (fault != null) {
                return byFault(fault);
            }
            isClosed |= home.loop().isClosed();
        }
        PortEnd gone = portEnd;
        if (gone != null && !isReopening) {
            return Failures.ofUse(CloseReason.of(gone), null);
        }
        return isClosed ? new SocketException("Transport closed") : null;
    }

    /** {@return why a connection that is over cannot be used} Where the transport ended, that is why, with cause. */
    IOException failureOf(Connection connection, CloseReason reason) {
        IOException end = reason == CloseReason.HOST_CLOSED ? reason() : null;
        return end != null ? end : Failures.ofUse(reason, connection.fault());
    }

    /** {@return that a transport ended by this} */
    static SocketException byFault(Throwable fault) {
        return Failures.because("Transport ended by a fault: " + fault, fault);
    }

    /** Ends every connection in order, within {@code drainNanos}, then the loops: {@link Transport#close()}. */
    void close(long drainNanos) {
        if (isClosing.compareAndSet(false, true)) {
            waiters.forEach(Wakeable::wake);
            loops.forEach(home -> home.loop().endIfExiting());
            loops.forEach(home -> home.drain(drainNanos));
        }
        if (loops.current() != null) {
            return;
        }
        long deadlineNanos = clock.nanoTime() + drainNanos + DRAIN_SLACK_NANOS;
        loops.forEach(home -> awaitDrained(home.loop(), deadlineNanos));
        loops.forEach(home -> home.loop().close());
    }

    private void awaitDrained(EventLoop loop, long deadlineNanos) {
        long leftNanos = deadlineNanos - clock.nanoTime();
        while (leftNanos > 0 && !loop.isClosed() && loop.failure() == null) {
            if (loop.isInvoker()) {
                loop.runOnceToClose(leftNanos);
            } else {
                loop.awaitEnd(Math.min(leftNanos, LOOK_NANOS));
            }
            loop.endIfExiting();
            leftNanos = deadlineNanos - clock.nanoTime();
        }
    }
}
