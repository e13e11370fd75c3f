package io.weir.bench.raw;

/**
 * One run of a job by each side, one after the other.
 *
 * @param inC what the C program gave
 * @param inJava what Java gave
 * @param offCorePercent the largest share of the time for which a side, or the program that it dealt with, had lost its
 *     core
 */
record RawPair(RawResult inC, RawResult inJava, double offCorePercent) {
    /** {@return what Java reached of C; above 1 is better than C} */
    double ratio() {
        return inJava.isRoundTrips()
                ? (double) inC.p50Nanos() / inJava.p50Nanos()
                : inJava.megaframesPerSecond() / inC.megaframesPerSecond();
    }
}
