package io.weir.netty;

import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.util.concurrent.ThreadAwareExecutor;
import io.weir.transport.host.HostStack;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a loop of a Weir transport inside one of Netty's event loops: each {@link #run} is one cycle of the stack, after
 * which the channels that it concerns tell their pipelines, and a wait if there was nothing to do.
 *
 * <p>One interface has one transport, with one loop or as many as {@link TransportConfig#queueCount} says; each loop
 * has its event loop and its channels. The thread sleeps on the port's descriptor when nothing has come for a while; a
 * wake-up by another thread costs no system call while it does not sleep.
 */
public final class WeirIoHandler implements IoHandler {
    private static final Logger LOG = LoggerFactory.getLogger(WeirIoHandler.class);
    private static final long SLEEP_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);
    /** Neighbours that do not answer keep a thread for seconds each. */
    private static final int CONNECT_THREADS_MAX = 4;

    private static final long CONNECT_THREAD_SECONDS = 5;

    private final ThreadAwareExecutor executor;
    private final WeirLoops loops;
    private final Transport transport;
    /** The loop that it runs, of the transport's. */
    private final EventLoop loop;
    /** The stack of that loop. */
    private final HostStack host;

    private final Set<WeirIoHandle> handles = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Channels whose pipelines are to be told something, each at most once. */
    private final ArrayDeque<WeirIoHandle> ready = new ArrayDeque<>();
    /** Finds the way to a peer, which can take as long as its neighbour takes to answer. */
    private final ThreadPoolExecutor connector;

    /** The event loop's thread, once it runs. Written by itself. */
    private volatile Thread thread;
    /** What ended the transport, or null. Written by the loop's thread, once. */
    private volatile Throwable failure;

    /** @param index the number of the loop that it runs */
    WeirIoHandler(ThreadAwareExecutor executor, WeirLoops loops, int index) {
        this.executor = executor;
        this.loops = loops;
        this.transport = loops.transport();
        this.loop = transport.loops().get(index);
        this.host = transport.hostStacks().get(index);
        this.connector = new ThreadPoolExecutor(
                CONNECT_THREADS_MAX,
                CONNECT_THREADS_MAX,
                CONNECT_THREAD_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread created = new Thread(task, loop.name() + "-connect");
                    created.setDaemon(true);
                    return created;
                });
        connector.allowCoreThreadTimeOut(true);
    }

    /**
     * {@return a factory for an interface of this host, set up as most users want it} See {@link
     * #newFactory(TransportOpener)}.
     */
    public static IoHandlerFactory newFactory(String interfaceName) {
        return newFactory(interfaceName, TransportConfig.builder());
    }

    /**
     * {@return a factory for an interface of this host} See {@link #newFactory(TransportOpener)}.
     *
     * @param config what to open the interface with; its idle mode is set here
     */
    public static IoHandlerFactory newFactory(String interfaceName, TransportConfig.Builder config) {
        TransportConfig built = config.idleMode(IdleMode.INVOKER).build();
        return newFactory(() -> Transport.open(interfaceName, built));
    }

    /**
     * {@return a factory of the handlers of one interface} The interface is opened when the group is made. The group
     * needs as many threads as the transport has loops, one unless {@link TransportConfig#queueCount} says more.
     * Further handlers are refused while there are these. Use the group as boss and as worker.
     */
    public static IoHandlerFactory newFactory(TransportOpener opener) {
        return new WeirIoHandlerFactory(opener);
    }

    @Override
    public void initialize() {
        thread = Thread.currentThread();
        loop.adopt();
        // The event loop's thread is this loop's as much as its own would be.
        loop.tuneThread();
    }

    @Override
    public int run(IoHandlerContext context) {
        int handled = tellPipelines();
        int work = runCycle();
        handled += tellPipelines();
        if (handled == 0 && context.canBlock()) {
            idleAfter(work, context.delayNanos(System.nanoTime()));
        }
        return handled;
    }

    private int runCycle() {
        if (failure != null) {
            return 0;
        }
        try {
            int work = loop.runOnce();
            if (loop.isClosed()) {
                Throwable fault = loops.failure();
                if (fault != null) {
                    return onEnded(fault);
                }
            }
            return work;
        } catch (Throwable e) {
            LOG.error("the transport of loop={} ended by a fault", loop.name(), e);
            return onEnded(e);
        }
    }

    /** The transport has ended, and its connections with it. The event loop goes on, to tell their pipelines. */
    private int onEnded(Throwable fault) {
        failure = fault;
        List.copyOf(handles).forEach(this::ready);
        return 1;
    }

    /** {@return for how many channels; those that come while it tells them are told in the next turn} */
    private int tellPipelines() {
        int count = ready.size();
        if (count > 0) {
            tick();
        }
        for (int i = 0; i < count; i++) {
            WeirIoHandle handle = ready.poll();
            handle.setQueued(false);
            tellPipeline(handle);
        }
        return count;
    }

    /**
     * Pipelines keep exceptions of their handlers to themselves. What comes through all the same costs one channel and
     * not the loop.
     */
    private void tellPipeline(WeirIoHandle handle) {
        try {
            handle.onReady();
        } catch (Exception e) {
            LOG.warn("loop={} a channel failed and is closed", loop.name(), e);
            close(handle);
        }
    }

    private void close(WeirIoHandle handle) {
        try {
            handle.close();
        } catch (Exception e) {
            LOG.warn("loop={} could not close a channel", loop.name(), e);
        }
    }

    private void idleAfter(int work, long nanosMax) {
        long nanos = Math.min(SLEEP_NANOS_MAX, nanosMax);
        if (failure != null) {
            LockSupport.parkNanos(this, nanos);
        } else if (nanos > 0) {
            loop.idleAfter(work, nanos);
        }
    }

    @Override
    public void wakeup() {
        if (executor.isExecutorThread(Thread.currentThread())) {
            return;
        }
        if (failure != null) {
            LockSupport.unpark(thread);
        } else {
            loop.wake();
        }
    }

    @Override
    public IoRegistration register(IoHandle handle) {
        if (!(handle instanceof WeirIoHandle weir)) {
            throw new IllegalArgumentException(
                    "handle of type " + handle.getClass().getName()
                            + " is not Weir's; use WeirSocketChannel or WeirServerSocketChannel with this event loop");
        }
        if (!weir.mayBelongTo(host)) {
            throw new IllegalStateException("the connection belongs to another event loop than " + loop.name()
                    + "; use the same group as boss and as worker");
        }
        if (!loops.isComplete()) {
            throw new IllegalStateException("the transport has " + loops.size() + " loops, and the group has fewer"
                    + " threads to run them; make it with " + loops.size());
        }
        if (failure != null) {
            throw new IllegalStateException(
                    "the transport of this event loop ended by a fault: " + failure + "; make a new group", failure);
        }
        if (loops.size() > 1) {
            loops.start();
        }
        handles.add(weir);
        weir.registered();
        return new Registration(weir);
    }

    @Override
    public void prepareToDestroy() {
        List.copyOf(handles).forEach(this::close);
    }

    @Override
    public void destroy() {
        connector.shutdownNow();
        loops.leave();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return WeirIoHandle.class.isAssignableFrom(handleType);
    }

    // ---- what channels need

    Transport transport() {
        return transport;
    }

    /** {@return the loop of the transport that it runs} */
    EventLoop loop() {
        return loop;
    }

    /** {@return the stack of that loop} */
    HostStack host() {
        return host;
    }

    WeirLoops loops() {
        return loops;
    }

    /** {@return the event loop that runs it} */
    IoEventLoop eventLoop() {
        return (IoEventLoop) executor;
    }

    /** {@return what ended the transport, or null} */
    Throwable failure() {
        return failure;
    }

    /** {@return channels that are registered; loop thread} */
    int channelCount() {
        return handles.size();
    }

    /** Runs what may wait for the network, on its own thread. */
    Executor connector() {
        return connector;
    }

    /** {@return whether the calling thread is the loop's} */
    boolean isOwner() {
        return executor.isExecutorThread(Thread.currentThread());
    }

    /** Tells the stack what time it is, before a call between two cycles. */
    void tick() {
        if (failure == null && !loop.isInCycle()) {
            host.tick(loop.nowNanos());
        }
    }

    /** Has a channel told its pipeline what has happened, soon. */
    void ready(WeirIoHandle handle) {
        if (!handle.isQueued()) {
            handle.setQueued(true);
            ready.add(handle);
        }
    }

    private final class Registration implements IoRegistration {
        private final WeirIoHandle handle;
        private boolean isValid = true;

        Registration(WeirIoHandle handle) {
            this.handle = handle;
        }

        @Override
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Netty's signature
        public <T> T attachment() {
            return (T) WeirIoHandler.this;
        }

        @Override
        public long submit(IoOps ops) {
            throw new UnsupportedOperationException("channels of Weir submit nothing");
        }

        @Override
        public boolean isValid() {
            return isValid;
        }

        @Override
        public boolean cancel() {
            if (!isValid) {
                return false;
            }
            isValid = false;
            handles.remove(handle);
            handle.unregistered();
            return true;
        }
    }

    /** {@return that Netty's events are not for these channels} */
    static UnsupportedOperationException unexpected(IoEvent event) {
        return new UnsupportedOperationException("channels of Weir get no events such as " + event);
    }
}
