package io.weir.cli.traffic;

import io.weir.transport.runtime.OwnTimeLimit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One connection of the kernel's TCP between two namespaces, with a thread at each end. The threads wait from the
 * beginning, so that none is made, nor inherits a loop's scheduling, while the loop runs.
 */
final class TcpConnection implements AutoCloseable {
    private static final long JOIN_SECONDS_MAX = 5;

    private final CountDownLatch started = new CountDownLatch(1);
    private final AtomicReference<String> failure;
    private final List<Thread> threads;
    private volatile boolean isEnding;

    /** What one end does, until it is done or the connection is to end. */
    interface End<T> {
        void run(T place, TcpConnection ends) throws IOException;
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    /**
     * Listens, and lets nothing be sent before {@link #start}.
     *
     * @param failure where to note the first failure that is no end asked for
     * @param client runs on its thread, outside both namespaces, with the address to connect to
     * @param server runs on its thread with the connection that came
     */
    TcpConnection(
            String name,
            TcpFlow.Route route,
            AtomicReference<String> failure,
            End<InetSocketAddress> client,
            End<SocketChannel> server)
            throws IOException {
        this.failure = failure;
        ServerSocketChannel listener =
                route.to().call(() -> ServerSocketChannel.open().bind(new InetSocketAddress(route.address(), 0)));
        InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
        threads = List.of(
                thread("tcp-" + name + "-client", () -> {
                    started.await();
                    if (!isEnding) {
                        client.run(address, this);
                    }
                }),
                thread("tcp-" + name + "-server", () -> {
                    try (listener;
                            SocketChannel incoming = prepare(listener.accept())) {
                        server.run(incoming, this);
                    }
                }));
        threads.forEach(Thread::start);
    }

    /**
     * {@return a channel that sends small messages at once, and resets its connection on closing: what is queued must
     * not cross the network during the next measurement}
     */
    static SocketChannel prepare(SocketChannel channel) throws IOException {
        return channel.setOption(StandardSocketOptions.TCP_NODELAY, true).setOption(StandardSocketOptions.SO_LINGER, 0);
    }

    private Thread thread(String name, Work work) {
        Thread thread = new Thread(() -> run(work), name);
        thread.setDaemon(true);
        return thread;
    }

    private void run(Work work) {
        try {
            work.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            if (!isEnding) {
                failure.compareAndSet(null, Thread.currentThread().getName() + ": " + e);
            }
        }
    }

    /** Lets the client begin. Cheap: a loop's thread may call. */
    void start() {
        started.countDown();
    }

    /** {@return whether the ends are to end} */
    boolean isEnding() {
        return isEnding;
    }

    /** The client sends no more; what the kernel has taken still arrives. Cheap: a loop's thread may call. */
    void stop() {
        isEnding = true;
        start();
    }

    /** Ends both threads: being interrupted closes their channels, and resets the connection. */
    @Override
    public void close() {
        stop();
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                OwnTimeLimit.ofSeconds(JOIN_SECONDS_MAX).join(thread);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
