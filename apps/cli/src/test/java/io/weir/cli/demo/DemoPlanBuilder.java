package io.weir.cli.demo;

/** Plans of the shortest measurements, with what a test says. */
final class DemoPlanBuilder {
    private long bottleneckBps = 1_000_000_000;
    private long hostBps = 10_000_000_000L;
    private long propagationNanos = 25_000;
    private long transferBytes = 1 << 16;
    private long measureNanos = 100_000_000;
    private int flowCount = 1;
    private int joinCount = 1;
    private long seed = 1;

    DemoPlanBuilder bottleneckBps(long value) {
        bottleneckBps = value;
        return this;
    }

    DemoPlanBuilder hostBps(long value) {
        hostBps = value;
        return this;
    }

    DemoPlanBuilder propagationNanos(long value) {
        propagationNanos = value;
        return this;
    }

    DemoPlanBuilder transferBytes(long value) {
        transferBytes = value;
        return this;
    }

    DemoPlanBuilder measureNanos(long value) {
        measureNanos = value;
        return this;
    }

    DemoPlanBuilder flowCount(int value) {
        flowCount = value;
        return this;
    }

    DemoPlanBuilder joinCount(int value) {
        joinCount = value;
        return this;
    }

    DemoPlanBuilder seed(long value) {
        seed = value;
        return this;
    }

    /** {@return the plan} */
    DemoPlan build() {
        return new DemoPlan(
                bottleneckBps, hostBps, propagationNanos, transferBytes, measureNanos, flowCount, joinCount, seed);
    }
}
