package io.weir.transport.protocol;

/** Powers with whole exponents, as decay over several periods needs them. */
public final class Exponentiation {
    private Exponentiation() {}

    /** {@return {@code base} to the power {@code n}, 0 or more, by squaring: {@code StrictMath.pow} makes arrays} */
    public static double power(double base, long n) {
        double power = 1;
        double square = base;
        for (long rest = n; rest > 0; rest >>= 1) {
            if ((rest & 1) != 0) {
                power *= square;
            }
            square *= square;
        }
        return power;
    }
}
