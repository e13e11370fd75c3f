package io.weir.transport.jdk;

import io.weir.transport.fallback.Uninterrupted;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirServerSocket;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A {@link WeirServerSocket} as {@link java.net.ServerSocket} wants it. Any thread may call. */
final class JdkServerSocketImpl extends SocketImpl {
    private static final Set<SocketOption<?>> OPTIONS = SocketSettings.supported(Set.of(
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_REUSEPORT,
            StandardSocketOptions.IP_TOS));
    private static final int BACKLOG_DEFAULT = 50;
    private static final int BACKLOG_MAX = 4_096;

    private final Transport transport;
    private final SocketSettings settings;
    /** Null until it listens. */
    private volatile WeirServerSocket listener;
    /** Whether {@link #close} was called. */
    private volatile boolean isClosed;

    JdkServerSocketImpl(Transport transport) {
        this.transport = transport;
        this.settings = new SocketSettings(transport.hostConfig());
        settings.reuseAddress();
    }

    @Override
    protected void create(boolean isStream) {
        // Nothing is held before it listens.
    }

    @Override
    protected void bind(InetAddress local, int localPort) throws IOException {
        requireOpen();
        address = local;
        localport = localPort;
    }

    /** The port is taken here, not in {@link #bind}: {@link java.net.ServerSocket} calls both at once. */
    @Override
    protected void listen(int backlog) throws IOException {
        requireOpen();
        int room = backlog < 1 ? BACKLOG_DEFAULT : Math.min(backlog, BACKLOG_MAX);
        WeirServerSocket opened =
                Uninterrupted.call(() -> transport.listen(new InetSocketAddress(address, localport), room));
        localport = opened.localPort();
        listener = opened;
        if (isClosed) {
            opened.close();
            throw new SocketException("Socket closed");
        }
    }

    @Override
    protected void accept(SocketImpl accepted) throws IOException {
        requireOpen();
        WeirServerSocket from = listener;
        if (from == null) {
            throw new SocketException("Not listening");
        }
        if (!(accepted instanceof JdkSocketImpl target)) {
            throw new SocketException("sockets of " + accepted.getClass() + " are not accepted from a Weir listener");
        }
        target.accept(accept(from), settings);
    }

    private WeirSocket accept(WeirServerSocket from) throws IOException {
        int timeoutMillis = settings.timeoutMillis();
        long startNanos = System.nanoTime();
        boolean wasInterrupted = false;
        try {
            while (true) {
                try {
                    from.setAcceptTimeout(left(timeoutMillis, startNanos));
                    return from.accept();
                } catch (SocketTimeoutException e) {
                    throw e;
                } catch (InterruptedIOException e) {
                    if (Interrupts.endWaits()) {
                        // ServerSocket closes itself then, and says so.
                        throw e;
                    }
                    wasInterrupted |= Thread.interrupted();
                }
            }
        } finally {
            Interrupts.restore(wasInterrupted);
        }
    }

    private static Duration left(int timeoutMillis, long startNanos) {
        if (timeoutMillis == 0) {
            return Duration.ZERO;
        }
        long leftNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis) - (System.nanoTime() - startNanos);
        return Duration.ofNanos(Math.max(1, leftNanos));
    }

    private void requireOpen() throws SocketException {
        if (isClosed) {
            throw new SocketException("Socket closed");
        }
    }

    @Override
    protected void close() {
        isClosed = true;
        WeirServerSocket opened = listener;
        if (opened != null) {
            opened.close();
        }
    }

    // ---- options

    @Override
    public void setOption(int option, Object value) throws SocketException {
        requireOpen();
        settings.put(option, value);
    }

    @Override
    public Object getOption(int option) throws SocketException {
        requireOpen();
        return option == SocketOptions.SO_BINDADDR ? address : settings.get(option);
    }

    @Override
    protected <T> void setOption(SocketOption<T> option, T value) throws IOException {
        setOption(SocketSettings.number(option, OPTIONS), value);
    }

    @Override
    @SuppressWarnings("unchecked") // an option's value is of its type when it is put
    protected <T> T getOption(SocketOption<T> option) throws IOException {
        return (T) getOption(SocketSettings.number(option, OPTIONS));
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return OPTIONS;
    }

    // ---- what a listener does not do

    @Override
    protected void connect(String host, int remotePort) throws IOException {
        throw new SocketException("a ServerSocket does not connect");
    }

    @Override
    protected void connect(InetAddress host, int remotePort) throws IOException {
        throw new SocketException("a ServerSocket does not connect");
    }

    @Override
    protected void connect(SocketAddress remote, int timeoutMillis) throws IOException {
        throw new SocketException("a ServerSocket does not connect");
    }

    @Override
    protected InputStream getInputStream() throws IOException {
        throw new SocketException("a ServerSocket has no streams");
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        throw new SocketException("a ServerSocket has no streams");
    }

    @Override
    protected int available() {
        return 0;
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        throw new SocketException("Urgent data not supported");
    }
}
