package io.weir.transport.nio;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A channel as a {@link Socket}: what {@link SocketChannel#socket} gives. */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // the channel has its own locks
final class ChannelSocket extends Socket {
    private static final int LINGER_SECONDS_MAX = 65_535;
    private static final int TOS_MAX = 255;

    private final DualSocketChannel channel;
    /** How long a read waits, in milliseconds; 0 for no limit. */
    private volatile int timeoutMillis;

    /** What was asked for; a connection of Weir's has no urgent bytes. */
    private volatile boolean isUrgentInline;

    ChannelSocket(DualSocketChannel channel) throws SocketException {
        super((SocketImpl) null);
        this.channel = channel;
    }

    /** {@return what a socket says where a channel would throw this} */
    static SocketException socketException(Exception problem) {
        if (problem instanceof SocketException already) {
            return already;
        }
        String message = String.valueOf(problem.getMessage());
        if (problem instanceof ClosedChannelException) {
            message = "Socket is closed";
        } else if (problem instanceof AlreadyBoundException) {
            message = "Already bound";
        } else if (problem instanceof NotYetConnectedException) {
            message = "Socket is not connected";
        } else if (problem instanceof NotYetBoundException) {
            message = "Socket is not bound yet";
        } else if (problem instanceof UnresolvedAddressException) {
            message = "Unresolved address";
        }
        SocketException failure = new SocketException(message);
        failure.initCause(problem);
        return failure;
    }

    @Override
    public void connect(SocketAddress remote) throws IOException {
        connect(remote, 0);
    }

    @Override
    public void connect(SocketAddress remote, int timeout) throws IOException {
        if (remote == null) {
            throw new IllegalArgumentException("remote is null; give the peer's address");
        }
        if (timeout < 0) {
            throw new IllegalArgumentException("timeout=" + timeout + " is negative; give 0 for no limit");
        }
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
        if (remote instanceof InetSocketAddress target && target.isUnresolved()) {
            throw new UnknownHostException(target.getHostName());
        }
        boolean unused =
                channel.connect(remote, timeout == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(timeout));
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        try {
            channel.bind(local == null ? new InetSocketAddress(0) : local);
        } catch (AlreadyBoundException | UnresolvedAddressException e) {
            throw socketException(e);
        }
    }

    /** {@return the peer, also of a connection that has been closed; null if there never was one} */
    private InetSocketAddress remote() {
        return end(ChannelEnds::remote);
    }

    /** {@return where it is bound, or was until it was closed; null if it never was} */
    private InetSocketAddress local() {
        return end(ChannelEnds::local);
    }

    private InetSocketAddress end(Function<ChannelEnds, SocketAddress> which) {
        try {
            return (InetSocketAddress) which.apply(channel.ends());
        } catch (IOException e) {
            // It is being closed, and never had any.
            return null;
        }
    }

    @Override
    public InetAddress getInetAddress() {
        InetSocketAddress address = remote();
        return address == null ? null : address.getAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        InetSocketAddress address = channel.isOpen() ? local() : null;
        return address == null ? new InetSocketAddress(0).getAddress() : address.getAddress();
    }

    @Override
    public int getPort() {
        InetSocketAddress address = remote();
        return address == null ? 0 : address.getPort();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress address = local();
        return address == null ? -1 : address.getPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return remote();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return local();
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    private void requireStreams() throws IOException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
        if (!channel.isConnected()) {
            throw new SocketException("Socket is not connected");
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        requireStreams();
        if (channel.isInputShut()) {
            throw new SocketException("Socket input is shutdown");
        }
        return new Input();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        requireStreams();
        if (channel.isOutputShut()) {
            throw new SocketException("Socket output is shutdown");
        }
        return new Output();
    }

    private <T> void set(SocketOption<T> option, T value) throws SocketException {
        try {
            channel.setOption(option, value);
        } catch (IOException e) {
            throw socketException(e);
        }
    }

    private <T> T get(SocketOption<T> option) throws SocketException {
        try {
            return channel.getOption(option);
        } catch (IOException e) {
            throw socketException(e);
        }
    }

    @Override
    public void setTcpNoDelay(boolean isOn) throws SocketException {
        set(StandardSocketOptions.TCP_NODELAY, isOn);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return get(StandardSocketOptions.TCP_NODELAY);
    }

    @Override
    public void setSoLinger(boolean isOn, int seconds) throws SocketException {
        set(StandardSocketOptions.SO_LINGER, isOn ? Math.min(seconds, LINGER_SECONDS_MAX) : -1);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return get(StandardSocketOptions.SO_LINGER);
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        SocketChannel tcp = channel.tcpChannel();
        if (tcp == null) {
            throw new SocketException("Urgent data not supported");
        }
        tcp.socket().sendUrgentData(data);
    }

    @Override
    public void setOOBInline(boolean isOn) throws SocketException {
        SocketChannel tcp = channel.tcpChannel();
        if (tcp != null) {
            tcp.socket().setOOBInline(isOn);
        }
        isUrgentInline = isOn;
    }

    @Override
    public boolean getOOBInline() throws SocketException {
        return isUrgentInline;
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
        if (millis < 0) {
            throw new IllegalArgumentException("timeout=" + millis + " is negative; give 0 for no limit");
        }
        timeoutMillis = millis;
    }

    @Override
    public int getSoTimeout() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
        return timeoutMillis;
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        requirePositive(size);
        set(StandardSocketOptions.SO_SNDBUF, size);
    }

    private static void requirePositive(int size) {
        if (size <= 0) {
            throw new IllegalArgumentException("size=" + size + " is not more than zero");
        }
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_SNDBUF);
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        requirePositive(size);
        set(StandardSocketOptions.SO_RCVBUF, size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public void setKeepAlive(boolean isOn) throws SocketException {
        set(StandardSocketOptions.SO_KEEPALIVE, isOn);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return get(StandardSocketOptions.SO_KEEPALIVE);
    }

    @Override
    public void setTrafficClass(int value) throws SocketException {
        if (value < 0 || value > TOS_MAX) {
            throw new IllegalArgumentException("value=" + value + " is outside 0.." + TOS_MAX);
        }
        set(StandardSocketOptions.IP_TOS, value);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return get(StandardSocketOptions.IP_TOS);
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
    public <T> Socket setOption(SocketOption<T> option, T value) throws IOException {
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
    public void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        // A wish that the kernel's sockets do not follow either.
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public void shutdownInput() throws IOException {
        try {
            channel.shutdownInput();
        } catch (NotYetConnectedException e) {
            throw socketException(e);
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        try {
            channel.shutdownOutput();
        } catch (NotYetConnectedException e) {
            throw socketException(e);
        }
    }

    @Override
    public String toString() {
        return isConnected()
                ? "Socket[addr=" + getInetAddress() + ",port=" + getPort() + ",localport=" + getLocalPort() + "]"
                : "Socket[unconnected]";
    }

    @Override
    public boolean isConnected() {
        return channel.isConnected();
    }

    @Override
    public boolean isBound() {
        InetSocketAddress address = local();
        return address != null;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public boolean isInputShutdown() {
        return channel.isInputShut();
    }

    @Override
    public boolean isOutputShutdown() {
        return channel.isOutputShut();
    }

    /** What the peer sends. */
    private final class Input extends InputStream {
        /** Where TCP carries the connection, what waits no longer than a time; else null. */
        private final InputStream tcp;

        Input() throws IOException {
            SocketChannel carrier = channel.tcpChannel();
            tcp = carrier == null ? null : carrier.socket().getInputStream();
        }

        @Override
        public int read() throws IOException {
            byte[] single = new byte[1];
            return read(single, 0, 1) < 0 ? -1 : single[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, target.length);
            if (length == 0) {
                return 0;
            }
            if (!channel.isBlocking()) {
                throw new IllegalBlockingModeException();
            }
            if (!channel.isOpen()) {
                throw new ClosedChannelException();
            }
            if (tcp != null && timeoutMillis > 0) {
                channel.tcpChannel().socket().setSoTimeout(timeoutMillis);
                return tcp.read(target, offset, length);
            }
            return channel.read(
                    ByteBuffer.wrap(target, offset, length),
                    timeoutMillis == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
        }

        @Override
        public int available() throws IOException {
            return tcp != null ? tcp.available() : channel.available();
        }

        @Override
        public void close() throws IOException {
            ChannelSocket.this.close();
        }
    }

    /** What goes to the peer. */
    private final class Output extends OutputStream {
        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, source.length);
            if (!channel.isBlocking()) {
                throw new IllegalBlockingModeException();
            }
            ByteBuffer bytes = ByteBuffer.wrap(source, offset, length);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        @Override
        public void close() throws IOException {
            ChannelSocket.this.close();
        }
    }
}
