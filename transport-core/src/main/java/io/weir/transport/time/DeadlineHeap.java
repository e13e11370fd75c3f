package io.weir.transport.time;

import java.util.Arrays;

/**
 * The earliest of many deadlines, each named by a small integer: O(1) to look at, O(log n) to change, in primitive
 * arrays that grow only when an id larger than all before is scheduled.
 *
 * <p>An id has at most one deadline. Equal deadlines come out in the order in which they were set, so that a run
 * repeats exactly.
 */
public final class DeadlineHeap {
    private static final int ABSENT = -1;

    // By id, all four arrays of one length: the deadline, and the number of its latest setting, which breaks ties.
    // heap[0..size) are ids in heap order, and positions tells where an id is in it, or ABSENT.
    private long[] deadlines;
    private long[] sequences;
    private int[] heap;
    private int[] positions;
    /** Ids that have a deadline. */
    private int size;
    /** The number of the next setting; rises with each, so that equal deadlines come in the order of setting. */
    private long nextSequence;

    /** Creates an empty heap for the ids 0 to {@code idCount} - 1; it grows when a larger one comes. */
    public DeadlineHeap(int idCount) {
        int capacity = Math.max(1, idCount);
        deadlines = new long[capacity];
        sequences = new long[capacity];
        heap = new int[capacity];
        positions = new int[capacity];
        Arrays.fill(positions, ABSENT);
    }

    /** Sets, moves or, with {@link Deadline#NO_DEADLINE}, removes the deadline of {@code id}. */
    public void schedule(int id, long deadlineNanos) {
        ensureId(id);
        int position = positions[id];
        if (deadlineNanos == Deadline.NO_DEADLINE) {
            if (position != ABSENT) {
                removeAt(position);
            }
            return;
        }
        if (position == ABSENT) {
            position = size++;
            heap[position] = id;
            positions[id] = position;
        } else if (deadlines[id] == deadlineNanos) {
            return;
        }
        deadlines[id] = deadlineNanos;
        sequences[id] = nextSequence++;
        siftDown(siftUp(position));
    }

    /** Removes the deadline of {@code id}, if it has one. */
    public void cancel(int id) {
        schedule(id, Deadline.NO_DEADLINE);
    }

    /** {@return the earliest deadline, or {@link Deadline#NO_DEADLINE}} */
    public long peekDeadline() {
        return size == 0 ? Deadline.NO_DEADLINE : deadlines[heap[0]];
    }

    /** {@return the id of the earliest deadline if that is due, removing it; otherwise -1} */
    public int pollDue(long nowNanos) {
        if (size == 0 || deadlines[heap[0]] > nowNanos) {
            return ABSENT;
        }
        int id = heap[0];
        removeAt(0);
        return id;
    }

    /** {@return the deadline of {@code id}, or {@link Deadline#NO_DEADLINE}} */
    public long deadlineOf(int id) {
        return id >= positions.length || positions[id] == ABSENT ? Deadline.NO_DEADLINE : deadlines[id];
    }

    /** {@return how many ids have a deadline} */
    public int size() {
        return size;
    }

    private void removeAt(int position) {
        positions[heap[position]] = ABSENT;
        size--;
        if (position < size) {
            place(heap[size], position);
            siftDown(siftUp(position));
        }
    }

    private int siftUp(int start) {
        int position = start;
        int id = heap[position];
        while (position > 0) {
            int parent = (position - 1) >>> 1;
            if (!isBefore(id, heap[parent])) {
                break;
            }
            place(heap[parent], position);
            position = parent;
        }
        place(id, position);
        return position;
    }

    private void siftDown(int start) {
        int position = start;
        int id = heap[position];
        for (int child = 2 * position + 1; child < size; child = 2 * position + 1) {
            if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], id)) {
                break;
            }
            place(heap[child], position);
            position = child;
        }
        place(id, position);
    }

    private boolean isBefore(int a, int b) {
        return deadlines[a] < deadlines[b] || (deadlines[a] == deadlines[b] && sequences[a] < sequences[b]);
    }

    private void place(int id, int position) {
        heap[position] = id;
        positions[id] = position;
    }

    private void ensureId(int id) {
        int oldLength = positions.length;
        if (id < oldLength) {
            return;
        }
        int newLength = Math.max(id + 1, oldLength * 2);
        deadlines = Arrays.copyOf(deadlines, newLength);
        sequences = Arrays.copyOf(sequences, newLength);
        heap = Arrays.copyOf(heap, newLength);
        positions = Arrays.copyOf(positions, newLength);
        Arrays.fill(positions, oldLength, newLength, ABSENT);
    }
}
