package io.weir.transport.aio;

import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.IllegalChannelGroupException;
import java.nio.channels.ShutdownChannelGroupException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** Gives asynchronous channels whose bytes go by the channels of a {@link SelectorProvider}. Any thread. */
public final class SelectingProvider extends AsynchronousChannelProvider {
    private final SelectorProvider below;
    /** Made when it is first asked for; with this object's lock. */
    private SelectingGroup defaultGroup;

    /** Creates a provider whose channels are those of {@code below}. */
    public SelectingProvider(SelectorProvider below) {
        this.below = Objects.requireNonNull(below, "below is null; give the provider of channels that are selected");
    }

    SelectorProvider below() {
        return below;
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(int threadCount, ThreadFactory factory)
            throws IOException {
        return new SelectingGroup(this, Executors.newFixedThreadPool(threadCount, factory));
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(ExecutorService executor, int initialSize)
            throws IOException {
        return new SelectingGroup(this, executor);
    }

    private synchronized SelectingGroup defaultGroup() throws IOException {
        if (defaultGroup == null) {
            defaultGroup = new SelectingGroup(this, Executors.newCachedThreadPool(work -> {
                Thread thread = new Thread(work, "weir-async-handler");
                thread.setDaemon(true);
                return thread;
            }));
        }
        return defaultGroup;
    }

    private SelectingGroup usable(AsynchronousChannelGroup group) throws IOException {
        if (group == null) {
            return defaultGroup();
        }
        if (group.provider() != this || !(group instanceof SelectingGroup ours)) {
            throw new IllegalChannelGroupException();
        }
        if (ours.isShutdown()) {
            throw new ShutdownChannelGroupException();
        }
        return ours;
    }

    @Override
    public AsynchronousServerSocketChannel openAsynchronousServerSocketChannel(AsynchronousChannelGroup group)
            throws IOException {
        return new AsyncListener(this, usable(group), below.openServerSocketChannel());
    }

    @Override
    public AsynchronousSocketChannel openAsynchronousSocketChannel(AsynchronousChannelGroup group) throws IOException {
        return new AsyncConnection(this, usable(group), below.openSocketChannel());
    }
}
