package io.weir.transport.socket;

import io.weir.transport.frame.FrameOwner;
import io.weir.transport.frame.FramePool;
import io.weir.transport.host.Connection;
import io.weir.transport.host.ConnectionHandler;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.host.Secrets;
import io.weir.transport.node.NetPort;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.LoopTask;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.NodeBinding;
import io.weir.transport.runtime.OwnHostPort;
import io.weir.transport.runtime.SteeredPort;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.telemetry.AccountId;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Ledger;
import io.weir.transport.telemetry.TraceRing;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/**
 * One loop of a transport, and what it owns: a host's stack and a port. A connection belongs to one loop from its
 * opening to its end.
 */
final class TransportLoop {
    private final Transport transport;
    private final int index;
    private final HostStack host;
    private final EventLoop loop;
    private final FramePool pool;
    /** The interface's port, and the way to other loops and transports of this process. */
    private final OwnHostPort ownHost;

    private final InterfaceChanges changes;
    /** Null until the transport is closed; written by the first thread that closes it. */
    private volatile Drain drain;

    /**
     * What a loop is made of.
     *
     * @param queue the port, its pool, and what the interface's other side is asked by
     * @param config the host's configuration
     * @param protocols what it speaks
     * @param group the ports of the interface, or null where this is the only one
     * @param clock the time of all loops
     * @param isClockInvoked whether that is the application's
     */
    record Parts(
            Backend.Opened queue,
            HostConfig config,
            List<ProtocolFactory> protocols,
            SteeredPort.Group group,
            LongSupplier clock,
            boolean isClockInvoked) {}

    /** Creates a loop that does not run yet. */
    TransportLoop(Transport transport, int index, String name, Parts parts) throws IOException {
        this.transport = transport;
        this.index = index;
        NetInterface netInterface = parts.queue().netInterface();
        this.pool = parts.queue().pool();
        SecureRandom random = transport.secureRandom();
        Secrets secrets = new Secrets(random.nextLong(), random.nextLong());
        this.host = new HostStack(
                parts.config(),
                pool,
                parts.protocols(),
                secrets,
                transport.counterFile().ofLoop(index));
        SteeredPort steered = parts.group() == null
                ? null
                : parts.group().join(netInterface.port(), pool, this::onHandOver, host.network()::setLinkShare);
        NetPort port = steered == null ? netInterface.port() : steered;
        Runnable onDrop = () -> host.counters().increment(CounterId.DROP_OWN_HOST);
        this.ownHost = new OwnHostPort(netInterface, port, pool, transport.listening(), onDrop);
        List<NodeBinding> bindings = List.of(new NodeBinding(host, List.of(ownHost)));
        Waiter waiter = netInterface.newWaiter();
        ownHost.setWaiter(waiter);
        if (steered != null) {
            steered.setWaiter(waiter);
        }
        IdleMode idleMode = transport.config().idleMode();
        this.loop = parts.isClockInvoked()
                ? EventLoop.invokedBy(parts.clock(), name, bindings, waiter, this::stop)
                : new EventLoop(name, bindings, idleMode, waiter, this::stop, parts.clock());
        loop.setScheduling(transport.config().scheduling());
        loop.setTaskFaultListener(this::onTaskFault);
        TransportRecorder recorder = transport.counterFile().recorder();
        TraceRing trace = recorder.ring(index, parts.clock());
        host.setTrace(trace);
        host.setEventListener(recorder.events(index, host, trace));
        loop.setReport(transport.counterFile().report(index, host, pool, trace));
        loop.setPauseListener(TransportRecorder.pauses(name));
        host.setFaultListener(transport.faultLog());
        host.setOwnerCheck(this::requireOwner);
        // Not when a connection has ended: while it lingers, repetitions must still reach it.
        host.setForgetListener(this::onForgotten);
        this.changes = new InterfaceChanges(
                netInterface, host, loop, end -> transport.end().onGone(end));
    }

    private void onHandOver(boolean wasTaken) {
        host.counters().increment(wasTaken ? CounterId.FRAMES_HANDED_OVER : CounterId.DROP_HANDED_OVER);
    }

    /** Refuses a thread that is not in a cycle of the loop, nor its invoker. */
    void requireOwner() {
        boolean isOwner = loop.isInCycle() || (loop.isInvoker() && loop.isLoopThread());
        if (!isOwner && !loop.isClosed()) {
            throw new IllegalStateException(
                    "a Connection belongs to the thread that runs the loop " + loop.name() + ", and the thread "
                            + Thread.currentThread().getName()
                            + " is not in a cycle of it; use it within handlers or Transport.execute, or a WeirSocket instead");
        }
    }

    private void onForgotten(Connection connection) {
        transport.claims().releaseIfUnused(connection.path().localPort(), index);
        Drain ending = drain;
        if (ending != null) {
            ending.onForgotten(host.nowNanos());
        }
    }

    /** The loop ends: on whatever thread ends it, with nobody in a cycle. */
    private void stop() {
        try {
            host.close();
        } finally {
            transport.end().onLoopStopped();
        }
    }

    private void onTaskFault(Throwable problem) {
        host.counters().increment(CounterId.CALLBACK_FAULTS);
        transport.faultLog().onFault(null, problem);
    }

    /** Runs a task with all that belongs to the loop: {@link Transport#execute(LoopTask)}. */
    void execute(LoopTask task) {
        execute(task, false);
    }

    /**
     * As {@link #execute}, on a thread of the application, which runs the cycle itself while the loop's thread sleeps.
     */
    void executeHelping(LoopTask task) {
        execute(task, true);
    }

    private void execute(LoopTask task, boolean mayHelp) {
        LoopTask prepared = prepare(task);
        try {
            if (loop.runNow(prepared)) {
                return;
            }
        } catch (VirtualMachineError e) {
            throw e;
        } catch (RuntimeException | Error e) {
            onTaskFault(e);
            return;
        }
        if (!mayHelp || !loop.offerAndHelp(prepared)) {
            loop.execute(prepared);
        }
    }

    /** {@return a task for {@link #executePrepared}, made once for many runs} */
    LoopTask prepare(LoopTask task) {
        return new HostTask(host, task);
    }

    /** As {@link #execute}, for what is no loss once the loop has ended. */
    void executePrepared(LoopTask task) {
        if (!loop.runNow(task)) {
            loop.offer(task);
        }
    }

    /** As {@link #executePrepared}, on a thread of the application, which runs the cycle as {@link #executeHelping}. */
    void executePreparedHelping(LoopTask task) {
        if (!loop.runNow(task)) {
            loop.offerAndHelp(task);
        }
    }

    <T> T call(LoopCall<T> work, long waitNanosMax) throws IOException {
        LoopAnswer<T> answer = new LoopAnswer<>(work, this);
        executePrepared(prepare(answer));
        return answer.await(waitNanosMax);
    }

    /** Opens a connection from a port that is claimed for it; null where the host has as many as it may. */
    Connection connect(Path path, ProtocolId protocol, ConnectionHandler handler) {
        Connection connection = host.connect(path, protocol, handler);
        if (connection != null) {
            transport.claims().onConnection(path.localPort(), index);
        }
        return connection;
    }

    /** Begins to end every connection in order, within {@code drainNanos}. Once. */
    void drain(long drainNanos) {
        drain = new Drain(loop, host, drainNanos);
        try {
            executePrepared(prepare(drain));
        } catch (RejectedExecutionException e) {
            // So many tasks wait that none more fits.
            loop.close();
        }
    }

    /** {@return what is open here; of frames, all that are not in their pool} Any thread. */
    Ledger ledger() {
        Ledger ledger = host.ledger().without(AccountId.FRAMES);
        int heldFrames = pool.count(FrameOwner.HELD);
        ledger.add(AccountId.FRAMES, heldFrames);
        ledger.add(AccountId.RING_ENTRIES, (long) pool.frameCount() - pool.count(FrameOwner.FREE) - heldFrames);
        return ledger;
    }

    /** {@return whether it has ended without a fault and left something open} Buffers may still be read. */
    boolean hasLeftOpen() {
        boolean isOver = loop.failure() == null && loop.awaitEnd(0);
        return isOver && !ledger().without(AccountId.BUFFER_BYTES).isBalanced();
    }

    Transport transport() {
        return transport;
    }

    /** {@return the loop's number, from 0 on} */
    int index() {
        return index;
    }

    EventLoop loop() {
        return loop;
    }

    HostStack host() {
        return host;
    }

    OwnHostPort ownHost() {
        return ownHost;
    }

    InterfaceChanges changes() {
        return changes;
    }
}
