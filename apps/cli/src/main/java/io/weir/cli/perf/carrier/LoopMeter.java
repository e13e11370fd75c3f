package io.weir.cli.perf.carrier;

/** Counts what the loops of an {@link Endpoint} do from a moment on. */
public interface LoopMeter {
    /** {@return how the loops have run since then} */
    LoopReport report();

    /** {@return what the host has counted since then} */
    HostCounts counts();
}
