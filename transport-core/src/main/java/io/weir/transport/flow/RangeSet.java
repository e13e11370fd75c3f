package io.weir.transport.flow;

import java.util.Arrays;

/**
 * A bounded set of disjoint half-open ranges of stream offsets, in rising order. Primitive arrays, which double until
 * the bound: most streams never have more than a few ranges, and many streams end before they have one. Operations are
 * O(ranges), of which there are few. An operation that would need more ranges than the bound changes nothing and says
 * so.
 */
public final class RangeSet {
    private static final int RANGES_AT_FIRST = 4;

    private final int rangesMax;
    private long[] starts;
    private long[] ends;
    private int size;

    /** Creates an empty set of at most {@code rangesMax} ranges. */
    public RangeSet(int rangesMax) {
        this.rangesMax = rangesMax;
        starts = new long[Math.min(rangesMax, RANGES_AT_FIRST)];
        ends = new long[starts.length];
    }

    /** {@return whether the set now holds [start, end); false only if it would need too many ranges} */
    public boolean add(long start, long end) {
        if (start >= end) {
            return true;
        }
        int first = 0;
        while (first < size && ends[first] < start) {
            first++;
        }
        int after = first;
        long mergedStart = start;
        long mergedEnd = end;
        while (after < size && starts[after] <= end) {
            mergedStart = Math.min(mergedStart, starts[after]);
            mergedEnd = Math.max(mergedEnd, ends[after]);
            after++;
        }
        if (after == first && size == rangesMax) {
            return false;
        }
        replace(first, after, 1);
        starts[first] = mergedStart;
        ends[first] = mergedEnd;
        return true;
    }

    /** {@return whether the set now holds nothing of [start, end); false only if it would need too many ranges} */
    public boolean remove(long start, long end) {
        if (start >= end) {
            return true;
        }
        for (int i = 0; i < size; i++) {
            if (starts[i] >= end) {
                break;
            }
            if (ends[i] <= start) {
                continue;
            }
            if (starts[i] < start && ends[i] > end) {
                return split(i, start, end);
            }
            if (starts[i] < start) {
                ends[i] = start;
            } else if (ends[i] > end) {
                starts[i] = end;
            } else {
                replace(i, i + 1, 0);
                i--;
            }
        }
        return true;
    }

    /** Removes everything below {@code offset}. */
    public void removeBelow(long offset) {
        if (size > 0 && starts[0] < offset) {
            remove(Long.MIN_VALUE, offset);
        }
    }

    /** {@return whether all of [start, end) is in the set} */
    public boolean contains(long start, long end) {
        for (int i = 0; i < size && starts[i] <= start; i++) {
            if (end <= ends[i]) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether the set is empty} */
    public boolean isEmpty() {
        return size == 0;
    }

    /** {@return how many ranges there are} */
    public int size() {
        return size;
    }

    /** {@return where range {@code i} starts} */
    public long start(int i) {
        return starts[i];
    }

    /** {@return the offset after range {@code i}} */
    public long end(int i) {
        return ends[i];
    }

    /** {@return the sum of all ranges' lengths} */
    public long bytes() {
        long sum = 0;
        for (int i = 0; i < size; i++) {
            sum += ends[i] - starts[i];
        }
        return sum;
    }

    /** Removes everything. */
    public void clear() {
        size = 0;
    }

    private boolean split(int i, long start, long end) {
        if (size == rangesMax) {
            return false;
        }
        long tail = ends[i];
        replace(i + 1, i + 1, 1);
        ends[i] = start;
        starts[i + 1] = end;
        ends[i + 1] = tail;
        return true;
    }

    /** Makes {@code count} slots at {@code from} out of those up to {@code to}. */
    private void replace(int from, int to, int count) {
        int moved = size - to;
        if (from + count + moved > starts.length) {
            int length = Math.min(rangesMax, 2 * starts.length);
            starts = Arrays.copyOf(starts, length);
            ends = Arrays.copyOf(ends, length);
        }
        System.arraycopy(starts, to, starts, from + count, moved);
        System.arraycopy(ends, to, ends, from + count, moved);
        size = from + count + moved;
    }
}
