package io.weir.transport.runtime;

import io.weir.transport.frame.Frame;
import io.weir.transport.node.Egress;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortInfo;
import io.weir.transport.time.Deadline;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** What loops drive and sleep with in their tests. */
final class LoopFakes {
    private LoopFakes() {}

    /** A waiter that only counts how often it was called. */
    static final class CountingWaiter implements Waiter {
        final AtomicInteger wakes = new AtomicInteger();

        @Override
        public void await(long timeoutNanos) {}

        @Override
        public void wake() {
            wakes.incrementAndGet();
        }

        @Override
        public void close() {}
    }

    /** A waiter whose thread sleeps until it is woken, however long it asked for. */
    static final class SleepingWaiter implements Waiter {
        private final Semaphore permits = new Semaphore(0);
        private final CountDownLatch asleep = new CountDownLatch(1);
        final AtomicInteger wakes = new AtomicInteger();

        void awaitSleep() {
            try {
                asleep.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void await(long timeoutNanos) {
            if (asleep.getCount() == 0 && timeoutNanos < DEADLINE_NANOS * 2) {
                // A deadline that it knows of.
                LockSupport.parkNanos(timeoutNanos);
                return;
            }
            asleep.countDown();
            permits.acquireUninterruptibly();
        }

        @Override
        public void wake() {
            wakes.incrementAndGet();
            permits.release();
        }

        @Override
        public void close() {}
    }

    static final long DEADLINE_NANOS = 1_000_000;

    /** A port that says that frames came, without any. */
    static final class TestPort implements NetPort {
        final AtomicInteger arrivals = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();
        volatile String failure;

        @Override
        public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
            int count = arrivals.getAndSet(0);
            if (count > 0) {
                node.onFrame(portIndex, null, nowNanos);
            }
            return count;
        }

        @Override
        public int transmitCapacity() {
            return 0;
        }

        @Override
        public void transmit(Frame frame) {}

        @Override
        public void flush() {}

        @Override
        public PortInfo info() {
            return MemoryLink.info("test", 1, 1500, 1_000_000_000L);
        }

        @Override
        public String failure() {
            return failure;
        }

        @Override
        public int pollFileDescriptor() {
            return -1;
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    /** A Node that fails when a frame comes, or has a deadline then. */
    static final class TestNode implements Node {
        private final Throwable fault;
        final CompletableFuture<Boolean> timedOut = new CompletableFuture<>();
        volatile Thread timedOutBy;
        private long deadlineNanos = Deadline.NO_DEADLINE;
        long pausedNanos;

        TestNode(Throwable fault) {
            this.fault = fault;
        }

        @Override
        public void onFrame(int portIndex, Frame frame, long nowNanos) {
            if (fault instanceof Error error) {
                throw error;
            }
            if (fault != null) {
                throw (RuntimeException) fault;
            }
            deadlineNanos = nowNanos + DEADLINE_NANOS;
        }

        @Override
        public void onTimeout(long nowNanos) {
            deadlineNanos = Deadline.NO_DEADLINE;
            timedOutBy = Thread.currentThread();
            timedOut.complete(true);
        }

        @Override
        public long nextTimeoutNanos() {
            return deadlineNanos;
        }

        @Override
        public Egress egress(int portIndex) {
            return new Egress() {
                @Override
                public Frame pollTransmit(long nowNanos) {
                    return null;
                }

                @Override
                public long nextTransmitNanos(long nowNanos) {
                    return Deadline.NO_DEADLINE;
                }
            };
        }

        @Override
        public int portCount() {
            return 1;
        }

        @Override
        public void onPause(long pauseNanos, long nowNanos) {
            pausedNanos += pauseNanos;
        }
    }

    /** {@return a loop without Nodes that does not run yet} */
    static EventLoop loop(IdleMode idleMode) {
        return new EventLoop("test", List.of(), idleMode, new CountingWaiter(), () -> {});
    }
}
