package io.weir.transport.runtime;

/** Is told about once a second how a loop fares. */
@FunctionalInterface
public interface LoopReport {
    /** Within a cycle of the loop: what is told may look at all that belongs to it, and must not take long. */
    void onReport(CycleMonitor monitor, long nowNanos);
}
