package io.weir.bench.compare.end;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** The kernel's TCP by one thread and a selector: for more connections than threads. */
final class SelectorPipes implements Pipes {
    private static final int BUFFER_BYTES = 128 * 1024;
    private static final int BACKLOG = 4096;

    private final InetSocketAddress remote;
    private final Selector selector;
    private final Queue<PipeUser> wanted = new ConcurrentLinkedQueue<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer message = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private ServerSocketChannel listener;
    private Supplier<PipeUser> users;
    private volatile boolean isOver;

    SelectorPipes(InetSocketAddress remote) throws IOException {
        this.remote = remote;
        this.selector = Selector.open();
        Thread thread = new Thread(this::run, "compare-selector");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void listen(int port, Supplier<PipeUser> newUsers) throws IOException {
        users = newUsers;
        listener = ServerSocketChannel.open();
        listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        listener.bind(new InetSocketAddress(port), BACKLOG);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        selector.wakeup();
    }

    @Override
    public void connect(PipeUser user) {
        wanted.add(user);
        selector.wakeup();
    }

    private void run() {
        try {
            while (!isOver) {
                selector.select(this::ready);
                PipeUser user;
                while ((user = wanted.poll()) != null) {
                    open(user);
                }
            }
        } catch (IOException e) {
            // The end of the process: its selector is closed.
        }
    }

    private void open(PipeUser user) {
        try {
            SocketChannel channel = SocketChannel.open();
            channel.configureBlocking(false);
            boolean isOpen = channel.connect(remote);
            SelectedPipe pipe = new SelectedPipe(channel, user);
            pipe.key = channel.register(selector, isOpen ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, pipe);
            if (isOpen) {
                pipe.opened();
            }
        } catch (IOException e) {
            user.onClosed(null, e.toString());
        }
    }

    private void ready(SelectionKey key) {
        if (key.isAcceptable()) {
            accept();
            return;
        }
        SelectedPipe pipe = (SelectedPipe) key.attachment();
        try {
            pipe.ready();
        } catch (IOException e) {
            pipe.end(e.toString());
        }
    }

    private void accept() {
        try {
            SocketChannel channel;
            while ((channel = listener.accept()) != null) {
                channel.configureBlocking(false);
                SelectedPipe pipe = new SelectedPipe(channel, users.get());
                pipe.key = channel.register(selector, SelectionKey.OP_READ, pipe);
                pipe.opened();
            }
        } catch (IOException e) {
            // Too many open files: the client sees that nothing comes.
        }
    }

    @Override
    public void close() throws IOException {
        isOver = true;
        selector.close();
    }

    private final class SelectedPipe implements Pipe {
        private final SocketChannel channel;
        private final PipeUser user;
        private SelectionKey key;
        private boolean isClosed;

        SelectedPipe(SocketChannel channel, PipeUser user) {
            this.channel = channel;
            this.user = user;
        }

        void opened() throws IOException {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            user.onOpen(this);
        }

        void ready() throws IOException {
            if (key.isConnectable()) {
                channel.finishConnect();
                key.interestOps(SelectionKey.OP_READ);
                opened();
            } else if (key.isReadable()) {
                int bytes = channel.read(buffer.clear());
                if (bytes < 0) {
                    end(null);
                    return;
                }
                user.onBytes(this, bytes);
            }
            if (!isClosed && key.isWritable()) {
                key.interestOps(SelectionKey.OP_READ);
                user.onWritable(this);
            }
        }

        @Override
        public int write(int bytes) {
            int written = 0;
            try {
                written = channel.write(message.clear().limit(Math.min(bytes, BUFFER_BYTES)));
            } catch (IOException e) {
                end(e.toString());
                return 0;
            }
            if (written < bytes) {
                key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            }
            return written;
        }

        @Override
        public void close() {
            end(null);
        }

        void end(String failure) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            try {
                channel.close();
            } catch (IOException e) {
                // It is closed as far as this process can tell.
            }
            user.onClosed(this, failure);
        }
    }
}
