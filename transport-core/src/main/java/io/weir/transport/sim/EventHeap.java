package io.weir.transport.sim;

import java.util.Arrays;

/**
 * Events in the order of their time and, at equal times, of their scheduling. A binary heap over parallel arrays; nothing
 * is allocated once they are large enough.
 */
final class EventHeap {
    private long[] times = new long[1024];
    private long[] sequences = new long[1024];
    private int[] kinds = new int[1024];
    private Object[] subjects = new Object[1024];
    private int size;
    private long nextSequence;

    private long time;
    private int kind;
    private Object subject;

    void add(long timeNanos, int eventKind, Object eventSubject) {
        if (size == times.length) {
            grow();
        }
        int position = size++;
        long sequence = nextSequence++;
        while (position > 0) {
            int parent = (position - 1) >>> 1;
            // A later sequence never goes before an equal time.
            if (times[parent] <= timeNanos) {
                break;
            }
            move(parent, position);
            position = parent;
        }
        set(position, timeNanos, sequence, eventKind, eventSubject);
    }

    /** {@return whether there was an event at or before {@code limitNanos}; then it is the current one} */
    boolean poll(long limitNanos) {
        if (size == 0 || times[0] > limitNanos) {
            return false;
        }
        time = times[0];
        kind = kinds[0];
        subject = subjects[0];
        size--;
        if (size > 0) {
            sinkLast();
        }
        subjects[size] = null;
        return true;
    }

    private void sinkLast() {
        long lastTime = times[size];
        long lastSequence = sequences[size];
        int position = 0;
        for (int child = 1; child < size; child = 2 * position + 1) {
            if (child + 1 < size && isBefore(times[child + 1], sequences[child + 1], child)) {
                child++;
            }
            if (isBefore(lastTime, lastSequence, child)) {
                break;
            }
            move(child, position);
            position = child;
        }
        move(size, position);
    }

    private boolean isBefore(long timeNanos, long sequence, int position) {
        return timeNanos < times[position] || (timeNanos == times[position] && sequence < sequences[position]);
    }

    private void move(int from, int to) {
        times[to] = times[from];
        sequences[to] = sequences[from];
        kinds[to] = kinds[from];
        subjects[to] = subjects[from];
    }

    private void set(int position, long timeNanos, long sequence, int eventKind, Object eventSubject) {
        times[position] = timeNanos;
        sequences[position] = sequence;
        kinds[position] = eventKind;
        subjects[position] = eventSubject;
    }

    long time() {
        return time;
    }

    int kind() {
        return kind;
    }

    Object subject() {
        return subject;
    }

    private void grow() {
        int length = times.length * 2;
        times = Arrays.copyOf(times, length);
        sequences = Arrays.copyOf(sequences, length);
        kinds = Arrays.copyOf(kinds, length);
        subjects = Arrays.copyOf(subjects, length);
    }
}
