package io.weir.transport.sim;

/**
 * Events in the order of their time and, at equal times, of their scheduling, for a clock that never runs backwards. Adding,
 * removing and polling take a few nanoseconds each, whatever the number of events. Nothing is allocated.
 *
 * <p>Near events, those of the clock's own {@link #BLOCK_NANOS}, stand in slots of {@link #SLOT_NANOS}, sorted within a slot.
 * Far ones stand in levels of 64 slots each, by the highest digit of six bits in which their time differs from the
 * clock; a slot is spread when the clock enters it.
 *
 * <p>Design notes: order among equal times needs no sequence numbers. Two events of equal time are in different places only
 * if the clock has entered the slot of the first since, and then the first has been moved to where the second goes, before
 * it. A binary heap took twice as long for the events of a hundred links, and longer for more.
 */
final class EventWheel {
    private static final int SLOT_BITS = 5;
    private static final int SLOT_NANOS = 1 << SLOT_BITS;
    private static final int BLOCK_BITS = 16;
    private static final int BLOCK_NANOS = 1 << BLOCK_BITS;
    private static final int NEAR_SLOTS = BLOCK_NANOS / SLOT_NANOS;
    private static final int DIGIT_BITS = 6;
    private static final int DIGIT_MASK = (1 << DIGIT_BITS) - 1;
    private static final int LEVELS = (Long.SIZE - BLOCK_BITS) / DIGIT_BITS;

    /** The near slots, then those of each level. */
    private final SimEvent[] heads = new SimEvent[NEAR_SLOTS + (LEVELS << DIGIT_BITS)];

    private final SimEvent[] tails = new SimEvent[heads.length];
    /** A bit for each slot that is not empty, in the order of {@link #heads}. */
    private final long[] occupied = new long[heads.length >> DIGIT_BITS];
    /** A bit for each word of {@link #occupied} that is not zero; the near ones come first. */
    private long occupiedWords;

    private long clockNanos;

    /** Adds an event that is not scheduled; {@code atNanos} is not before the latest poll. */
    void add(SimEvent event, long atNanos) {
        assert !event.isScheduled() && atNanos >= clockNanos;
        event.atNanos = atNanos;
        place(event);
    }

    private void place(SimEvent event) {
        long atNanos = event.atNanos;
        long differing = (atNanos ^ clockNanos) >>> BLOCK_BITS;
        int slot;
        if (differing == 0) {
            slot = (int) (atNanos >>> SLOT_BITS) & (NEAR_SLOTS - 1);
        } else {
            int level = (Long.SIZE - 1 - Long.numberOfLeadingZeros(differing)) / DIGIT_BITS;
            int digit = (int) (atNanos >>> (BLOCK_BITS + level * DIGIT_BITS)) & DIGIT_MASK;
            slot = NEAR_SLOTS + (level << DIGIT_BITS) + digit;
        }
        event.slot = slot;
        SimEvent before = tails[slot];
        if (before == null) {
            heads[slot] = event;
            tails[slot] = event;
            int word = slot >> DIGIT_BITS;
            occupied[word] |= 1L << slot;
            occupiedWords |= 1L << word;
        } else if (before.atNanos <= atNanos || slot >= NEAR_SLOTS) {
            before.next = event;
            event.previous = before;
            tails[slot] = event;
        } else {
            insertBefore(before, event);
        }
    }

    /** Puts an event before {@code later} and all that are later still than itself. */
    private void insertBefore(SimEvent later, SimEvent event) {
        SimEvent after = later;
        while (after.previous != null && after.previous.atNanos > event.atNanos) {
            after = after.previous;
        }
        event.next = after;
        event.previous = after.previous;
        if (after.previous == null) {
            heads[event.slot] = event;
        } else {
            after.previous.next = event;
        }
        after.previous = event;
    }

    /** Takes out an event that is scheduled. */
    void remove(SimEvent event) {
        int slot = event.slot;
        SimEvent previous = event.previous;
        SimEvent next = event.next;
        if (previous == null) {
            heads[slot] = next;
        } else {
            previous.next = next;
        }
        if (next == null) {
            tails[slot] = previous;
        } else {
            next.previous = previous;
        }
        if (previous == null && next == null) {
            clear(slot);
        }
        event.unschedule();
    }

    private void clear(int slot) {
        int word = slot >> DIGIT_BITS;
        occupied[word] &= ~(1L << slot);
        if (occupied[word] == 0) {
            occupiedWords &= ~(1L << word);
        }
    }

    /** {@return the next event at or before {@code limitNanos}, taken out, or null} */
    SimEvent poll(long limitNanos) {
        while (occupiedWords != 0) {
            int word = Long.numberOfTrailingZeros(occupiedWords);
            int slot = (word << DIGIT_BITS) + Long.numberOfTrailingZeros(occupied[word]);
            SimEvent first = heads[slot];
            // Alone in the first slot of all, it is the earliest, however far.
            if (slot < NEAR_SLOTS || first.next == null) {
                if (first.atNanos > limitNanos) {
                    return null;
                }
                clockNanos = first.atNanos;
                remove(first);
                return first;
            }
            long slotNanos = slotStart(slot - NEAR_SLOTS);
            if (slotNanos > limitNanos) {
                return null;
            }
            spread(slot, slotNanos);
        }
        return null;
    }

    private long slotStart(int farSlot) {
        int shift = BLOCK_BITS + (farSlot >> DIGIT_BITS) * DIGIT_BITS;
        int above = shift + DIGIT_BITS;
        long prefix = above >= Long.SIZE ? 0 : clockNanos >>> above << above;
        return prefix | (long) (farSlot & DIGIT_MASK) << shift;
    }

    private void spread(int slot, long slotNanos) {
        SimEvent event = heads[slot];
        heads[slot] = null;
        tails[slot] = null;
        clear(slot);
        clockNanos = slotNanos;
        while (event != null) {
            SimEvent next = event.next;
            event.unschedule();
            place(event);
            event = next;
        }
    }
}
