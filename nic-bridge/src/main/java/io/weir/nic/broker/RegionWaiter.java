package io.weir.nic.broker;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import io.weir.nic.host.PollWaiter;
import io.weir.transport.runtime.Waiter;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * How a loop sleeps that has ports of shared regions, which may come and go, and perhaps one with a separate
 * descriptor. Before it sleeps it asks each other side to ring. While it is awake nobody makes a system call for it,
 * but the first time a side that sent nothing between two sleeps: that one stays asked, so that a sleep costs a look at
 * two fields for each of them.
 */
public final class RegionWaiter implements Waiter {
    private static final int EVENT_BYTES = 16;
    private static final RegionPort[] NO_PORTS = {};

    private final int epoll;
    private final PollWaiter waiter;
    private final UnsafeBuffer event = NativeMemory.allocate(EVENT_BYTES);
    /** Replaced as a whole, with the lock. */
    private volatile RegionPort[] ports = NO_PORTS;
    /** Written with the lock. */
    private boolean isClosed;

    /**
     * Waits for no region yet.
     *
     * @param descriptor one that is readable when another port of the loop has frames, or negative
     */
    public RegionWaiter(int descriptor) throws NicException {
        epoll = Libc.epollCreate();
        if (epoll < 0) {
            throw new NicException(-epoll, "create an epoll descriptor", "raise the limit of open files (ulimit -n)");
        }
        PollWaiter opened = null;
        try {
            opened = new PollWaiter(epoll, descriptor);
        } finally {
            if (opened == null) {
                Libc.close(epoll);
            }
        }
        waiter = opened;
    }

    /** Waits for a port too. Any thread. */
    public synchronized void add(RegionPort port) throws NicException {
        int result = Libc.epollAddReadable(epoll, port.pollFileDescriptor());
        if (result < 0) {
            throw new NicException(-result, "wait for a bell", "raise the limit of epoll watches");
        }
        port.setSleeper(this);
        List<RegionPort> all = new ArrayList<>(List.of(ports));
        all.add(port);
        ports = all.toArray(NO_PORTS);
    }

    /** Waits for a port no longer, which is about to be closed. Any thread. */
    public synchronized void remove(RegionPort port) {
        List<RegionPort> all = new ArrayList<>(List.of(ports));
        if (all.remove(port)) {
            Libc.epollRemove(epoll, port.pollFileDescriptor());
            ports = all.toArray(NO_PORTS);
        }
    }

    /** Stops watching the descriptor of the other port. Loop thread. */
    public void forget(int descriptor) {
        waiter.forget(descriptor);
    }

    @Override
    public void await(long timeoutNanos) {
        RegionPort[] asked = ports;
        boolean maySleep = true;
        for (RegionPort port : asked) {
            maySleep &= port.requestWake();
        }
        if (maySleep) {
            waiter.await(timeoutNanos);
        }
        for (RegionPort port : asked) {
            port.cancelWake();
        }
        if (maySleep) {
            hearBells();
        }
    }

    @Override
    public void standBy(long timeoutNanos) {
        // Nobody has been asked to ring.
        waiter.standBy(timeoutNanos);
    }

    /** Each at most once: what still rings is seen after the next sleep. */
    private synchronized void hearBells() {
        RegionPort[] all = ports;
        for (int i = 0; i < all.length && !isClosed; i++) {
            int descriptor = Libc.epollNext(epoll, event);
            if (descriptor < 0) {
                return;
            }
            hear(all, descriptor);
        }
    }

    private void hear(RegionPort[] all, int descriptor) {
        for (RegionPort port : all) {
            if (port.pollFileDescriptor() == descriptor) {
                port.onBell();
                if (port.failure() != null) {
                    // It stays readable until it is closed.
                    Libc.epollRemove(epoll, descriptor);
                }
            }
        }
    }

    @Override
    public void wake() {
        waiter.wake();
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            waiter.close();
            Libc.close(epoll);
        }
    }
}
