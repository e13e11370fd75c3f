package io.weir.agent;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

/** What the property {@code java.nio.channels.spi.SelectorProvider} names: it passes on to the agent's. */
public final class WeirSelectorProvider extends SelectorProvider {
    private static volatile SelectorProvider agents;

    private final SelectorProvider used = agents;

    /** Creates the provider; the Java runtime calls. */
    public WeirSelectorProvider() {
        if (used == null) {
            throw new IllegalStateException(
                    "the property java.nio.channels.spi.SelectorProvider names the agent's provider, and the agent does "
                            + "not run; leave it to -javaagent");
        }
    }

    static void setUsed(SelectorProvider provider) {
        agents = provider;
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return used.openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return used.openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException {
        return used.openPipe();
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return used.openSelector();
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return used.openServerSocketChannel();
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return used.openServerSocketChannel(family);
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return used.openSocketChannel();
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return used.openSocketChannel(family);
    }

    @Override
    public Channel inheritedChannel() throws IOException {
        return used.inheritedChannel();
    }
}
