package io.weir.transport.nio;

import io.weir.transport.fallback.Fallback;
import io.weir.transport.fallback.Listener;
import io.weir.transport.fallback.Preference;
import io.weir.transport.fallback.Rule;
import io.weir.transport.socket.WeirSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Listens on a TCP port of the kernel's, and on Weir's of the same number where rules say so, and accepts from both.
 */
final class DualServerSocketChannel extends ServerSocketChannel implements DualChannel {
    private static final int BACKLOG_DEFAULT = 50;
    private static final int BACKLOG_MAX = 4_096;
    /** A port that the kernel has chosen may be in use by Weir. */
    private static final int TRIES_MAX = 16;

    private final DualSelectorProvider dualProvider;
    private final Set<SocketOption<?>> channelOptions;
    private final ChannelOptions options;
    private final List<DualKey> keys = new CopyOnWriteArrayList<>();
    /** Made when it is asked for; written with the lock. */
    private ServerSocket socketView;

    private final ReentrantLock lock = new ReentrantLock();
    private final ReentrantLock accepting = new ReentrantLock();
    /** Replaced while it is bound, if the port is in use by Weir. Written with the lock. */
    private volatile ServerSocketChannel kernel;
    /** Weir's half, or null. Written with the lock. */
    private volatile Listener weir;
    /** Where it listens, or did; null until it is bound. Written with the lock. */
    private volatile InetSocketAddress boundTo;
    /** The address where Weir alone listens. */
    private volatile InetSocketAddress weirAddress;
    /** What a thread that accepts waits with, or null; made with {@link #accepting}. */
    private volatile Selector waiter;

    DualServerSocketChannel(DualSelectorProvider provider, ServerSocketChannel kernel) throws IOException {
        super(provider);
        this.dualProvider = provider;
        this.kernel = kernel;
        this.options = new ChannelOptions(kernel.supportedOptions());
        options.begin(StandardSocketOptions.SO_REUSEADDR, true);
        try (SocketChannel sample = provider.kernel().openSocketChannel()) {
            this.channelOptions = sample.supportedOptions();
        }
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    // ---- the beginning

    @Override
    public ServerSocketChannel bind(SocketAddress address, int backlog) throws IOException {
        if (address != null && !(address instanceof InetSocketAddress)) {
            throw new UnsupportedAddressTypeException();
        }
        InetSocketAddress local = address == null ? new InetSocketAddress(0) : (InetSocketAddress) address;
        if (local.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        lock.lock();
        try {
            requireOpen();
            if (weir != null || kernel.getLocalAddress() != null) {
                throw new AlreadyBoundException();
            }
            Rule rule = dualProvider.fallback().ruleOfListen(local);
            if (rule == null) {
                kernel.bind(address, backlog);
            } else {
                bindBoth(rule, local, backlog);
            }
            boundTo = (InetSocketAddress) getLocalAddress();
        } finally {
            lock.unlock();
        }
        keys.forEach(DualKey::signal);
        return this;
    }

    private void bindBoth(Rule rule, InetSocketAddress local, int backlog) throws IOException {
        Fallback fallback = dualProvider.fallback();
        int room = backlog < 1 ? BACKLOG_DEFAULT : Math.min(backlog, BACKLOG_MAX);
        if (rule.preference() == Preference.WEIR) {
            Listener opened = Listener.open(fallback, rule, local, room);
            weirAddress = new InetSocketAddress(local.getAddress(), opened.localPort());
            begin(opened);
            return;
        }
        // Both are taken, or none.
        for (int i = 1; weir == null; i++) {
            try {
                if (local.getPort() == 0) {
                    bindToAnyPort(rule, local, backlog, room);
                } else {
                    bindToPort(rule, local, backlog, room);
                }
                return;
            } catch (BindException e) {
                replaceKernel();
                if (local.getPort() != 0 || i == TRIES_MAX) {
                    throw e;
                }
            }
        }
    }

    /** Weir's port comes first: a peer that found TCP's alone would take this host for one without Weir. */
    private void bindToPort(Rule rule, InetSocketAddress local, int backlog, int room) throws IOException {
        Listener opened = Listener.open(dualProvider.fallback(), rule, local, room);
        boolean isBound = false;
        try {
            kernel.bind(local, backlog);
            isBound = true;
        } finally {
            if (!isBound && opened != null) {
                opened.close();
            }
        }
        beginBoth(opened);
    }

    private void bindToAnyPort(Rule rule, InetSocketAddress local, int backlog, int room) throws IOException {
        kernel.bind(local, backlog);
        int port = ((InetSocketAddress) kernel.getLocalAddress()).getPort();
        Listener opened =
                Listener.open(dualProvider.fallback(), rule, new InetSocketAddress(local.getAddress(), port), room);
        beginBoth(opened);
    }

    private void beginBoth(Listener opened) throws IOException {
        if (opened != null) {
            kernel.configureBlocking(false);
            begin(opened);
        }
    }

    private void begin(Listener opened) {
        weir = opened;
        opened.setListener(this::onIncoming);
    }

    /** The channel is as it was before it was bound, with its options. */
    private void replaceKernel() throws IOException {
        ServerSocketChannel old = kernel;
        ServerSocketChannel fresh = dualProvider.kernel().openServerSocketChannel();
        for (SocketOption<?> option : old.supportedOptions()) {
            copyOption(old, fresh, option);
        }
        fresh.configureBlocking(old.isBlocking());
        kernel = fresh;
        old.close();
    }

    private static <T> void copyOption(ServerSocketChannel from, ServerSocketChannel to, SocketOption<T> option)
            throws IOException {
        T value = option.name().equals(ChannelOptions.READ_ONLY) ? null : from.getOption(option);
        if (value != null) {
            to.setOption(option, value);
        }
    }

    private void onIncoming() {
        Selector waiting = waiter;
        if (waiting != null) {
            waiting.wakeup();
        }
        keys.forEach(DualKey::signal);
    }

    // ---- accepting

    @Override
    public SocketChannel accept() throws IOException {
        return accept(Long.MAX_VALUE);
    }

    /**
     * As {@link #accept()}, waiting no longer than this where the channel blocks.
     *
     * @throws SocketTimeoutException if none came within the time
     */
    SocketChannel accept(long timeoutNanos) throws IOException {
        requireOpen();
        if (weir == null && kernel.getLocalAddress() == null) {
            throw new NotYetBoundException();
        }
        if (!isBlocking()) {
            return tryAccept();
        }
        if (weir == null && timeoutNanos == Long.MAX_VALUE) {
            return acceptKernel();
        }
        accepting.lock();
        try {
            return await(timeoutNanos);
        } finally {
            accepting.unlock();
        }
    }

    private SocketChannel acceptKernel() throws IOException {
        ServerSocketChannel own = kernel;
        try {
            return DualSocketChannel.ofKernel(dualProvider, own.accept());
        } finally {
            if (!own.isOpen()) {
                close();
            }
        }
    }

    private SocketChannel tryAccept() throws IOException {
        Listener listener = weir;
        WeirSocket accepted = listener == null ? null : listener.tryAccept();
        if (accepted != null) {
            return DualSocketChannel.ofWeir(dualProvider, accepted, channelOptions, options);
        }
        if (weirAddress != null) {
            return null;
        }
        SocketChannel ofKernel = kernel.accept();
        return ofKernel == null ? null : DualSocketChannel.ofKernel(dualProvider, ofKernel);
    }

    private SocketChannel await(long timeoutNanos) throws IOException {
        long startNanos = System.nanoTime();
        SocketChannel accepted = null;
        try {
            begin();
            prepareWaiter();
            while (isOpen()) {
                accepted = tryAcceptOpen();
                if (accepted != null) {
                    return accepted;
                }
                long leftNanos = timeoutNanos == Long.MAX_VALUE
                        ? Long.MAX_VALUE
                        : timeoutNanos - (System.nanoTime() - startNanos);
                if (leftNanos <= 0) {
                    throw new SocketTimeoutException("Accept timed out");
                }
                int unused =
                        waiter.select(leftNanos == Long.MAX_VALUE ? 0 : 1 + TimeUnit.NANOSECONDS.toMillis(leftNanos));
                waiter.selectedKeys().clear();
            }
        } finally {
            end(accepted != null);
        }
        throw new ClosedChannelException();
    }

    private SocketChannel tryAcceptOpen() throws IOException {
        try {
            return tryAccept();
        } catch (ClosedChannelException e) {
            return null;
        }
    }

    private void prepareWaiter() throws IOException {
        if (waiter == null) {
            Selector made = dualProvider.kernel().openSelector();
            waiter = made;
            if (weirAddress == null) {
                kernel.configureBlocking(false);
                SelectionKey unused = kernel.register(made, SelectionKey.OP_ACCEPT);
            }
            if (!isOpen()) {
                made.close();
            }
        }
    }

    // ---- options and addresses

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> option, T value) throws IOException {
        requireOpen();
        options.set(kernel, option, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        requireOpen();
        return options.get(kernel, option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return options.supported();
    }

    @Override
    public ServerSocket socket() {
        lock.lock();
        try {
            if (socketView == null) {
                socketView = new ChannelServerSocket(this);
            }
            return socketView;
        } catch (IOException e) {
            throw new UncheckedIOException("a socket that is not bound cannot be made", e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return weirAddress != null ? weirAddress : kernel.getLocalAddress();
    }

    /** {@return where it listens, or did until it was closed; null if it never was bound} */
    InetSocketAddress boundTo() {
        return boundTo;
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
        return false;
    }

    @Override
    public SelectableChannel kernelChannel() {
        return weirAddress == null ? kernel : null;
    }

    @Override
    public int kernelOps(int interestOps) {
        return weirAddress == null ? interestOps : 0;
    }

    @Override
    public int onKernelReady(int ops, int interestOps) {
        return ops & interestOps;
    }

    @Override
    public int readyOps(int interestOps) {
        Listener listener = weir;
        return listener != null && listener.hasWaiting() ? SelectionKey.OP_ACCEPT : 0;
    }

    @Override
    protected void implConfigureBlocking(boolean isBlocking) throws IOException {
        if (isBlocking) {
            keys.forEach(DualKey::leaveKernel);
        }
        if (weir == null && waiter == null) {
            kernel.configureBlocking(isBlocking);
        }
    }

    // ---- the end

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        Listener listener = weir;
        if (listener != null) {
            listener.close();
        }
        kernel.close();
        Selector waiting = waiter;
        if (waiting != null) {
            // A thread that accepts leaves its selection by this.
            waiting.close();
        }
    }
}
