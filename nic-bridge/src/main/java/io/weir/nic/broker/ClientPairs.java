package io.weir.nic.broker;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Clients of a broker that have been given a region of shared memory and a pair of bells between them. Any thread may
 * call.
 */
final class ClientPairs {
    /** The side of rings between two clients that has asked for them. */
    static final int ASKER_SIDE = 0;

    /** Slots of a ring between two clients: 4.6 MB of frames of 9014 bytes. */
    private static final int PEER_SLOTS = 512;
    /**
     * How soon two clients may get other rings than those that they have: each takes megabytes of both, and a message
     * of the one that did not ask.
     */
    private static final long AGAIN_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);

    /**
     * The most pairs that are made for one user in a second: a process may meet all others at once, and each costs the
     * other a message.
     */
    private static final int PAIRS_PER_SECOND = Broker.CLIENTS_MAX;

    private final RegionLayout layout;
    private final UserQuota memoryQuota;
    /**
     * Clients that have been given rings between them, the lower number, shifted, and the higher; and the user who
     * asked for them and whose memory they are. With the lock.
     */
    private final Map<Long, Integer> pairs = new HashMap<>();
    /** Clients that are there: who has gone gets no rings any more. With the lock. */
    private final Set<Integer> members = new HashSet<>();
    /** What was made for each user within the second that began last. With the lock. */
    private final Map<Integer, Integer> madeOfUser = new HashMap<>();
    /** When that second began. With the lock. */
    private long secondNanos = System.nanoTime();
    /** When each pair was made last, as long as both clients are there. With the lock. */
    private final Map<Long, Long> madeNanos = new HashMap<>();
    /** Pairs that were ever made. With the lock. */
    private long madeCount;

    /** Clients may send each other frames of up to {@code frameBytesMax}. */
    ClientPairs(int frameBytesMax, UserQuota memoryQuota) {
        this.memoryQuota = memoryQuota;
        layout = new RegionLayout(PEER_SLOTS, frameBytesMax);
    }

    /** A client is there, until {@link #leave}. */
    synchronized void join(int number) {
        members.add(number);
    }

    /** Gives two clients rings between them, unless they have some. */
    synchronized void introduce(BrokerSession session, BrokerSession other) throws NicException {
        int number = session.member().number();
        int otherNumber = other.member().number();
        if (pairs.containsKey(pair(number, otherNumber))) {
            return;
        }
        if (!members.contains(number) || !members.contains(otherNumber)) {
            throw new NicException("process " + session.processId() + " or process " + other.processId()
                    + " has just left the broker");
        }
        long nowNanos = System.nanoTime();
        Long latestNanos = madeNanos.get(pair(number, otherNumber));
        if (latestNanos != null && nowNanos - latestNanos < AGAIN_NANOS_MIN) {
            throw new NicException("process " + session.processId() + " and process " + other.processId()
                    + " were given rings less than a second ago; connect again then");
        }
        requireFewOf(session, nowNanos);
        String excess = memoryQuota.take(session.userNumber(), session.user(), layout.regionBytes());
        if (excess != null) {
            throw new NicException(excess);
        }
        boolean isMade = false;
        try {
            make(session, other);
            isMade = true;
        } finally {
            if (!isMade) {
                memoryQuota.giveBack(session.userNumber(), layout.regionBytes());
            }
        }
        pairs.put(pair(number, otherNumber), session.userNumber());
        madeNanos.put(pair(number, otherNumber), nowNanos);
        madeOfUser.merge(session.userNumber(), 1, Integer::sum);
        madeCount++;
    }

    private void requireFewOf(BrokerSession session, long nowNanos) throws NicException {
        if (nowNanos - secondNanos >= TimeUnit.SECONDS.toNanos(1)) {
            secondNanos = nowNanos;
            madeOfUser.clear();
        }
        if (madeOfUser.getOrDefault(session.userNumber(), 0) >= PAIRS_PER_SECOND) {
            throw new NicException("processes of user " + session.user() + " were given rings with others "
                    + PAIRS_PER_SECOND + " times within a second, the most of one user; connect again in the next");
        }
    }

    private void make(BrokerSession session, BrokerSession other) throws NicException {
        int number = session.member().number();
        int otherNumber = other.member().number();
        int[] bells = Bell.pair();
        int memory = -1;
        try {
            memory = SharedRegion.create(layout);
            if (!other.offer(message(number, 1 - ASKER_SIDE), memory, bells[1])) {
                throw new NicException(
                        "process " + other.processId() + " does not read what the broker tells it; is it stopped?");
            }
            session.answer(message(otherNumber, ASKER_SIDE), memory, bells[0]);
        } finally {
            if (memory >= 0) {
                Libc.close(memory);
            }
            Libc.close(bells[0]);
            Libc.close(bells[1]);
        }
    }

    private MessageWriter message(int number, int side) {
        return new MessageWriter(MessageKind.PEER)
                .putInt(number)
                .putInt(layout.slotCount())
                .putInt(layout.frameBytesMax())
                .putInt(side);
    }

    private static long pair(int one, int other) {
        return (long) Math.min(one, other) << Integer.SIZE | Math.max(one, other);
    }

    /** Two clients get other rings the next time. */
    synchronized void drop(int one, int other) {
        giveBack(pairs.remove(pair(one, other)));
    }

    /** A client is gone, and with it its rings. */
    synchronized void leave(int number) {
        members.remove(number);
        pairs.entrySet().removeIf(pair -> {
            boolean isGone = isOf(pair.getKey(), number);
            if (isGone) {
                giveBack(pair.getValue());
            }
            return isGone;
        });
        madeNanos.keySet().removeIf(pair -> isOf(pair, number));
    }

    private void giveBack(Integer user) {
        if (user != null) {
            memoryQuota.giveBack(user, layout.regionBytes());
        }
    }

    private static boolean isOf(long pair, int number) {
        return pair >>> Integer.SIZE == number || (int) pair == number;
    }

    /** {@return pairs that were ever made} */
    synchronized long madeCount() {
        return madeCount;
    }
}
