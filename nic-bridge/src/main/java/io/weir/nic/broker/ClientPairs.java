package io.weir.nic.broker;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import java.util.HashSet;
import java.util.Set;

/**
 * Clients of a broker that have been given a region of shared memory and a pair of bells between them. Any thread may
 * call.
 */
final class ClientPairs {
    /** Slots of a ring between two clients: 4.6 MB of frames of 9014 bytes. */
    private static final int PEER_SLOTS = 512;

    private final RegionLayout layout;
    /** Clients that have been given rings between them: the lower number, shifted, and the higher. With the lock. */
    private final Set<Long> pairs = new HashSet<>();
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
        int[] bells = Bell.pair();
        int memory = -1;
        try {
            memory = SharedRegion.create(layout);
            other.offer(message(number, 1), memory, bells[1]);
            session.offer(message(otherNumber, 0), memory, bells[0]);
            pairs.add(pair(number, otherNumber));
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
        pairs.removeIf(pair -> (pair >>> Integer.SIZE) == number || pair.intValue() == number);
    }

    /** {@return pairs that were ever made} */
    synchronized long madeCount() {
        return madeCount;
    }
}
