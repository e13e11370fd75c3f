package io.weir.transport.nio;

import io.weir.transport.fallback.Opening;
import io.weir.transport.fallback.Rule;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A channel that is the kernel's until it is connected, and then the kernel's or Weir's: options, a local address and
 * the blocking mode are set before anybody knows which.
 */
final class DualSocketChannel extends SocketChannel implements DualChannel {
    /** How often a thread that waits looks at a TCP connection that began while the channel did not block. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final DualSelectorProvider dualProvider;
    private final ChannelOptions options;
    private final List<DualKey> keys = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Made when it is asked for; written with the lock. */
    private Socket socketView;

    /** The kernel's channel; null where the connection is Weir's. Written with the lock. */
    private volatile SocketChannel kernel;
    /** Weir's connection, or null. Written with the lock. */
    private volatile WeirSocket weir;
    /** What tries both, or null. Written with the lock. */
    private volatile Opening opening;

    /** The peer, or null; written with the lock. */
    private volatile InetSocketAddress remote;
    /** Where it leaves from, if the application has bound it. */
    private volatile InetSocketAddress boundTo;
    /** Whether an opening has not been finished by the application. */
    private volatile boolean isPending;
    /** Whether the kernel's channel is used and told everything. */
    private volatile boolean isTcp;
    /** Whether TCP's half has begun without blocking and not ended. Written with the lock. */
    private volatile boolean isTcpTrying;
    /** Whether it is TCP's turn in a connect that blocks, whose own thread opens it. Written with the lock. */
    private boolean isTcpsTurn;
    /** Whether the thread that connects waits for the end. Written with the lock. */
    private boolean isConnectBlocking;

    /** The ends that it had when it was closed; null until then. Written with the lock, once. */
    private volatile ChannelEnds endsAtClose;

    /** Set by any thread, never cleared. */
    private volatile boolean isInputShut;
    /** Set by any thread, never cleared. */
    private volatile boolean isOutputShut;

    /** Creates a channel that is not connected. */
    DualSocketChannel(DualSelectorProvider provider, SocketChannel kernel) {
        super(provider);
        this.dualProvider = provider;
        this.kernel = kernel;
        this.options = new ChannelOptions(kernel.supportedOptions());
    }

    private DualSocketChannel(DualSelectorProvider provider, WeirSocket accepted, Set<SocketOption<?>> supported) {
        super(provider);
        this.dualProvider = provider;
        this.options = new ChannelOptions(supported);
        this.remote = accepted.remoteAddress();
    }

    /** {@return a channel that a listener with these options has accepted from Weir} */
    static DualSocketChannel ofWeir(
            DualSelectorProvider provider,
            WeirSocket accepted,
            Set<SocketOption<?>> supported,
            ChannelOptions listener) {
        DualSocketChannel channel = new DualSocketChannel(provider, accepted, supported);
        channel.options.inherit(listener);
        channel.become(accepted);
        return channel;
    }

    /** {@return a channel that a listener has accepted from the kernel} */
    static DualSocketChannel ofKernel(DualSelectorProvider provider, SocketChannel accepted) {
        DualSocketChannel channel = new DualSocketChannel(provider, accepted);
        channel.isTcp = true;
        return channel;
    }

    private void become(WeirSocket connected) {
        weir = connected;
        options.applyTo(connected);
        connected.setReadinessListener(this::signalKeys);
    }

    private void signalKeys() {
        for (DualKey key : keys) {
            key.signal();
        }
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    // ---- before it is connected

    @Override
    public SocketChannel bind(SocketAddress local) throws IOException {
        requireOpen();
        SocketChannel own = kernel;
        if (own == null) {
            throw new AlreadyBoundException();
        }
        own.bind(local);
        boundTo = (InetSocketAddress) own.getLocalAddress();
        return this;
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> option, T value) throws IOException {
        Objects.requireNonNull(option, "option is null; name one of supportedOptions()");
        requireOpen();
        options.set(kernel, option, value);
        WeirSocket opened = weir;
        if (opened != null && ChannelOptions.isAboutKeepAlive(option)) {
            options.applyTo(opened);
        }
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        Objects.requireNonNull(option, "option is null; name one of supportedOptions()");
        requireOpen();
        return options.get(kernel, option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return options.supported();
    }

    // ---- connecting

    @Override
    public boolean connect(SocketAddress address) throws IOException {
        return connect(address, Long.MAX_VALUE);
    }

    /**
     * As {@link #connect(SocketAddress)}, for a channel that blocks no longer than this.
     *
     * @throws SocketTimeoutException if the time is over first; the channel is closed then
     */
    boolean connect(SocketAddress address, long timeoutNanos) throws IOException {
        InetSocketAddress target = ConnectCalls.requireUsable(address);
        Rule rule = target.getPort() == 0 ? null : dualProvider.fallback().ruleOfConnect(target);
        boolean isBlocking = isBlocking();
        beginConnect(target, rule, isBlocking);
        boolean isConnected = false;
        try {
            if (rule == null) {
                isConnected = connectKernel(() -> ConnectCalls.connectWithin(kernel, target, timeoutNanos));
            } else if (isBlocking) {
                connectAndWait(target, timeoutNanos);
                isConnected = true;
            } else {
                dualProvider.fallback().begin(opening);
                // Where it is open by now it is finished by the program all the same, as TCP's: not by chance.
                isConnected = opening.failure() != null && isSettled(opening) && finishConnect();
            }
            return isConnected;
        } finally {
            if (isConnected) {
                isPending = false;
            }
            signalKeys();
        }
    }

    private void beginConnect(InetSocketAddress target, Rule rule, boolean isBlocking) throws IOException {
        lock.lock();
        try {
            requireOpen();
            if (weir != null || (isTcp && !isPending)) {
                throw new AlreadyConnectedException();
            }
            if (isPending) {
                throw new ConnectionPendingException();
            }
            remote = target;
            isPending = true;
            isConnectBlocking = isBlocking;
            isTcp = rule == null;
            if (rule != null) {
                opening = dualProvider.fallback().connect(target, boundTo, rule, new TcpHalf());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes a step of the kernel's: a failure or an interrupt closes its channel, and so this one. */
    private boolean connectKernel(ConnectCalls.Call<Boolean> step) throws IOException {
        try {
            return step.run();
        } finally {
            if (!kernel.isOpen()) {
                isPending = false;
                close();
            }
        }
    }

    private void connectAndWait(InetSocketAddress target, long timeoutNanos) throws IOException {
        Opening begun = opening;
        long startNanos = System.nanoTime();
        boolean isConnected = false;
        try {
            begin();
            dualProvider.fallback().begin(begun);
            boolean isInTime = await(begun, true, startNanos, timeoutNanos);
            if (isInTime && !isSettled(begun) && isOpen()) {
                connectTcp(begun, target, ConnectCalls.left(startNanos, timeoutNanos));
                isInTime = await(begun, false, startNanos, timeoutNanos);
            }
            if (!isInTime) {
                throw new SocketTimeoutException("Connect timed out");
            }
            isConnected = isOpen() && begun.failure() == null;
        } finally {
            end(isConnected);
            if (!isConnected) {
                begun.cancel();
                isPending = false;
                close();
            }
        }
        if (begun.failure() != null) {
            throw begun.failure();
        }
    }

    /** {@return whether an opening has ended, and this channel is what it has become by that} */
    private boolean isSettled(Opening begun) {
        return begun.isDecided() && (weir != null || isTcp || begun.failure() != null || !isOpen());
    }

    /** {@return whether it is decided, TCP's turn, or the channel closed, in time} */
    private boolean await(Opening begun, boolean endsAtTurn, long startNanos, long timeoutNanos) {
        lock.lock();
        try {
            while (isOpen() && !isSettled(begun) && !(endsAtTurn && isTcpsTurn)) {
                if (timeoutNanos == Long.MAX_VALUE) {
                    // An interrupt closes the channel, which ends this.
                    changed.awaitUninterruptibly();
                } else {
                    if (System.nanoTime() - startNanos >= timeoutNanos) {
                        return false;
                    }
                    long unused = changed.awaitNanos(ConnectCalls.left(startNanos, timeoutNanos));
                }
            }
            return true;
        } catch (InterruptedException e) {
            // The channel is being closed by it.
            Thread.currentThread().interrupt();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void connectTcp(Opening begun, InetSocketAddress target, long timeoutNanos) {
        SocketChannel own = kernel;
        if (own == null) {
            return;
        }
        try {
            ConnectCalls.connectWithin(own, target, timeoutNanos);
            if (begun.onTcpOpened()) {
                isTcp = true;
            } else {
                ConnectCalls.closeQuietly(own);
            }
        } catch (IOException e) {
            // Not if Weir, or another thread, has closed it.
            begun.onTcpFailed(e);
        }
    }

    /** TCP's half of an opening; called by threads of loops and timers. */
    private final class TcpHalf implements Opening.Tcp {
        @Override
        public void begin() {
            lock.lock();
            try {
                SocketChannel own = kernel;
                if (isConnectBlocking) {
                    isTcpsTurn = true;
                    changed.signalAll();
                } else if (own != null) {
                    isTcpTrying = true;
                    if (own.connect(remote)) {
                        endTcp();
                    }
                }
            } catch (IOException e) {
                isTcpTrying = false;
                opening.onTcpFailed(e);
            } finally {
                lock.unlock();
            }
            signalKeys();
        }

        @Override
        public void onDecided() {
            lock.lock();
            try {
                WeirSocket opened = opening.weir();
                SocketChannel own = kernel;
                if (opened != null && own != null) {
                    kernel = null;
                    isTcpTrying = false;
                    become(opened);
                    ConnectCalls.closeQuietly(own);
                    if (!isOpen()) {
                        opened.abort();
                    }
                }
                changed.signalAll();
            } finally {
                lock.unlock();
            }
            signalKeys();
        }
    }

    /** TCP's half is open. With the lock. */
    private void endTcp() {
        isTcpTrying = false;
        if (opening.onTcpOpened()) {
            isTcp = true;
        } else {
            ConnectCalls.closeQuietly(kernel);
        }
    }

    /** Looks whether TCP's half has come to an end. */
    private void lookAtTcp() {
        lock.lock();
        try {
            SocketChannel own = kernel;
            if (isTcpTrying && own != null && own.finishConnect()) {
                endTcp();
            }
        } catch (IOException e) {
            isTcpTrying = false;
            opening.onTcpFailed(e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isConnectionPending() {
        return isOpen() && isPending;
    }

    @Override
    public boolean finishConnect() throws IOException {
        requireOpen();
        if (!isPending) {
            if (isConnected()) {
                return true;
            }
            throw new NoConnectionPendingException();
        }
        Opening begun = opening;
        boolean isConnected = begun == null ? connectKernel(() -> kernel.finishConnect()) : finishOpening(begun);
        if (isConnected) {
            isPending = false;
            signalKeys();
        }
        return isConnected;
    }

    private boolean finishOpening(Opening begun) throws IOException {
        lookAtTcp();
        if (isBlocking()) {
            awaitEnd(begun);
        }
        if (!isSettled(begun)) {
            return false;
        }
        if (begun.failure() != null) {
            isPending = false;
            close();
            throw begun.failure();
        }
        return true;
    }

    /** Waits for an opening that began while the channel did not block. */
    private void awaitEnd(Opening begun) throws IOException {
        boolean isDone = false;
        try {
            begin();
            while (isOpen() && !isSettled(begun)) {
                await(begun, false, System.nanoTime(), LOOK_NANOS);
                lookAtTcp();
            }
            isDone = isOpen();
        } finally {
            end(isDone);
        }
    }

    // ---- connected

    @Override
    public boolean isConnected() {
        if (isPending || !isOpen()) {
            return false;
        }
        SocketChannel own = kernel;
        return weir != null || (isTcp && own != null && own.isConnected());
    }

    @Override
    public Socket socket() {
        lock.lock();
        try {
            if (socketView == null) {
                socketView = new ChannelSocket(this);
            }
            return socketView;
        } catch (SocketException e) {
            throw new IllegalStateException("a socket without an implementation cannot fail", e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        requireOpen();
        return ends().remote();
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return ends().local();
    }

    /** {@return the ends that it has, or had until it was closed} */
    ChannelEnds ends() throws IOException {
        ChannelEnds left = endsAtClose;
        if (left != null) {
            return left;
        }
        WeirSocket opened = weir;
        if (!isPending && opened != null) {
            return new ChannelEnds(opened.localAddress(), remote);
        }
        SocketChannel own = kernel;
        if (!isPending && isTcp && own != null && own.isOpen()) {
            return new ChannelEnds(own.getLocalAddress(), own.getRemoteAddress());
        }
        // As the runtime's: while it connects, and after that has failed, the peer is known.
        return new ChannelEnds(boundTo, remote);
    }

    /** {@return Weir's connection} */
    private WeirSocket requireConnected() throws IOException {
        requireOpen();
        WeirSocket opened = weir;
        if (opened == null || isPending) {
            throw new NotYetConnectedException();
        }
        return opened;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return read(target, Long.MAX_VALUE);
    }

    /** As {@link #read(ByteBuffer)}, waiting no longer than this where the channel blocks. */
    int read(ByteBuffer target, long timeoutNanos) throws IOException {
        Objects.requireNonNull(target, "target is null; give a buffer to read into");
        if (isTcp) {
            return ofKernel(() -> kernel.read(target));
        }
        WeirSocket from = requireConnected();
        if (isInputShut) {
            return -1;
        }
        if (!target.hasRemaining()) {
            return 0;
        }
        if (!isBlocking()) {
            return fromWeir(() -> from.tryRead(target));
        }
        int count = 0;
        try {
            begin();
            count = timeoutNanos == Long.MAX_VALUE ? from.read(target) : from.readWithin(target, timeoutNanos);
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            requireItself(e);
        } finally {
            end(count != 0);
        }
        return count;
    }

    /** What a call of Weir's throws where the channel was closed meanwhile is for {@link #end} to say. */
    private void requireItself(IOException problem) throws IOException {
        if (isOpen() && !Thread.currentThread().isInterrupted()) {
            throw problem;
        }
    }

    /** What closes the kernel's channel by an interrupt closes this one. */
    private <T> T ofKernel(ConnectCalls.Call<T> call) throws IOException {
        try {
            return call.run();
        } catch (ClosedByInterruptException e) {
            close();
            throw e;
        }
    }

    /** A call that does not wait. */
    private <T> T fromWeir(ConnectCalls.Call<T> call) throws IOException {
        try {
            return call.run();
        } catch (IOException e) {
            requireOpen();
            throw e;
        }
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, targets.length);
        if (isTcp) {
            return ofKernel(() -> kernel.read(targets, offset, length));
        }
        requireConnected();
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            ByteBuffer target = targets[i];
            if (target.hasRemaining()) {
                int count = total == 0 ? read(target) : fromWeir(() -> weir.tryRead(target));
                if (count < 0) {
                    return total == 0 ? count : total;
                }
                total += count;
                if (target.hasRemaining()) {
                    return total;
                }
            }
        }
        return total;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        Objects.requireNonNull(source, "source is null; give a buffer to write from");
        if (isTcp) {
            return ofKernel(() -> kernel.write(source));
        }
        WeirSocket to = requireConnected();
        if (isOutputShut) {
            throw new ClosedChannelException();
        }
        if (!isBlocking()) {
            return fromWeir(() -> to.tryWrite(source));
        }
        int before = source.remaining();
        int count = 0;
        try {
            begin();
            to.write(source);
        } catch (IOException e) {
            if (before == source.remaining()) {
                requireItself(e);
            }
        } finally {
            count = before - source.remaining();
            end(count > 0 || before == 0);
        }
        return count;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        if (isTcp) {
            return ofKernel(() -> kernel.write(sources, offset, length));
        }
        requireConnected();
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            if (sources[i].hasRemaining()) {
                total += write(sources[i]);
                if (sources[i].hasRemaining()) {
                    return total;
                }
            }
        }
        return total;
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        requireOpen();
        if (isTcp) {
            kernel.shutdownInput();
            isInputShut = true;
        } else {
            WeirSocket opened = requireConnected();
            if (!isInputShut) {
                isInputShut = true;
                fromWeir(ConnectCalls.done(opened::shutdownInput));
            }
        }
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        requireOpen();
        if (isTcp) {
            kernel.shutdownOutput();
            isOutputShut = true;
        } else {
            WeirSocket opened = requireConnected();
            if (!isOutputShut) {
                isOutputShut = true;
                fromWeir(ConnectCalls.done(opened::shutdownOutput));
            }
        }
        return this;
    }

    /** {@return whether the application has ended its reading, by the channel or its socket} */
    boolean isInputShut() {
        return isInputShut;
    }

    /** {@return whether the application has ended its writing, by the channel or its socket} */
    boolean isOutputShut() {
        return isOutputShut;
    }

    /** {@return bytes of Weir's that can be read without waiting} */
    int available() throws IOException {
        return requireConnected().available();
    }

    /** {@return the kernel's channel where it carries the connection, or null} */
    SocketChannel tcpChannel() {
        return isTcp ? kernel : null;
    }

    // ---- for selectors

    @Override
    public void addKey(DualKey key) {
        keys.add(key);
    }

    @Override
    public void removeKey(DualKey key) {
        keys.remove(key);
    }

    @Override
    public boolean isWeir() {
        return weir != null;
    }

    @Override
    public SelectableChannel kernelChannel() {
        return kernel;
    }

    @Override
    public int kernelOps(int interestOps) {
        if (isTcp) {
            return opening != null && isPending ? 0 : interestOps;
        }
        return isTcpTrying ? SelectionKey.OP_CONNECT : 0;
    }

    @Override
    public int onKernelReady(int ops, int interestOps) {
        if (!isTcpTrying) {
            return ops & interestOps;
        }
        lookAtTcp();
        return readyOps(interestOps) & interestOps;
    }

    @Override
    public int readyOps(int interestOps) {
        Opening begun = opening;
        if (isPending) {
            return begun != null && isSettled(begun) ? SelectionKey.OP_CONNECT : 0;
        }
        WeirSocket opened = weir;
        if (opened == null || !isOpen()) {
            return 0;
        }
        int ops = 0;
        if ((interestOps & SelectionKey.OP_READ) != 0 && (isInputShut || opened.isReadable())) {
            ops |= SelectionKey.OP_READ;
        }
        if ((interestOps & SelectionKey.OP_WRITE) != 0 && opened.isWritable()) {
            ops |= SelectionKey.OP_WRITE;
        }
        return ops;
    }

    @Override
    protected void implConfigureBlocking(boolean isBlocking) throws IOException {
        SocketChannel own = kernel;
        if (own != null) {
            if (isBlocking) {
                // Of this channel's own keys none is valid any more.
                keys.forEach(DualKey::leaveKernel);
            }
            if (!ConnectCalls.isConfigured(own, isBlocking) && own == kernel) {
                // Closed, and not since Weir has the connection.
                throw new ClosedChannelException();
            }
        }
    }

    // ---- the end

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        lock.lock();
        try {
            endsAtClose = ends();
            Opening begun = opening;
            if (begun != null) {
                begun.cancel();
            }
            SocketChannel own = kernel;
            if (own != null) {
                own.close();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        // Without the lock: this thread may run a cycle of the loop, which tells other channels.
        WeirSocket opened = weir;
        if (opened != null && options.resetsAtClose()) {
            opened.abort();
        } else if (opened != null) {
            opened.close();
        }
    }
}
