package io.weir.transport.nio;

import io.weir.transport.fallback.Fallback;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;

/**
 * Gives channels of streams that become Weir's or the kernel's when they are connected or bound, and selectors that
 * wait for both. Datagrams, pipes and what a process inherits stay the kernel's.
 */
public final class DualSelectorProvider extends SelectorProvider {
    private final SelectorProvider kernel;
    private final Fallback fallback;

    /**
     * Creates a provider.
     *
     * @param kernel the Java runtime's own
     * @param fallback what decides, which stays its owner's
     */
    public DualSelectorProvider(SelectorProvider kernel, Fallback fallback) {
        this.kernel = Objects.requireNonNull(kernel, "kernel is null; give the Java runtime's provider");
        this.fallback = Objects.requireNonNull(fallback, "fallback is null; open one");
    }

    SelectorProvider kernel() {
        return kernel;
    }

    Fallback fallback() {
        return fallback;
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return new DualSocketChannel(this, kernel.openSocketChannel());
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        SocketChannel opened = kernel.openSocketChannel(family);
        return isInternet(family) ? new DualSocketChannel(this, opened) : opened;
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return new DualServerSocketChannel(this, kernel.openServerSocketChannel());
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        ServerSocketChannel opened = kernel.openServerSocketChannel(family);
        return isInternet(family) ? new DualServerSocketChannel(this, opened) : opened;
    }

    private static boolean isInternet(ProtocolFamily family) {
        return family == StandardProtocolFamily.INET || family == StandardProtocolFamily.INET6;
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return new DualSelector(this);
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return kernel.openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return kernel.openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException {
        return kernel.openPipe();
    }

    @Override
    public Channel inheritedChannel() throws IOException {
        return kernel.inheritedChannel();
    }
}
