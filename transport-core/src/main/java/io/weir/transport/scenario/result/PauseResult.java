package io.weir.transport.scenario.result;

/**
 * A host or switch whose loop lost its core, from the beginning on.
 *
 * @param node its name
 * @param pauses how often it lost its core
 * @param pausedNanos how long it was off it, all times together
 * @param pauseNanosMax the longest time
 * @param ringDrops frames that found its receive ring full
 */
public record PauseResult(String node, long pauses, long pausedNanos, long pauseNanosMax, long ringDrops) {}
