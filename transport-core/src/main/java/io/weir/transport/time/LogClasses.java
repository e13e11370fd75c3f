package io.weir.transport.time;

/**
 * Classes for numbers from 0 on whose width is a fixed fraction of the numbers in them: exact below {@code
 * 2^precisionBits}, no wider than one part in {@code 2^precisionBits} above. Immutable; O(1), no allocation.
 */
public final class LogClasses {
    private final int precisionBits;

    /** Creates classes no wider than one part in {@code 2^precisionBits}. */
    public LogClasses(int precisionBits) {
        this.precisionBits = precisionBits;
    }

    /** {@return how many classes there are} */
    public int count() {
        return (Long.SIZE - precisionBits) << precisionBits;
    }

    /** {@return the class of a number that is not negative} */
    public int of(long number) {
        int shift = Math.max(0, Long.SIZE - 1 - precisionBits - Long.numberOfLeadingZeros(number | 1));
        return (shift << precisionBits) + (int) (number >>> shift);
    }

    /** {@return the largest number of a class} */
    public long largest(int numberClass) {
        int shift = Math.max(0, (numberClass >>> precisionBits) - 1);
        long mantissa = numberClass - ((long) shift << precisionBits);
        return ((mantissa + 1) << shift) - 1;
    }
}
