package io.weir.transport.host;

/**
 * What a host does so that delays can be measured: each step takes away one source of error, and the steps before it
 * are there to show how much. Source: DX (section III).
 */
public enum Stamping {
    /** Frames leave as fast as the ring takes them; stamps are the times of polls. */
    RAW(false, false),
    /** Frames leave at the link's rate, at most ten a poll, one of each flow in turn. */
    BURST_CONTROL(true, false),
    /** Moreover, stamps of frames of one batch are moved apart by what the link needs for each. */
    CALIBRATED(true, true);

    private final boolean controlsBursts;
    private final boolean calibrates;

    Stamping(boolean controlsBursts, boolean calibrates) {
        this.controlsBursts = controlsBursts;
        this.calibrates = calibrates;
    }

    boolean controlsBursts() {
        return controlsBursts;
    }

    boolean calibrates() {
        return calibrates;
    }
}
