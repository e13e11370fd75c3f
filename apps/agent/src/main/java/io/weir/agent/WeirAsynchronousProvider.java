package io.weir.agent;

import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;

/** What the property {@code java.nio.channels.spi.AsynchronousChannelProvider} names: it passes on to the agent's. */
public final class WeirAsynchronousProvider extends AsynchronousChannelProvider {
    private static volatile AsynchronousChannelProvider agents;

    private final AsynchronousChannelProvider used = agents;

    /** Creates the provider; the Java runtime calls. */
    public WeirAsynchronousProvider() {
        if (used == null) {
            throw new IllegalStateException(
                    "the property java.nio.channels.spi.AsynchronousChannelProvider names the agent's provider, "
                            + "and the agent does not run; leave it to -javaagent");
        }
    }

    static void setUsed(AsynchronousChannelProvider provider) {
        agents = provider;
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(int threadCount, ThreadFactory factory)
            throws IOException {
        return used.openAsynchronousChannelGroup(threadCount, factory);
    }

    @Override
    public AsynchronousChannelGroup openAsynchronousChannelGroup(ExecutorService executor, int initialSize)
            throws IOException {
        return used.openAsynchronousChannelGroup(executor, initialSize);
    }

    @Override
    public AsynchronousServerSocketChannel openAsynchronousServerSocketChannel(AsynchronousChannelGroup group)
            throws IOException {
        return used.openAsynchronousServerSocketChannel(group);
    }

    @Override
    public AsynchronousSocketChannel openAsynchronousSocketChannel(AsynchronousChannelGroup group) throws IOException {
        return used.openAsynchronousSocketChannel(group);
    }
}
