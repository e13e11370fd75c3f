package io.weir.cli.perf;

/** Numbers that leave in the order in which they came; it grows as needed. */
final class LongRing {
    private static final int CAPACITY_INITIAL = 64;

    private long[] values = new long[CAPACITY_INITIAL];
    private int first;
    private int size;

    int size() {
        return size;
    }

    void add(long value) {
        if (size == values.length) {
            grow();
        }
        values[(first + size) & (values.length - 1)] = value;
        size++;
    }

    /** {@return the number that has been here longest, which leaves; there must be one} */
    long remove() {
        long value = values[first];
        first = (first + 1) & (values.length - 1);
        size--;
        return value;
    }

    private void grow() {
        long[] larger = new long[2 * values.length];
        int tail = values.length - first;
        System.arraycopy(values, first, larger, 0, tail);
        System.arraycopy(values, 0, larger, tail, first);
        values = larger;
        first = 0;
    }
}
