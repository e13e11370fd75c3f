package io.weir.transport.jdk;

import io.weir.transport.fallback.Fallback;
import io.weir.transport.fallback.Listener;
import io.weir.transport.fallback.Preference;
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
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Listens on a TCP port of the kernel's, and on Weir's of the same number where rules say so, and accepts from both:
 * what every {@link java.net.ServerSocket} of a process is made of where rules decide. Any thread may call.
 */
final class DualServerSocketImpl extends SocketImpl {
    private static final int BACKLOG_DEFAULT = 50;
    private static final int BACKLOG_MAX = 4_096;

    private final Fallback fallback;
    /** Replaced if it is bound and does not come to listen; written by the thread that listens. */
    private volatile SocketImpl kernel;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** The address it is bound to; written by the thread that binds. */
    private InetAddress local;
    /** What decided, or null where that is TCP; written by the thread that listens. */
    private volatile Rule rule;
    /** Weir's half, or null. */
    private volatile Listener weir;
    /** Whether the kernel listens. */
    private volatile boolean isTcp = true;

    /** What takes the kernel's connections, or null; written by the thread that listens. */
    private volatile Thread acceptor;

    /** Set with the lock, never cleared. */
    private volatile boolean isClosed;
    /** A connection of the kernel's that nobody has taken, or null; with the lock. */
    private SocketImpl waitingTcp;
    /** Why the kernel gives no more, or null; with the lock. */
    private IOException tcpFailure;

    DualServerSocketImpl(Fallback fallback) throws IOException {
        this.fallback = fallback;
        this.kernel = PlatformSockets.make(true);
    }

    @Override
    protected void create(boolean isStream) throws IOException {
        PlatformSockets.create(kernel, isStream);
    }

    @Override
    protected void bind(InetAddress address, int localPort) throws IOException {
        local = address;
        PlatformSockets.bind(kernel, address, localPort);
    }

    @Override
    protected void listen(int backlog) throws IOException {
        InetSocketAddress asked = new InetSocketAddress(local, PlatformSockets.localPort(kernel));
        rule = fallback.ruleOfListen(asked);
        if (rule != null) {
            isTcp = rule.preference() != Preference.WEIR;
        }
        boolean isListening = false;
        try {
            if (rule != null) {
                weir = Listener.open(fallback, rule, asked, backlogInUse(backlog));
            }
            if (isTcp) {
                PlatformSockets.listen(kernel, backlog);
            }
            isListening = true;
        } finally {
            if (!isListening) {
                beginAgain();
            }
        }
        if (weir != null) {
            weir.setListener(this::signal);
            if (isTcp) {
                Thread thread = new Thread(this::acceptTcp, "weir-accept-" + asked.getPort());
                thread.setDaemon(true);
                thread.start();
                acceptor = thread;
            }
        }
    }

    private static int backlogInUse(int backlog) {
        return backlog < 1 ? BACKLOG_DEFAULT : Math.min(backlog, BACKLOG_MAX);
    }

    /** The socket may be bound once more, as one of the kernel's that could not be bound. */
    private void beginAgain() throws IOException {
        Listener opened = weir;
        weir = null;
        rule = null;
        isTcp = true;
        if (opened != null) {
            opened.close();
        }
        SocketImpl old = kernel;
        SocketImpl fresh = PlatformSockets.make(true);
        PlatformSockets.create(fresh, true);
        kernel = fresh;
        closeQuietly(old);
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes the kernel's connections one after the other: it cannot wait for both. */
    private void acceptTcp() {
        while (!isClosed) {
            SocketImpl accepted = null;
            IOException failure = null;
            try {
                SocketImpl made = PlatformSockets.make(false);
                PlatformSockets.accept(kernel, made);
                accepted = made;
            } catch (SocketTimeoutException e) {
                // The program's limit is for its own waits, not for this thread's.
                continue;
            } catch (IOException e) {
                failure = e;
            }
            lock.lock();
            try {
                waitingTcp = accepted;
                tcpFailure = failure;
                changed.signalAll();
                while (!isClosed && (waitingTcp != null || tcpFailure != null)) {
                    changed.awaitUninterruptibly();
                }
                accepted = waitingTcp;
            } finally {
                lock.unlock();
            }
            if (accepted != null) {
                closeQuietly(accepted);
            }
        }
    }

    private static void closeQuietly(SocketImpl socket) {
        try {
            PlatformSockets.close(socket);
        } catch (IOException e) {
            // It is gone all the same.
        }
    }

    @Override
    protected void accept(SocketImpl accepted) throws IOException {
        if (!(accepted instanceof DualSocketImpl target)) {
            throw new SocketException("sockets of " + accepted.getClass() + " are not accepted where rules decide");
        }
        if (weir == null) {
            SocketImpl made = PlatformSockets.make(false);
            PlatformSockets.accept(kernel, made);
            target.take(made);
            return;
        }
        Object timeout = kernel.getOption(SocketOptions.SO_TIMEOUT);
        int millis = timeout instanceof Integer set ? set : 0;
        long leftNanos = millis == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(millis);
        boolean wasInterrupted = false;
        lock.lock();
        try {
            while (true) {
                if (isClosed) {
                    throw new SocketException("Socket closed");
                }
                if (takeWaiting(target)) {
                    return;
                }
                if (leftNanos <= 0) {
                    throw new SocketTimeoutException("Accept timed out");
                }
                try {
                    leftNanos = changed.awaitNanos(leftNanos);
                } catch (InterruptedException e) {
                    if (Interrupts.endWaits()) {
                        Thread.currentThread().interrupt();
                        throw new SocketException("Closed by interrupt");
                    }
                    wasInterrupted = true;
                }
            }
        } finally {
            lock.unlock();
            Interrupts.restore(wasInterrupted);
        }
    }

    private boolean takeWaiting(DualSocketImpl target) throws IOException {
        WeirSocket next = weir.tryAccept();
        if (next != null) {
            target.take(next, rule);
            return true;
        }
        SocketImpl tcp = waitingTcp;
        IOException failure = tcpFailure;
        waitingTcp = null;
        tcpFailure = null;
        if (tcp != null || failure != null) {
            changed.signalAll();
        }
        if (failure != null) {
            throw failure;
        }
        if (tcp != null) {
            target.take(tcp);
        }
        return tcp != null;
    }

    @Override
    protected void close() throws IOException {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        Listener listener = weir;
        if (listener != null) {
            listener.close();
        }
        PlatformSockets.close(kernel);
        awaitAcceptor();
    }

    /** The kernel has the port until the thread that waits for its connections has seen that it is closed. */
    private void awaitAcceptor() {
        Thread thread = acceptor;
        if (thread == null || thread == Thread.currentThread()) {
            return;
        }
        boolean wasInterrupted = Thread.interrupted();
        // It is woken by the close, and does nothing else.
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
        }
        Interrupts.restore(wasInterrupted);
    }

    // ---- options and queries

    @Override
    public void setOption(int option, Object value) throws SocketException {
        kernel.setOption(option, value);
    }

    @Override
    public Object getOption(int option) throws SocketException {
        return kernel.getOption(option);
    }

    @Override
    protected <T> void setOption(SocketOption<T> option, T value) throws IOException {
        PlatformSockets.setOption(kernel, option, value);
    }

    @Override
    @SuppressWarnings("unchecked") // an option's value is of its type
    protected <T> T getOption(SocketOption<T> option) throws IOException {
        return (T) PlatformSockets.getOption(kernel, option);
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return PlatformSockets.options(kernel);
    }

    @Override
    protected FileDescriptor getFileDescriptor() {
        return PlatformSockets.descriptor(kernel);
    }

    @Override
    protected InetAddress getInetAddress() {
        return PlatformSockets.address(kernel);
    }

    @Override
    protected int getLocalPort() {
        return PlatformSockets.localPort(kernel);
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
