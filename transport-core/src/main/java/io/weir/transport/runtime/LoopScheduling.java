package io.weir.transport.runtime;

/**
 * What a loop's thread got of what it asked for.
 *
 * @param line for logs and results: what was granted, and what was not and why
 * @param isRealTime whether it runs before every ordinary thread, and therefore must let them run
 */
public record LoopScheduling(String line, boolean isRealTime) {
    /** The answer of a loop that the application runs. */
    static final LoopScheduling INVOKED = new LoopScheduling("on the application's thread, which is left alone", false);

    /** The answer of a loop whose thread has not begun. */
    static final LoopScheduling UNKNOWN = new LoopScheduling("not started", false);
}
