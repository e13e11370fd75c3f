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
    /** Slots of a ring between two clients: 4.6 MB of frames of 9014 bytes. */
    private static final int PEER_SLOTS = 512;
    /**
     * How soon two clients may get other rings than those that they have: each takes megabytes of both, and a message
     * of the one that did not ask.
     */
    private static final long AGAIN_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);

    private final RegionLayout layout;
    /** Clients that have been given rings between them: the lower number, shifted, and the higher. With the lock. */
    private final Set<Long> pairs = new HashSet<>();
    /** When each pair was made last, as long as both clients are there. With the lock. */
    private final Map<Long, Long> madeNanos = new HashMap<>();
    /** Pairs that were ever made. With the lock. */
    private long madeCount;

    /** Clients may send each other frames of up to {@code frameBytesMax}. */
    ClientPairs(int frameBytesMax) {
        layout = new RegionLayout(PEER_SLOTS, frameBytesMax);
    }

    /** Gives two clients rings between them, unless they have some. */
    synchronized void introduce(BrokerSession session, BrokerSession other) throws NicException {
        int number = session.member().number();
        int otherNumber = other.member().number();
        if (pairs.contains(pair(number, otherNumber))) {
            return;
        }
        long nowNanos = System.nanoTime();
        Long latestNanos = madeNanos.get(pair(number, otherNumber));
        if (latestNanos != null && nowNanos - latestNanos < AGAIN_NANOS_MIN) {
            throw new NicException("process " + session.processId() + " and process " + other.processId()
                    + " were given rings less than a second ago; connect again then");
        }
        int[] bells = Bell.pair();
        int memory = -1;
        try {
            memory = SharedRegion.create(layout);
            if (!other.offer(message(number, 1), memory, bells[1])) {
                throw new NicException(
                        "process " + other.processId() + " does not read what the broker tells it; is it stopped?");
            }
            session.answer(message(otherNumber, 0), memory, bells[0]);
            pairs.add(pair(number, otherNumber));
            madeNanos.put(pair(number, otherNumber), nowNanos);
            madeCount++;
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
        pairs.remove(pair(one, other));
    }

    /** A client is gone, and with it its rings. */
    synchronized void dropAllOf(int number) {
        pairs.removeIf(pair -> isOf(pair, number));
        madeNanos.keySet().removeIf(pair -> isOf(pair, number));
    }

    private static boolean isOf(long pair, int number) {
        return pair >>> Integer.SIZE == number || (int) pair == number;
    }

    /** {@return pairs that were ever made} */
    synchronized long madeCount() {
        return madeCount;
    }
}
