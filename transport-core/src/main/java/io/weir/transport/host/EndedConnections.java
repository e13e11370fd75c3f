package io.weir.transport.host;

import io.weir.transport.telemetry.AccountId;
import io.weir.transport.telemetry.Ledger;
import org.agrona.collections.LongArrayQueue;
import org.agrona.collections.LongHashSet;

/**
 * The tags of connections that ended in order, once they have lingered and are forgotten. A peer whose end was
 * acknowledged in a frame that got lost may repeat it for longer than this host lingers; it can still be told that
 * everything has arrived.
 *
 * <p>Owned by the host's thread; O(1) per connection.
 */
final class EndedConnections {
    /** How many it remembers, the latest: at most 3 MB, and a peer's ten seconds at some thousand ends per second. */
    static final int COUNT_MAX = 1 << 16;

    /** How often each of them may be answered for: a peer repeats its end, and the answer may get lost too. */
    static final int ANSWERS_PER_END = 4;

    /** No connection has this tag. */
    private static final long NO_TAG = 0;

    private final LongHashSet tags = new LongHashSet();
    private final LongArrayQueue byAge = new LongArrayQueue(NO_TAG);
    /** How many answers they still allow, all together. */
    private int answersLeft;

    /** A connection of this tag has ended in order. */
    void add(long tag) {
        if (byAge.size() == COUNT_MAX) {
            tags.remove(byAge.pollLong());
        }
        byAge.addLong(tag);
        tags.add(tag);
        answersLeft = Math.min(answersLeft + ANSWERS_PER_END, ANSWERS_PER_END * COUNT_MAX);
    }

    void addTo(Ledger ledger) {
        ledger.add(AccountId.LOST_TAGS, (long) tags.size() - byAge.size());
    }

    /** {@return tags that it remembers} */
    int size() {
        return tags.size();
    }

    boolean contains(long tag) {
        return tags.contains(tag);
    }

    /** {@return whether they allow another answer} It is taken from those that they allow. */
    boolean takeAnswer() {
        if (answersLeft == 0) {
            return false;
        }
        answersLeft--;
        return true;
    }
}
