package io.weir.nic.host;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import io.weir.transport.runtime.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Where an event loop's thread sleeps until one of its ports has frames, time is up, or another thread has work for it.
 *
 * <p>A wake-up is never lost: one that comes while the loop is awake makes the next {@link #await} return at once. It
 * then costs its caller a memory fence and at most one exchange; only when the loop sleeps does it cost a system call.
 *
 * <p>{@link #await}, {@link #forget} and {@link #close} are the loop's thread's; {@link #wake} is anybody's, also after
 * close.
 */
public final class PollWaiter implements Waiter {
    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int NOTIFIED = 2;
    private static final VarHandle STATE;

    private static final int POLLFD_BYTES = 8;
    private static final short POLLIN = 1;
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final UnsafeBuffer pollfds;
    private final int pollfdCount;
    private final UnsafeBuffer timespec = NativeMemory.allocate(2 * Long.BYTES);
    private final UnsafeBuffer drained = NativeMemory.allocate(Long.BYTES);
    private final UnsafeBuffer one = NativeMemory.allocate(Long.BYTES);
    private final int eventFd;
    private final Object closing = new Object();
    /** Written with the lock. */
    private volatile boolean closed;

    private boolean timeoutsExact;
    private long sleepCount;

    @SuppressWarnings("UnusedVariable") // by STATE
    private volatile int state;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(PollWaiter.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Prepares to sleep until one of {@code descriptors} is readable; negative ones are left out. */
    public PollWaiter(int... descriptors) throws NicException {
        eventFd = Libc.eventfd();
        if (eventFd < 0) {
            throw new NicException(-eventFd, "create an event descriptor", "raise the limit of open files (ulimit -n)");
        }
        one.putLong(0, 1);
        pollfds = NativeMemory.allocate((descriptors.length + 1) * POLLFD_BYTES);
        int count = 0;
        putPollfd(count++, eventFd);
        for (int descriptor : descriptors) {
            if (descriptor >= 0) {
                putPollfd(count++, descriptor);
            }
        }
        pollfdCount = count;
    }

    /**
     * Sleeps until a descriptor is readable, {@link #wake} was called since the last return from here, or at most
     * {@code timeoutNanos}. It may return early for no reason. A deleted interface wakes nobody: who looks at ports
     * does so now and then.
     */
    @Override
    public void await(long timeoutNanos) {
        sleep(timeoutNanos, pollfdCount);
    }

    @Override
    public void standBy(long timeoutNanos) {
        sleep(timeoutNanos, 1);
    }

    private void sleep(long timeoutNanos, int descriptorCount) {
        if (timeoutNanos <= 0 || closed || !STATE.compareAndSet(this, AWAKE, ASLEEP)) {
            takeNotice();
            return;
        }
        if (!timeoutsExact) {
            // The kernel lets a thread's timeouts be 50 us late; the setting is the calling thread's own.
            Libc.setExactTimeouts();
            timeoutsExact = true;
        }
        sleepCount++;
        timespec.putLong(0, timeoutNanos / NANOS_PER_SECOND);
        timespec.putLong(Long.BYTES, timeoutNanos % NANOS_PER_SECOND);
        Libc.ppoll(NativeMemory.address(pollfds), descriptorCount, NativeMemory.address(timespec));
        if ((pollfds.getShort(POLLFD_BYTES - 2) & POLLIN) != 0) {
            drain();
        }
        takeNotice();
    }

    /** Another thread may have closed the descriptor meanwhile, and its number may be another's by now. */
    private void drain() {
        synchronized (closing) {
            if (!closed) {
                Libc.readLong(eventFd, NativeMemory.address(drained));
            }
        }
    }

    /** Wakes the loop up, or keeps it from falling asleep next time. Any thread may call. */
    @Override
    public void wake() {
        // What the caller published must be visible to the loop before it is found notified already and left alone.
        VarHandle.fullFence();
        if ((int) STATE.getOpaque(this) == NOTIFIED) {
            return;
        }
        if ((int) STATE.getAndSet(this, NOTIFIED) == ASLEEP) {
            signal();
        }
    }

    /** Stops watching a descriptor that is about to be closed: a closed one would keep the loop awake. */
    public void forget(int descriptor) {
        for (int i = 1; i < pollfdCount; i++) {
            if (pollfds.getInt(i * POLLFD_BYTES) == descriptor) {
                // The kernel skips negative descriptors.
                pollfds.putInt(i * POLLFD_BYTES, -1);
            }
        }
    }

    /** {@return how often {@link #await} made the thread sleep; for tests and measurements} */
    public long sleepCount() {
        return sleepCount;
    }

    /** Closes the event descriptor; the ports' own stay open. */
    @Override
    public void close() {
        synchronized (closing) {
            if (!closed) {
                closed = true;
                Libc.close(eventFd);
            }
        }
    }

    /** An exchange, so that what the notifying thread published before is visible from here on. */
    private void takeNotice() {
        STATE.getAndSet(this, AWAKE);
    }

    /**
     * The lock keeps a late signal from going to a descriptor that was closed, and perhaps given out again, meanwhile.
     */
    private void signal() {
        synchronized (closing) {
            if (!closed) {
                try {
                    Libc.writeLong(eventFd, NativeMemory.address(one));
                } finally {
                    Reference.reachabilityFence(this);
                }
            }
        }
    }

    private void putPollfd(int index, int descriptor) {
        pollfds.putInt(index * POLLFD_BYTES, descriptor);
        pollfds.putShort(index * POLLFD_BYTES + Integer.BYTES, POLLIN);
    }
}
