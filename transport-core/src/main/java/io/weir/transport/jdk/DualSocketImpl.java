package io.weir.transport.jdk;

import io.weir.transport.fallback.Fallback;
import io.weir.transport.fallback.Opening;
import io.weir.transport.fallback.Rule;
import io.weir.transport.socket.WeirSocket;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A socket that is the kernel's until it is connected, and then the kernel's or Weir's: what every {@link
 * java.net.Socket} of a process is made of where rules decide. Any thread may call.
 */
final class DualSocketImpl extends SocketImpl {
    private final Fallback fallback;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** What the application has set, under the old numbers, for the socket that carries the connection in the end. */
    private final Map<Integer, Object> settings = new LinkedHashMap<>();

    /** What carries the connection, or may; changed with the lock. */
    private volatile SocketImpl active;
    /** Whether that is Weir's. */
    private volatile boolean isWeir;

    /** Where it leaves from, if the application has bound it; written by the thread that binds. */
    private volatile InetSocketAddress boundTo;
    /** What tries both, or null; written by the thread that connects. */
    private volatile Opening opening;
    /** Set with the lock, never cleared. */
    private volatile boolean isClosed;
    /** Whether TCP is to be opened by the thread that connects. With the lock. */
    private boolean isTcpsTurn;

    DualSocketImpl(Fallback fallback) throws IOException {
        this.fallback = fallback;
        this.active = PlatformSockets.make(false);
    }

    @Override
    protected void create(boolean isStream) throws IOException {
        PlatformSockets.create(active, isStream);
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
        Rule rule = null;
        if (remote instanceof InetSocketAddress target && target.getPort() != 0) {
            if (target.isUnresolved()) {
                throw new UnknownHostException(target.getHostName());
            }
            rule = fallback.ruleOfConnect(target);
        }
        if (rule == null) {
            PlatformSockets.connect(active, remote, timeoutMillis);
            return;
        }
        boolean isConnected = false;
        try {
            connectBoth((InetSocketAddress) remote, rule, timeoutMillis);
            isConnected = true;
        } finally {
            if (!isConnected) {
                close();
            }
        }
    }

    private void connectBoth(InetSocketAddress remote, Rule rule, int timeoutMillis) throws IOException {
        long startNanos = System.nanoTime();
        long timeoutNanos = timeoutMillis == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        SocketImpl kernel = active;
        Opening begun = fallback.connect(remote, boundTo, rule, new TcpHalf(kernel));
        opening = begun;
        boolean isDone = false;
        try {
            fallback.begin(begun);
            boolean isInTime = await(begun, true, startNanos, timeoutNanos);
            if (isInTime && !begun.isDecided() && !isClosed) {
                connectTcp(begun, kernel, remote, left(startNanos, timeoutNanos));
                isInTime = await(begun, false, startNanos, timeoutNanos);
            }
            if (isClosed) {
                throw new SocketException("Socket closed");
            }
            if (!isInTime) {
                throw new SocketTimeoutException("Connect timed out");
            }
            if (begun.failure() != null) {
                throw begun.failure();
            }
            isDone = true;
        } finally {
            if (!isDone) {
                begun.cancel();
            }
        }
        if (begun.weir() != null) {
            become(begun.weir(), rule);
            PlatformSockets.close(kernel);
        }
    }

    private static long left(long startNanos, long timeoutNanos) {
        return timeoutNanos == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : Math.max(1, timeoutNanos - (System.nanoTime() - startNanos));
    }

    private static void connectTcp(Opening begun, SocketImpl kernel, InetSocketAddress remote, long timeoutNanos)
            throws IOException {
        int millis =
                timeoutNanos == Long.MAX_VALUE ? 0 : (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos));
        try {
            PlatformSockets.connect(kernel, remote, millis);
            if (!begun.onTcpOpened()) {
                PlatformSockets.close(kernel);
            }
        } catch (IOException e) {
            // Not if Weir, which was first, has closed it.
            begun.onTcpFailed(e);
        }
    }

    /** {@return whether it is decided, TCP's turn, or closed, in time} An interrupt does not end it. */
    private boolean await(Opening begun, boolean endsAtTurn, long startNanos, long timeoutNanos) {
        boolean wasInterrupted = false;
        lock.lock();
        try {
            while (!isClosed && !begun.isDecided() && !(endsAtTurn && isTcpsTurn)) {
                long leftNanos = left(startNanos, timeoutNanos);
                if (leftNanos == 1) {
                    return false;
                }
                try {
                    leftNanos = changed.awaitNanos(leftNanos);
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                }
            }
            return true;
        } finally {
            lock.unlock();
            Interrupts.restore(wasInterrupted);
        }
    }

    /** TCP's half, which the thread that connects opens. */
    private final class TcpHalf implements Opening.Tcp {
        private final SocketImpl kernel;

        TcpHalf(SocketImpl kernel) {
            this.kernel = kernel;
        }

        @Override
        public void begin() {
            lock.lock();
            try {
                isTcpsTurn = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void onDecided() {
            boolean isInTheWay;
            lock.lock();
            try {
                changed.signalAll();
                isInTheWay = isTcpsTurn && opening.weir() != null;
            } finally {
                lock.unlock();
            }
            if (isInTheWay) {
                try {
                    // Ends the kernel's connect, if the thread is in it.
                    PlatformSockets.close(kernel);
                } catch (IOException e) {
                    // It is gone all the same.
                }
            }
        }
    }

    private void become(WeirSocket connected, Rule rule) throws IOException {
        JdkSocketImpl carried = new JdkSocketImpl(fallback.requireTransport(rule));
        become(carried);
        carried.accept(
                connected, new SocketSettings(fallback.requireTransport(rule).hostConfig()));
    }

    private void become(JdkSocketImpl carried) throws IOException {
        lock.lock();
        try {
            for (Map.Entry<Integer, Object> setting : settings.entrySet()) {
                carried.setOption(setting.getKey(), setting.getValue());
            }
            active = carried;
            isWeir = true;
            if (isClosed) {
                carried.close();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Has what a listener accepted from Weir. */
    void take(WeirSocket accepted, Rule rule) throws IOException {
        become(accepted, rule);
    }

    /** Has what a listener accepted from the kernel. */
    void take(SocketImpl accepted) {
        active = accepted;
    }

    @Override
    protected void bind(InetAddress local, int localPort) throws IOException {
        PlatformSockets.bind(active, local, localPort);
        boundTo = new InetSocketAddress(local, PlatformSockets.localPort(active));
    }

    @Override
    protected void listen(int backlog) throws IOException {
        PlatformSockets.listen(active, backlog);
    }

    @Override
    protected void accept(SocketImpl accepted) throws IOException {
        throw new SocketException("a socket that connects does not accept; use a ServerSocket");
    }

    // ---- the streams and the end

    @Override
    protected InputStream getInputStream() throws IOException {
        SocketImpl used = active;
        return used instanceof JdkSocketImpl weir ? weir.getInputStream() : PlatformSockets.input(used);
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        SocketImpl used = active;
        return used instanceof JdkSocketImpl weir ? weir.getOutputStream() : PlatformSockets.output(used);
    }

    @Override
    protected int available() throws IOException {
        SocketImpl used = active;
        return used instanceof JdkSocketImpl weir ? weir.available() : PlatformSockets.available(used);
    }

    @Override
    protected void close() throws IOException {
        Opening begun;
        lock.lock();
        try {
            isClosed = true;
            begun = opening;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (begun != null) {
            begun.cancel();
        }
        SocketImpl used = active;
        if (used instanceof JdkSocketImpl weir) {
            weir.close();
        } else {
            PlatformSockets.close(used);
        }
    }

    @Override
    protected void shutdownInput() throws IOException {
        SocketImpl used = active;
        if (used instanceof JdkSocketImpl weir) {
            weir.shutdownInput();
        } else {
            PlatformSockets.shutdownInput(used);
        }
    }

    @Override
    protected void shutdownOutput() throws IOException {
        SocketImpl used = active;
        if (used instanceof JdkSocketImpl weir) {
            weir.shutdownOutput();
        } else {
            PlatformSockets.shutdownOutput(used);
        }
    }

    @Override
    protected boolean supportsUrgentData() {
        return isWeir || PlatformSockets.supportsUrgentData(active);
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        SocketImpl used = active;
        if (used instanceof JdkSocketImpl weir) {
            weir.sendUrgentData(data);
        } else {
            PlatformSockets.sendUrgentData(used, data);
        }
    }

    // ---- queries and options

    @Override
    protected FileDescriptor getFileDescriptor() {
        return isWeir ? null : PlatformSockets.descriptor(active);
    }

    @Override
    protected InetAddress getInetAddress() {
        return PlatformSockets.address(active);
    }

    @Override
    protected int getPort() {
        return PlatformSockets.port(active);
    }

    @Override
    protected int getLocalPort() {
        return PlatformSockets.localPort(active);
    }

    @Override
    public void setOption(int option, Object value) throws SocketException {
        lock.lock();
        try {
            active.setOption(option, value);
            settings.put(option, value);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Object getOption(int option) throws SocketException {
        return active.getOption(option);
    }

    @Override
    protected <T> void setOption(SocketOption<T> option, T value) throws IOException {
        SocketImpl used = active;
        if (used instanceof JdkSocketImpl weir) {
            weir.setOption(option, value);
        } else {
            lock.lock();
            try {
                PlatformSockets.setOption(used, option, value);
                settings.put(SocketSettings.number(option, JdkSocketImpl.OPTIONS), value);
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    @SuppressWarnings("unchecked") // an option's value is of its type
    protected <T> T getOption(SocketOption<T> option) throws IOException {
        SocketImpl used = active;
        return used instanceof JdkSocketImpl weir
                ? weir.getOption(option)
                : (T) PlatformSockets.getOption(used, option);
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        SocketImpl used = active;
        return used instanceof JdkSocketImpl weir ? weir.supportedOptions() : PlatformSockets.options(used);
    }
}
