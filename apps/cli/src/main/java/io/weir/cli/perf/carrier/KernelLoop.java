package io.weir.cli.perf.carrier;

import io.weir.transport.runtime.LoopTask;
import io.weir.transport.runtime.OwnTimeLimit;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A selector, and the thread that serves its channels. */
final class KernelLoop {
    private static final Logger LOG = LoggerFactory.getLogger(KernelLoop.class);
    private static final long JOIN_SECONDS_MAX = 5;
    /** So often connections look whether their time to close is over. */
    private static final long TICK_MILLIS = 100;

    /** So long a peer may take to end its stream where this end closes. */
    private static final long LEAVE_SECONDS_MAX = 2;

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);

    private final String name;
    private final boolean isSpinning;
    private final Selector selector;
    private final Thread thread;
    private final Queue<LoopTask> tasks = new ConcurrentLinkedQueue<>();
    /** What is asked in each cycle. The loop's thread alone. */
    private final List<BooleanSupplier> works = new ArrayList<>();
    /** Cycles until now. The loop's thread alone. */
    private long cycle;
    /** When connections last looked at the time, by System.nanoTime. The loop's thread alone. */
    private long tickedNanos = System.nanoTime();
    /** Set once; the thread ends soon after. */
    private volatile boolean isClosing;
    /** Why the loop ended by itself, or null. */
    private volatile Throwable failure;

    /** What is told of a channel's readiness, on the loop's thread. */
    interface Ready {
        void onReady(SelectionKey key) throws IOException;

        /** The loop ends, or asks from time to time. */
        default void onTick(boolean isEnding) {}

        /** {@return whether it has sent its end, and waits for its peer's} */
        default boolean isLeaving() {
            return false;
        }
    }

    /** Takes a connection that came. */
    interface Acceptor {
        void accept(SocketChannel channel) throws IOException;
    }

    private KernelLoop(String name, boolean isSpinning) throws IOException {
        this.name = name;
        this.isSpinning = isSpinning;
        this.selector = Selector.open();
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    /** {@return a loop that runs} */
    static KernelLoop start(String name, boolean isSpinning) throws IOException {
        KernelLoop loop = new KernelLoop(name, isSpinning);
        loop.thread.start();
        return loop;
    }

    String name() {
        return name;
    }

    Throwable failure() {
        return failure;
    }

    /** {@return how many cycles there were; the loop's thread} */
    long cycle() {
        return cycle;
    }

    /** Has the loop run a task: at once on its thread. */
    void execute(LoopTask task) {
        if (Thread.currentThread() == thread) {
            task.run(System.nanoTime());
            return;
        }
        if (isClosing) {
            throw new RejectedExecutionException("the loop has ended");
        }
        tasks.add(task);
        selector.wakeup();
    }

    /** Runs a task in the next cycle; the loop's thread. */
    void later(LoopTask task) {
        tasks.add(task);
        selector.wakeup();
    }

    /** Asks {@code work} in each cycle until it says false; the loop's thread. */
    void eachCycle(BooleanSupplier work) {
        works.add(work);
    }

    /** Registers a channel; the loop's thread. */
    SelectionKey register(SocketChannel channel, int interest, Ready ready) throws IOException {
        channel.configureBlocking(false);
        return channel.register(selector, interest, ready);
    }

    /** Takes connections; the loop's thread. */
    void listen(ServerSocketChannel listener, Acceptor acceptor) {
        try {
            listener.register(selector, SelectionKey.OP_ACCEPT, (Ready) key -> {
                for (SocketChannel next = listener.accept(); next != null; next = listener.accept()) {
                    acceptor.accept(next);
                }
            });
        } catch (IOException e) {
            throw new IllegalStateException("a listener that was just bound is closed", e);
        }
    }

    private void run() {
        try {
            while (!isClosing) {
                runOnce();
            }
            // What was written, and an end that was sent, still reach the peer.
            OwnTimeLimit limit = OwnTimeLimit.ofSeconds(LEAVE_SECONDS_MAX);
            do {
                runOnce();
            } while (isAnyLeaving() && limit.leftNanos() > 0);
        } catch (IOException | RuntimeException | Error e) {
            LOG.error("the loop of the kernel's connections ended by a fault", e);
            failure = e;
        } finally {
            isClosing = true;
            end();
        }
    }

    private void runOnce() throws IOException {
        if (isSpinning || !works.isEmpty()) {
            selector.selectNow();
        } else {
            selector.select(TICK_MILLIS);
        }
        for (LoopTask task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run(System.nanoTime());
        }
        works.removeIf(work -> !work.getAsBoolean());
        for (Iterator<SelectionKey> keys = selector.selectedKeys().iterator(); keys.hasNext(); ) {
            SelectionKey key = keys.next();
            keys.remove();
            if (key.isValid()) {
                ((Ready) key.attachment()).onReady(key);
            }
        }
        cycle++;
        long now = System.nanoTime();
        if (now - tickedNanos >= TICK_NANOS) {
            tickedNanos = now;
            tick(false);
        }
    }

    private boolean isAnyLeaving() {
        return selector.keys().stream().anyMatch(key -> key.isValid() && ((Ready) key.attachment()).isLeaving());
    }

    private void tick(boolean isEnding) {
        for (SelectionKey key : List.copyOf(selector.keys())) {
            ((Ready) key.attachment()).onTick(isEnding);
        }
    }

    private void end() {
        tick(true);
        for (LoopTask task = tasks.poll(); task != null; task = tasks.poll()) {
            task.onLoopEnded(failure);
        }
        try {
            for (SelectionKey key : List.copyOf(selector.keys())) {
                key.channel().close();
            }
            selector.close();
        } catch (IOException e) {
            LOG.debug("a channel could not be closed", e);
        }
    }

    /** Ends the loop, and resets its connections. */
    void close() {
        isClosing = true;
        selector.wakeup();
        try {
            OwnTimeLimit.ofSeconds(JOIN_SECONDS_MAX).join(thread);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
