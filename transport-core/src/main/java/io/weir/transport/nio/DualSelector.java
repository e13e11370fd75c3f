package io.weir.transport.nio;

import io.weir.transport.fallback.Fallback;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One selector for Weir's channels and the kernel's. Weir's tell of what may be ready by a list of keys, so that a
 * selection costs what is ready and not what is registered; the kernel's are registered at a selector of the kernel's,
 * which also gives the sleep and its end. A key that was ready is looked at again in the next selection: readiness is a
 * level and not an event.
 *
 * <p>A selecting thread that finds nothing first runs the loops in place of their threads, as a blocking read does,
 * and sleeps after that.
 */
@SuppressWarnings("ThreadPriorityCheck") // yielding saves the wake-up when the answer is microseconds away
final class DualSelector extends AbstractSelector {
    /** As long as a blocking read runs the loop. */
    private static final long POLL_NANOS = 100_000;
    /** A look at the kernel's selector is a system call, a cycle of a loop without work is not. */
    private static final int CYCLES_PER_LOOK = 8;

    private final Fallback fallback;
    private final Selector kernel;
    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> publicKeys = Collections.unmodifiableSet(keys);
    private final Set<SelectionKey> selectedKeys = new HashSet<>();
    private final Set<SelectionKey> publicSelectedKeys = new RemovableSet<>(selectedKeys);
    /** Keys that may be ready. Any thread adds, the selecting one takes. */
    private final Queue<DualKey> queue = new ConcurrentLinkedQueue<>();
    /** Keys that were ready in this selection; the selecting thread's. */
    private final ArrayDeque<DualKey> wereReady = new ArrayDeque<>();
    /** Keys that it looks at just now; the selecting thread's. */
    private final ArrayDeque<DualKey> looked = new ArrayDeque<>();
    /** How many keys have a connection of Weir's: without any, loops are not run. */
    private final AtomicInteger weirKeys = new AtomicInteger();

    private final AtomicInteger kernelKeys = new AtomicInteger();
    /** Whether the selecting thread may sleep in the kernel's selector. */
    private volatile boolean isAsleep;
    /** Whether the application has asked for an end of the selection that goes on, or of the next one. */
    private volatile boolean isWokenUp;
    /** The loops that it runs while it waits. */
    private final List<EventLoop> loops = new ArrayList<>();

    DualSelector(DualSelectorProvider provider) throws IOException {
        super(provider);
        this.fallback = provider.fallback();
        this.kernel = provider.kernel().openSelector();
        for (Transport transport : fallback.transports()) {
            loops.addAll(transport.loops());
        }
    }

    Selector kernel() {
        return kernel;
    }

    // ---- keys

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        requireOpen();
        if (!(channel instanceof DualChannel) && channel.provider() == provider()) {
            throw new IllegalSelectorException();
        }
        DualKey key = new DualKey(this, channel);
        key.attach(attachment);
        keys.add(key);
        if (channel instanceof DualChannel dual) {
            dual.addKey(key);
        } else {
            kernelKeys.incrementAndGet();
        }
        try {
            key.interestOps(ops);
        } catch (RuntimeException e) {
            forget(key);
            throw e;
        }
        return key;
    }

    private void forget(DualKey key) {
        if (keys.remove(key)) {
            if (key.channel() instanceof DualChannel dual) {
                dual.removeKey(key);
            } else {
                kernelKeys.decrementAndGet();
            }
        }
        key.leaveKernel();
    }

    private void removeCancelled() {
        Set<SelectionKey> cancelled = cancelledKeys();
        synchronized (cancelled) {
            for (SelectionKey key : cancelled) {
                forget((DualKey) key);
                selectedKeys.remove(key);
                deregister((DualKey) key);
            }
            cancelled.clear();
        }
    }

    private void requireOpen() {
        if (!isOpen()) {
            throw new ClosedSelectorException();
        }
    }

    @Override
    public Set<SelectionKey> keys() {
        requireOpen();
        return publicKeys;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        requireOpen();
        return publicSelectedKeys;
    }

    // ---- what other threads tell

    /** One more or less of its keys has a connection of Weir's. */
    void countWeir(int change) {
        weirKeys.addAndGet(change);
    }

    /** Has a key looked at in the next turn. */
    void look(DualKey key) {
        queue.add(key);
    }

    /** Ends the sleep of the selecting thread, if there is one. */
    void wakeIfAsleep() {
        if (isAsleep) {
            kernel.wakeup();
        }
    }

    @Override
    public Selector wakeup() {
        isWokenUp = true;
        wakeIfAsleep();
        return this;
    }

    // ---- selections

    @Override
    public int selectNow() throws IOException {
        return selectWithin(null, 0);
    }

    @Override
    public int select(long timeoutMillis) throws IOException {
        return selectWithin(null, nanos(timeoutMillis));
    }

    @Override
    public int select() throws IOException {
        return selectWithin(null, Long.MAX_VALUE);
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) throws IOException {
        return selectWithin(required(action), 0);
    }

    @Override
    public int select(Consumer<SelectionKey> action, long timeoutMillis) throws IOException {
        return selectWithin(required(action), nanos(timeoutMillis));
    }

    @Override
    public int select(Consumer<SelectionKey> action) throws IOException {
        return selectWithin(required(action), Long.MAX_VALUE);
    }

    private static Consumer<SelectionKey> required(Consumer<SelectionKey> action) {
        if (action == null) {
            throw new NullPointerException("action is null; give what is done with each key");
        }
        return action;
    }

    private static long nanos(long timeoutMillis) {
        if (timeoutMillis < 0) {
            throw new IllegalArgumentException("timeout=" + timeoutMillis + " ms is negative; give 0 for no limit");
        }
        return timeoutMillis == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }

    private int selectWithin(Consumer<SelectionKey> action, long timeoutNanos) throws IOException {
        synchronized (this) {
            requireOpen();
            if (action != null && Thread.holdsLock(publicSelectedKeys)) {
                throw new IllegalStateException("a selection goes on, and this thread is its action");
            }
            synchronized (publicSelectedKeys) {
                removeCancelled();
                int count = 0;
                boolean isBlocking = timeoutNanos > 0;
                if (isBlocking) {
                    begin();
                }
                try {
                    count = await(action, timeoutNanos);
                } finally {
                    isWokenUp = false;
                    if (isBlocking) {
                        end();
                    }
                    removeCancelled();
                }
                return count;
            }
        }
    }

    private int await(Consumer<SelectionKey> action, long timeoutNanos) throws IOException {
        long startNanos = timeoutNanos == 0 || timeoutNanos == Long.MAX_VALUE ? 0 : System.nanoTime();
        int count = takeReady(action);
        boolean mayPoll = true;
        while (true) {
            if (count > 0 || timeoutNanos == 0 || mustReturn()) {
                return count + askKernel(action, 0);
            }
            if (mayPoll && weirKeys.get() > 0 && !loops.isEmpty()) {
                count = poll(action, timeoutNanos);
                mayPoll = false;
                if (count > 0) {
                    return count;
                }
                continue;
            }
            long leftNanos =
                    timeoutNanos == Long.MAX_VALUE ? Long.MAX_VALUE : timeoutNanos - (System.nanoTime() - startNanos);
            if (leftNanos <= 0) {
                return askKernel(action, 0);
            }
            count = sleep(action, leftNanos);
            if (count > 0) {
                // Of the kernel's, too: an action is told of each key once.
                return count;
            }
            mayPoll = true;
        }
    }

    /** {@return whether the selection is to end although nothing is ready} */
    private boolean mustReturn() {
        return isWokenUp || !isOpen() || Thread.currentThread().isInterrupted();
    }

    /** Runs the loops for a while. */
    private int poll(Consumer<SelectionKey> action, long timeoutNanos) throws IOException {
        long now = System.nanoTime();
        long endNanos = now + Math.min(POLL_NANOS, timeoutNanos);
        for (EventLoop loop : loops) {
            loop.helpers().enter();
        }
        int count = 0;
        try {
            for (int cycle = 1; now - endNanos < 0; cycle++) {
                int work = 0;
                for (EventLoop loop : loops) {
                    work += loop.helpers().help();
                }
                count = queue.isEmpty() ? 0 : takeReady(action);
                if (kernelKeysMatter() && cycle % CYCLES_PER_LOOK == 0) {
                    count += askKernel(action, 0);
                }
                if (count > 0 || mustReturn()) {
                    return count;
                }
                if (work == 0) {
                    Thread.yield();
                }
                now = System.nanoTime();
            }
            return 0;
        } finally {
            for (EventLoop loop : loops) {
                if (count > 0) {
                    loop.helpers().leave();
                } else {
                    loop.helpers().leaveToSleep();
                }
            }
        }
    }

    private boolean kernelKeysMatter() {
        return kernelKeys.get() > 0 || !kernel.keys().isEmpty();
    }

    private int sleep(Consumer<SelectionKey> action, long leftNanos) throws IOException {
        isAsleep = true;
        try {
            // Who told something before it could see that this thread sleeps has it looked at here.
            if (!queue.isEmpty() || mustReturn()) {
                return takeReady(action);
            }
            long millis = leftNanos == Long.MAX_VALUE
                    ? 0
                    : Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNanos + TimeUnit.MILLISECONDS.toNanos(1) - 1));
            return askKernel(action, millis == 0 ? Long.MAX_VALUE : millis);
        } finally {
            isAsleep = false;
        }
    }

    /** Looks at the kernel's channels, for 0 without waiting. */
    private int askKernel(Consumer<SelectionKey> action, long millisMax) throws IOException {
        int found = millisMax == 0 ? kernel.selectNow() : kernel.select(millisMax == Long.MAX_VALUE ? 0 : millisMax);
        int count = queue.isEmpty() || millisMax == 0 ? 0 : takeReady(action);
        if (found > 0 || !kernel.selectedKeys().isEmpty()) {
            for (SelectionKey kernelKey : kernel.selectedKeys()) {
                DualKey key = (DualKey) kernelKey.attachment();
                if (kernelKey.isValid()) {
                    count += report(action, key, key.kernelReadyOps(kernelKey.readyOps()));
                }
            }
            kernel.selectedKeys().clear();
        }
        return count;
    }

    /** Looks at the keys that may be ready by Weir. */
    private int takeReady(Consumer<SelectionKey> action) {
        // Those of now: what an action has looked at again is the next turn's.
        for (DualKey key = queue.poll(); key != null; key = queue.poll()) {
            key.leaveQueue();
            looked.add(key);
        }
        int count = 0;
        for (DualKey key = looked.poll(); key != null; key = looked.poll()) {
            if (key.isValid()) {
                int ops = key.weirReadyOps();
                if (ops != 0) {
                    wereReady.add(key);
                    count += report(action, key, ops);
                }
            }
        }
        // Looked at again by the next selection: they are ready until they are not.
        for (DualKey key = wereReady.poll(); key != null; key = wereReady.poll()) {
            key.enqueue();
        }
        return count;
    }

    /** {@return 1 if this changed what is selected, else 0} */
    private int report(Consumer<SelectionKey> action, DualKey key, int ops) {
        if (ops == 0 || !key.isValid()) {
            return 0;
        }
        if (action != null) {
            key.setReady(ops);
            action.accept(key);
            requireOpen();
            return 1;
        }
        if (!selectedKeys.contains(key)) {
            key.setReady(ops);
            selectedKeys.add(key);
            return 1;
        }
        int before = key.readyNow();
        key.setReady(before | ops);
        return (before | ops) == before ? 0 : 1;
    }

    // ---- the end

    @Override
    protected void implCloseSelector() throws IOException {
        wakeup();
        kernel.wakeup();
        synchronized (this) {
            synchronized (publicSelectedKeys) {
                for (SelectionKey key : keys) {
                    forget((DualKey) key);
                    deregister((DualKey) key);
                }
                selectedKeys.clear();
                kernel.close();
            }
        }
    }
}
