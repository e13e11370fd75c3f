package io.weir.transport.aio;

import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ShutdownChannelGroupException;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A selector on a thread, which goes on with what could not be done at once, and an executor, which runs the handlers.
 * Any thread.
 */
final class SelectingGroup extends AsynchronousChannelGroup {
    private static final Logger LOG = LoggerFactory.getLogger(SelectingGroup.class);

    private final ExecutorService executor;
    private final Selector selector;
    private final Queue<Runnable> wishes = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    /** With its lock. */
    private final Set<Channel> open = new HashSet<>();
    /** Set with the lock of {@link #open}, never cleared. */
    private volatile boolean isShutdown;

    /** What a channel of the group waits with. */
    interface Ready {
        /** The channel may be ready for what it was armed for; it is not armed any more. */
        void onReady();
    }

    SelectingGroup(SelectingProvider provider, ExecutorService executor) throws IOException {
        super(provider);
        this.executor = executor;
        this.selector = provider.below().openSelector();
        this.thread = new Thread(this::run, "weir-async");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (selector.isOpen()) {
                int unused = selector.select(key -> fire(key));
                for (Runnable wish = wishes.poll(); wish != null; wish = wishes.poll()) {
                    wish.run();
                }
            }
        } catch (IOException | ClosedSelectorException e) {
            // The group has ended.
        } catch (RuntimeException | Error e) {
            LOG.error("a group of asynchronous channels ends by a fault", e);
            endByFault();
        }
    }

    /** Nobody would go on with what its channels wait for. */
    private void endByFault() {
        try {
            shutdownNow();
        } catch (IOException e) {
            LOG.debug("a channel of a group could not be closed", e);
        }
    }

    private static void fire(SelectionKey key) {
        Arms arms = (Arms) key.attachment();
        try {
            int ready = key.readyOps();
            key.interestOps(key.interestOps() & ~ready);
            arms.fire(ready);
        } catch (CancelledKeyException e) {
            // Closed: its pending calls have been told.
        }
    }

    /** What a channel waits for, by operation. The group's thread. */
    private static final class Arms {
        private Ready in;
        private Ready out;

        void arm(int ops, Ready ready) {
            if ((ops & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT)) != 0) {
                in = ready;
            } else {
                out = ready;
            }
        }

        void fire(int ready) {
            Ready first = in;
            if ((ready & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT)) != 0 && first != null) {
                in = null;
                first.onReady();
            }
            Ready second = out;
            if ((ready & (SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT)) != 0 && second != null) {
                out = null;
                second.onReady();
            }
        }
    }

    /** Tells {@code ready}, once, when a channel may be ready for an operation. A closed channel tells nothing. */
    void arm(SelectableChannel channel, int op, Ready ready) {
        wishes.add(() -> {
            try {
                SelectionKey key = channel.keyFor(selector);
                if (key == null) {
                    key = channel.register(selector, 0, new Arms());
                }
                ((Arms) key.attachment()).arm(op, ready);
                key.interestOps(key.interestOps() | op);
            } catch (ClosedChannelException | CancelledKeyException e) {
                ready.onReady();
            }
        });
        selector.wakeup();
    }

    /** Runs a handler. */
    void execute(Runnable handler) {
        try {
            executor.execute(handler);
        } catch (RejectedExecutionException e) {
            // The executor is the program's, which has ended it.
            LOG.debug("a handler is not run: its group has ended", e);
        }
    }

    void add(Channel channel) {
        synchronized (open) {
            if (isShutdown) {
                throw new ShutdownChannelGroupException();
            }
            open.add(channel);
        }
    }

    void remove(Channel channel) {
        synchronized (open) {
            open.remove(channel);
            endIfOver();
        }
        // The key of a closed channel goes with the next selection.
        selector.wakeup();
    }

    private void endIfOver() {
        if (isShutdown && open.isEmpty()) {
            executor.shutdown();
            try {
                selector.close();
            } catch (IOException e) {
                LOG.debug("the selector of a group could not be closed", e);
            }
        }
    }

    @Override
    public boolean isShutdown() {
        return isShutdown;
    }

    @Override
    public boolean isTerminated() {
        return executor.isTerminated();
    }

    @Override
    public void shutdown() {
        synchronized (open) {
            isShutdown = true;
            endIfOver();
        }
    }

    @Override
    public void shutdownNow() throws IOException {
        Set<Channel> closing;
        synchronized (open) {
            isShutdown = true;
            closing = Set.copyOf(open);
            endIfOver();
        }
        for (Channel channel : closing) {
            channel.close();
        }
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return executor.awaitTermination(timeout, unit);
    }
}
