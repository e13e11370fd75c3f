package io.weir.transport.jdk;

import io.weir.transport.fallback.Uninterrupted;
import io.weir.transport.socket.LocalPort;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A {@link WeirSocket} as {@link java.net.Socket} wants it. Any thread may call; one at a time reads and one writes.
 *
 * <p>What the kernel's sockets have and this one does not: urgent data. Options that mean nothing here are kept and
 * given back.
 */
final class JdkSocketImpl extends SocketImpl {
    static final Set<SocketOption<?>> OPTIONS = SocketSettings.supported(Set.of(
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_KEEPALIVE,
            StandardSocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_REUSEPORT,
            StandardSocketOptions.SO_LINGER,
            StandardSocketOptions.TCP_NODELAY,
            StandardSocketOptions.IP_TOS));
    private static final long FOREVER_NANOS = Long.MAX_VALUE;
    /** How often a thread that lingers looks whether all is acknowledged. */
    private static final long LINGER_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Transport transport;
    private final SocketSettings settings;
    private final Object connecting = new Object();
    /** Null until it is connected. */
    private volatile WeirSocket socket;
    /** How long a read waits; written by {@link #setOption}. */
    private volatile long readTimeoutNanos = FOREVER_NANOS;
    /** Whether {@link #close} was called, or the connect has failed. */
    private volatile boolean isClosed;
    /** The local port that the application has bound, or null; written with the lock. */
    private volatile LocalPort bound;
    /** The thread that connects, or null; with the lock. */
    private Thread connector;

    JdkSocketImpl(Transport transport) {
        this.transport = transport;
        this.settings = new SocketSettings(transport.hostConfig());
    }

    @Override
    protected void create(boolean isStream) throws IOException {
        if (!isStream) {
            throw new IOException("datagrams do not go over Weir; use a DatagramSocket");
        }
    }

    // ---- the beginning

    @Override
    protected void connect(String host, int remotePort) throws IOException {
        connect(new InetSocketAddress(host, remotePort), 0);
    }

    @Override
    protected void connect(InetAddress host, int remotePort) throws IOException {
        connect(new InetSocketAddress(host, remotePort), 0);
    }

    @Override
    protected void connect(SocketAddress remote, int timeoutMillis) throws IOException {
        if (!(remote instanceof InetSocketAddress target)) {
            throw new IOException("Unsupported address type");
        }
        if (target.isUnresolved()) {
            throw new UnknownHostException(target.getHostName());
        }
        boolean isConnected = false;
        try {
            if (target.getPort() == 0) {
                throw new ConnectException("Connection refused: nobody can listen on port 0");
            }
            address = target.getAddress();
            port = target.getPort();
            begin(connectWithin(target, nanos(timeoutMillis)));
            isConnected = true;
        } finally {
            if (!isConnected) {
                close();
            }
        }
    }

    private static long nanos(int millis) {
        return millis == 0 ? FOREVER_NANOS : TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private WeirSocket connectWithin(InetSocketAddress target, long timeoutNanos) throws IOException {
        long startNanos = System.nanoTime();
        boolean wasInterrupted = false;
        beginConnect();
        try {
            while (true) {
                long leftNanos = left(timeoutNanos, startNanos);
                if (leftNanos <= 0) {
                    throw new SocketTimeoutException("Connect timed out");
                }
                try {
                    Duration left = leftNanos == FOREVER_NANOS ? Duration.ZERO : Duration.ofNanos(leftNanos);
                    return bound == null ? transport.connect(target, left) : transport.connect(target, bound, left);
                } catch (SocketTimeoutException e) {
                    throw e;
                } catch (InterruptedIOException e) {
                    if (isClosed) {
                        throw closed(e);
                    }
                    if (Interrupts.endWaits()) {
                        throw because("Closed by interrupt", e);
                    }
                    wasInterrupted |= Thread.interrupted();
                }
            }
        } finally {
            endConnect(wasInterrupted);
        }
    }

    private static long left(long timeoutNanos, long startNanos) {
        return timeoutNanos == FOREVER_NANOS ? FOREVER_NANOS : timeoutNanos - (System.nanoTime() - startNanos);
    }

    private void beginConnect() throws SocketException {
        synchronized (connecting) {
            requireOpen();
            connector = Thread.currentThread();
        }
    }

    /** Only {@link #close} interrupts for reasons of ours: what it has left is taken away. */
    private void endConnect(boolean wasInterrupted) {
        synchronized (connecting) {
            connector = null;
            if (isClosed) {
                Thread.interrupted();
            }
        }
        Interrupts.restore(wasInterrupted);
    }

    private void applyKeepAlive(WeirSocket opened) {
        if (!settings.isKeptAlive()) {
            return;
        }
        if (settings.isKeepAliveChosen()) {
            opened.setKeepAlive(settings.keepAliveSilence(), settings.keepAliveGap(), settings.keepAliveCount());
        } else {
            opened.setKeepAlive(true);
        }
    }

    /** Has what a listener accepted from now on, and begins with that listener's options. */
    void accept(WeirSocket accepted, SocketSettings listener) throws IOException {
        settings.inherit(listener);
        address = accepted.remoteAddress().getAddress();
        port = accepted.remoteAddress().getPort();
        begin(accepted);
    }

    private void begin(WeirSocket opened) throws IOException {
        localport = opened.localAddress().getPort();
        socket = opened;
        applyKeepAlive(opened);
        if (isClosed) {
            // Another thread closed it just before.
            opened.abort();
            throw closed(null);
        }
    }

    @Override
    protected void bind(InetAddress local, int localPort) throws IOException {
        synchronized (connecting) {
            requireOpen();
            bound = Uninterrupted.call(() -> transport.bind(new InetSocketAddress(local, localPort)));
            localport = bound.address().getPort();
        }
    }

    @Override
    protected void listen(int backlog) throws IOException {
        throw new SocketException("a socket that connects does not listen; use a ServerSocket");
    }

    @Override
    protected void accept(SocketImpl accepted) throws IOException {
        throw new SocketException("a socket that connects does not accept; use a ServerSocket");
    }

    // ---- streams

    @Override
    protected InputStream getInputStream() {
        return new Input();
    }

    @Override
    protected OutputStream getOutputStream() {
        return new Output();
    }

    @Override
    protected int available() throws IOException {
        return connected().available();
    }

    private int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        if (length == 0) {
            // Also of a closed socket, as the kernel's.
            return 0;
        }
        WeirSocket from = connected();
        long timeoutNanos = readTimeoutNanos;
        long startNanos = timeoutNanos == FOREVER_NANOS ? 0 : System.nanoTime();
        ByteBuffer bytes = ByteBuffer.wrap(target, offset, length);
        boolean wasInterrupted = false;
        try {
            while (true) {
                try {
                    return from.readWithin(bytes, left(timeoutNanos, startNanos));
                } catch (SocketTimeoutException e) {
                    throw e;
                } catch (InterruptedIOException e) {
                    requireUninterrupted(e);
                    wasInterrupted |= Thread.interrupted();
                }
            }
        } finally {
            Interrupts.restore(wasInterrupted);
        }
    }

    private void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        if (length == 0) {
            return;
        }
        WeirSocket to = connected();
        ByteBuffer bytes = ByteBuffer.wrap(source, offset, length);
        boolean wasInterrupted = false;
        try {
            do {
                try {
                    to.write(bytes);
                } catch (InterruptedIOException e) {
                    requireUninterrupted(e);
                    wasInterrupted |= Thread.interrupted();
                }
            } while (bytes.hasRemaining());
        } finally {
            Interrupts.restore(wasInterrupted);
        }
    }

    /** Ends the wait of a virtual thread: {@link java.net.Socket} closes itself then, and says so. */
    private static void requireUninterrupted(InterruptedIOException interrupt) throws InterruptedIOException {
        if (Interrupts.endWaits()) {
            throw interrupt;
        }
    }

    private WeirSocket connected() throws SocketException {
        requireOpen();
        WeirSocket opened = socket;
        if (opened == null) {
            throw new SocketException("Not connected");
        }
        return opened;
    }

    private void requireOpen() throws SocketException {
        if (isClosed) {
            throw closed(null);
        }
    }

    private static SocketException closed(Throwable cause) {
        return because("Socket closed", cause);
    }

    private static SocketException because(String message, Throwable cause) {
        SocketException failure = new SocketException(message);
        failure.initCause(cause);
        return failure;
    }

    /** So that {@link #sendUrgentData} is asked, which says first that a socket is closed. */
    @Override
    protected boolean supportsUrgentData() {
        return true;
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        requireOpen();
        throw new SocketException("Urgent data not supported");
    }

    // ---- the end

    @Override
    protected void shutdownInput() throws IOException {
        connected().shutdownInput();
    }

    @Override
    protected void shutdownOutput() throws IOException {
        connected().shutdownOutput();
    }

    @Override
    protected void close() {
        synchronized (connecting) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            if (connector != null && connector != Thread.currentThread()) {
                connector.interrupt();
            }
        }
        LocalPort claimed = bound;
        if (claimed != null) {
            claimed.close();
        }
        WeirSocket opened = socket;
        if (opened == null) {
            return;
        }
        int lingerSeconds = settings.lingerSeconds();
        if (lingerSeconds == 0) {
            opened.abort();
        } else {
            opened.close();
            if (lingerSeconds > 0) {
                awaitDelivery(opened, TimeUnit.SECONDS.toNanos(lingerSeconds));
            }
        }
    }

    /** Waits until the peer has acknowledged everything, or is gone; interrupts end it. */
    private void awaitDelivery(WeirSocket closing, long nanosMax) {
        long startNanos = System.nanoTime();
        while (closing.unacknowledgedBytes() > 0
                && closing.connection().closeReason() == null
                && !Thread.currentThread().isInterrupted()
                && System.nanoTime() - startNanos < nanosMax) {
            LockSupport.parkNanos(this, LINGER_LOOK_NANOS);
        }
    }

    // ---- options

    @Override
    public void setOption(int option, Object value) throws SocketException {
        requireOpen();
        settings.put(option, value);
        WeirSocket opened = socket;
        if (option == SocketOptions.SO_TIMEOUT) {
            readTimeoutNanos = nanos(settings.timeoutMillis());
        } else if (option == SocketOptions.SO_KEEPALIVE && opened != null && !settings.isKeptAlive()) {
            opened.setKeepAlive(false);
        } else if (SocketSettings.isAboutKeepAlive(option) && opened != null) {
            applyKeepAlive(opened);
        }
    }

    @Override
    public Object getOption(int option) throws SocketException {
        requireOpen();
        if (option == SocketOptions.SO_BINDADDR) {
            WeirSocket opened = socket;
            if (opened != null) {
                return opened.localAddress().getAddress();
            }
            LocalPort claimed = bound;
            return claimed == null
                    ? new InetSocketAddress(0).getAddress()
                    : claimed.address().getAddress();
        }
        return settings.get(option);
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

    /** What the peer sends. Closing it is the socket's business, whose own stream is around this one. */
    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] single = new byte[1];
            return read(single, 0, 1) < 0 ? -1 : single[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            return JdkSocketImpl.this.read(target, offset, length);
        }

        @Override
        public int available() throws IOException {
            return JdkSocketImpl.this.available();
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
            JdkSocketImpl.this.write(source, offset, length);
        }
    }
}
