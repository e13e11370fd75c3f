package io.weir.transport.scenario.plan;

/**
 * The delay between a credit that comes in by a port and the data that it brings.
 *
 * @param least on the fastest way, when nothing waits
 * @param most on the slowest way, when all queues are full
 */
record DelayRange(DelayBreakdown least, DelayBreakdown most) {
    /** {@return the delay spread} */
    DelayBreakdown spread() {
        return most.minus(least);
    }
}
