package io.weir.transport.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A listening channel as a {@link ServerSocket}: what {@link ServerSocketChannel#socket} gives. */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // the channel has its own locks
final class ChannelServerSocket extends ServerSocket {
    private static final int BACKLOG_DEFAULT = 50;

    private final DualServerSocketChannel channel;
    /** How long an accept waits, in milliseconds; 0 for no limit. */
    private volatile int timeoutMillis;

    ChannelServerSocket(DualServerSocketChannel channel) throws IOException {
        this.channel = channel;
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        bind(local, BACKLOG_DEFAULT);
    }

    @Override
    public void bind(SocketAddress local, int backlog) throws IOException {
        try {
            channel.bind(local == null ? new InetSocketAddress(0) : local, backlog);
        } catch (AlreadyBoundException | UnresolvedAddressException e) {
            throw ChannelSocket.socketException(e);
        }
    }

    /** {@return where it listens, or did until it was closed; null if it never was bound} */
    private InetSocketAddress local() {
        return channel.boundTo();
    }

    @Override
    public InetAddress getInetAddress() {
        InetSocketAddress address = local();
        return address == null ? null : address.getAddress();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress address = local();
        return address == null ? -1 : address.getPort();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return local();
    }

    @Override
    public Socket accept() throws IOException {
        try {
            SocketChannel accepted =
                    channel.accept(timeoutMillis == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
            if (accepted == null) {
                throw new IllegalBlockingModeException();
            }
            return accepted.socket();
        } catch (NotYetBoundException e) {
            if (!channel.isBlocking()) {
                throw new IllegalBlockingModeException();
            }
            throw ChannelSocket.socketException(e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public ServerSocketChannel getChannel() {
        return channel;
    }

    @Override
    public boolean isBound() {
        return local() != null;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        requireOpen();
        if (millis < 0) {
            throw new IllegalArgumentException("timeout=" + millis + " is negative; give 0 for no limit");
        }
        timeoutMillis = millis;
    }

    @Override
    public int getSoTimeout() throws SocketException {
        requireOpen();
        return timeoutMillis;
    }

    private void requireOpen() throws SocketException {
        if (isClosed()) {
            throw new SocketException("Socket is closed");
        }
    }

    private <T> void set(SocketOption<T> option, T value) throws SocketException {
        try {
            channel.setOption(option, value);
        } catch (IOException e) {
            throw ChannelSocket.socketException(e);
        }
    }

    private <T> T get(SocketOption<T> option) throws SocketException {
        try {
            return channel.getOption(option);
        } catch (IOException e) {
            throw ChannelSocket.socketException(e);
        }
    }

    @Override
    public void setReuseAddress(boolean isOn) throws SocketException {
        set(StandardSocketOptions.SO_REUSEADDR, isOn);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return get(StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        if (size <= 0) {
            throw new IllegalArgumentException("size=" + size + " is not more than zero");
        }
        set(StandardSocketOptions.SO_RCVBUF, size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public <T> ServerSocket setOption(SocketOption<T> option, T value) throws IOException {
        channel.setOption(option, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return channel.getOption(option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    public String toString() {
        return isBound()
                ? "ServerSocket[addr=" + getInetAddress() + ",localport=" + getLocalPort() + "]"
                : "ServerSocket[unbound]";
    }
}
