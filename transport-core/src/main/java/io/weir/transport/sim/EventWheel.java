package io.weir.transport.sim;

/**
 * Events in the order of their time and, at equal times, of their scheduling, for a clock that never runs backwards.
 * Adding, removing and polling take a few nanoseconds each. Nothing is allocated.
 *
 * <p>Near events, those of the clock's own block of {@link #NEAR_SLOTS} slots, stand in these, sorted within a slot.
 * Far ones stand in levels of 64 slots each, by the highest digit of six bits in which their time differs from the
 * clock's; such a slot is spread when the clock enters it. The width of a near slot is for the owner to choose: few
 * events should share one, and most should be near.
 *
 * <p>Design notes: order among equal times needs no sequence numbers. Two events of equal time are in different places
 * only if the clock has entered the slot of the first since, and then the first has been moved to where the second
 * goes, before it. The events of a slot form a ring, so that one array, small enough for the first cache, finds both
 * ends. A binary heap took twice as long for the events of a hundred links, and longer for more.
 */
final class EventWheel {
    private static final int DIGIT_BITS = 6;
    private static final int DIGIT_MASK = (1 << DIGIT_BITS) - 1;
    private static final int NEAR_SLOTS = 1024;
    private static final int NEAR_BITS = 10;

    private final int slotBits;
    private final int blockBits;
    /** The first event of each slot: of the near ones, then of those of each level. */
    private final SimEvent[] heads;
    /** A bit for each slot that is not empty, in the order of {@link #heads}. */
    private final long[] occupied;
    /** A bit for each word of {@link #occupied} that is not zero; the near ones come first. */
    private long occupiedWords;

    private long clockNanos;

    /** Creates an empty wheel whose near slots are 2^{@code slotBits} nanoseconds wide. */
    EventWheel(int slotBits) {
        this.slotBits = slotBits;
        this.blockBits = slotBits + NEAR_BITS;
        int levels = (Long.SIZE - blockBits + DIGIT_BITS - 1) / DIGIT_BITS;
        heads = new SimEvent[NEAR_SLOTS + (levels << DIGIT_BITS)];
        occupied = new long[heads.length >> DIGIT_BITS];
    }

    /** {@return the width of a near slot, in bits of nanoseconds} */
    int slotBits() {
        return slotBits;
    }

    /** {@return a wheel of another width with all events of this one, which is empty then} */
    EventWheel moved(int newSlotBits) {
        EventWheel wheel = new EventWheel(newSlotBits);
        wheel.clockNanos = clockNanos;
        for (SimEvent event = poll(Long.MAX_VALUE); event != null; event = poll(Long.MAX_VALUE)) {
            wheel.add(event, event.atNanos);
        }
        return wheel;
    }

    /** Adds an event that is not scheduled; {@code atNanos} is not before the latest poll. */
    void add(SimEvent event, long atNanos) {
        assert !event.isScheduled() && atNanos >= clockNanos;
        event.atNanos = atNanos;
        place(event);
    }

    private void place(SimEvent event) {
        long atNanos = event.atNanos;
        long differing = (atNanos ^ clockNanos) >>> blockBits;
        int slot = differing == 0
                ? (int) (atNanos >>> slotBits) & (NEAR_SLOTS - 1)
                : farSlot(atNanos, (Long.SIZE - 1 - Long.numberOfLeadingZeros(differing)) / DIGIT_BITS);
        event.slot = slot;
        SimEvent head = heads[slot];
        if (head == null) {
            event.next = event;
            event.previous = event;
            heads[slot] = event;
            int word = slot >> DIGIT_BITS;
            occupied[word] |= 1L << slot;
            occupiedWords |= 1L << word;
        } else if (slot >= NEAR_SLOTS || head.previous.atNanos <= atNanos) {
            insertBefore(head, event);
        } else {
            insertSorted(head, event);
        }
    }

    private int farSlot(long atNanos, int level) {
        int digit = (int) (atNanos >>> (blockBits + level * DIGIT_BITS)) & DIGIT_MASK;
        return NEAR_SLOTS + (level << DIGIT_BITS) + digit;
    }

    /** Puts an event before {@code after} in the ring: before the head is the end. */
    private static void insertBefore(SimEvent after, SimEvent event) {
        SimEvent before = after.previous;
        event.next = after;
        event.previous = before;
        before.next = event;
        after.previous = event;
    }

    /** Puts an event that is earlier than the last of its slot where it belongs, behind those of the same time. */
    private void insertSorted(SimEvent head, SimEvent event) {
        if (head.atNanos > event.atNanos) {
            insertBefore(head, event);
            heads[event.slot] = event;
            return;
        }
        SimEvent after = head.previous;
        while (after.previous.atNanos > event.atNanos) {
            after = after.previous;
        }
        insertBefore(after, event);
    }

    /** Takes out an event that is scheduled. */
    void remove(SimEvent event) {
        int slot = event.slot;
        SimEvent next = event.next;
        if (next == event) {
            heads[slot] = null;
            clear(slot);
        } else {
            next.previous = event.previous;
            event.previous.next = next;
            if (heads[slot] == event) {
                heads[slot] = next;
            }
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
            if (slot < NEAR_SLOTS || first.next == first) {
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
        int shift = blockBits + (farSlot >> DIGIT_BITS) * DIGIT_BITS;
        int above = shift + DIGIT_BITS;
        long prefix = above >= Long.SIZE ? 0 : clockNanos >>> above << above;
        return prefix | (long) (farSlot & DIGIT_MASK) << shift;
    }

    private void spread(int slot, long slotNanos) {
        SimEvent event = heads[slot];
        event.previous.next = null;
        heads[slot] = null;
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
