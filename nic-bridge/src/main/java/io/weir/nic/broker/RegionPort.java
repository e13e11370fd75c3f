package io.weir.nic.broker;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortInfo;
import io.weir.transport.runtime.Waiter;
import java.util.concurrent.TimeUnit;

/**
 * One side of a shared region as a port. A frame costs a copy here and no allocation; a flush costs a system call only
 * if the other side sleeps. Frames for which the other side has no room are dropped, as by a switch.
 *
 * <p>A loop that sleeps does so by a {@link RegionWaiter}: the descriptor alone is rung only for a reader that asked.
 */
public final class RegionPort implements NetPort {
    /** How often a loop that never sleeps asks whether the other process is there. */
    private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final PortInfo info;
    private final FramePool pool;
    private final SharedRegion region;
    private final Bell bell;
    private final RingWriter writer;
    private final RingReader reader;
    /** Whether there are frames since the last flush. */
    private boolean hasSent;
    /** When the other process is looked for next. */
    private long probeNanos;
    /** Frames for which there was no room. */
    private long droppedCount;
    /** Counts and lengths that cannot be: at most 1, since the first ends the port. */
    private long badIndexCount;
    /** Why no frame moves any more, or null. Written by the owning thread and by one that sleeps for it. */
    private volatile String failure;
    /** What its loop sleeps with, or null where that never sleeps; any thread sets it. */
    private volatile Waiter sleeper;
    /** Written with the lock, which keeps a thread that falls asleep from memory that is gone. */
    private boolean isClosed;

    /**
     * Takes over a region and a bell.
     *
     * @param side 0 or 1; the other process has the other
     */
    public RegionPort(PortInfo info, FramePool pool, SharedRegion region, Bell bell, int side) {
        this.info = info;
        this.pool = pool;
        this.region = region;
        this.bell = bell;
        this.writer = region.writer(side);
        this.reader = region.reader(side);
    }

    @Override
    public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
        probe(nowNanos);
        int received = 0;
        while (received < limit) {
            Frame frame = receive();
            if (frame == null) {
                break;
            }
            frame.setIngressPort(portIndex);
            node.onFrame(portIndex, frame, nowNanos);
            received++;
        }
        return received;
    }

    /** Looks now and then whether the other process is there; for a loop that never sleeps. */
    public void probe(long nowNanos) {
        if (nowNanos >= probeNanos) {
            probeNanos = nowNanos + PROBE_NANOS;
            Waiter asleep = sleeper;
            if (onBell() && asleep != null) {
                // Another thread runs this cycle: the loop's own would sleep on, and nobody would ring for it any more.
                asleep.wake();
            }
        }
    }

    /** The loop sleeps with {@code waiter}, which asks for the bell, from now on. */
    void setSleeper(Waiter waiter) {
        sleeper = waiter;
    }

    /** {@return the next frame, held by the caller, or null when none waits or the pool is empty} */
    public Frame receive() {
        if (isClosed || !reader.hasNext()) {
            noteBroken(reader.isBroken());
            return null;
        }
        Frame frame = pool.allocate();
        if (frame != null && !reader.readInto(frame)) {
            frame.release();
            noteBroken(true);
            return null;
        }
        return frame;
    }

    /** {@return whether a frame waits} */
    public boolean hasNext() {
        if (isClosed) {
            return false;
        }
        boolean isThere = reader.hasNext();
        noteBroken(reader.isBroken());
        return isThere;
    }

    private void noteBroken(boolean isBroken) {
        if (isBroken && failure == null) {
            badIndexCount++;
            failure = "the process on the other side of " + info.name()
                    + " wrote a count or a length that cannot be; it is faulty or hostile, and nothing of it was used";
        }
    }

    @Override
    public int transmitCapacity() {
        if (isClosed || failure != null) {
            return 0;
        }
        int free = writer.freeCount();
        noteBroken(writer.isBroken());
        return free;
    }

    @Override
    public void transmit(Frame frame) {
        if (!isClosed && failure == null && writer.offer(frame)) {
            hasSent = true;
        } else {
            droppedCount++;
            noteBroken(writer.isBroken());
        }
        frame.release();
    }

    @Override
    public void flush() {
        if (hasSent && !isClosed) {
            hasSent = false;
            if (writer.takeWakeRequest()) {
                bell.ring();
            }
        }
    }

    /** {@return whether a bell was rung, which is heard now} Also takes note of the end of the other side. */
    synchronized boolean onBell() {
        reader.onBell();
        int heard = isClosed ? 0 : bell.drain();
        if (heard < 0 && failure == null) {
            failure = "the process on the other side of " + info.name() + " has ended";
        }
        return heard > 0;
    }

    /**
     * {@return whether the calling thread may sleep: the other side will ring, and has written nothing, or its bell
     * rings already} No lock and no shared memory where it was asked before and nothing has happened since.
     */
    boolean requestWake() {
        return !reader.beginSleep() || askForBell();
    }

    private synchronized boolean askForBell() {
        return isClosed || reader.requestWake();
    }

    /** Ends a sleep. */
    void cancelWake() {
        if (reader.isToCancel()) {
            leaveBell();
        }
    }

    private synchronized void leaveBell() {
        if (!isClosed) {
            reader.cancelWake();
        }
    }

    @Override
    public PortInfo info() {
        return info;
    }

    @Override
    public String failure() {
        return failure;
    }

    /** {@return the bell's, which is rung only while a {@link RegionWaiter} sleeps} */
    @Override
    public int pollFileDescriptor() {
        return bell.fileDescriptor();
    }

    /** {@return frames for which the other side had no room} */
    public long droppedCount() {
        return droppedCount;
    }

    /** {@return counts and lengths of the other side's that cannot be} */
    public long badIndexCount() {
        return badIndexCount;
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            flush();
            isClosed = true;
            bell.close();
            region.close();
        }
    }
}
