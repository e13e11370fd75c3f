package io.weir.transport.fallback;

/**
 * Which way a connection or listener went.
 *
 * @param outcome in one word
 * @param address the peer's, or the one that is listened at
 * @param text in one paragraph: which way was taken, what was tried first, why it failed, and how long it took
 * @param elapsedNanos from the beginning to the decision
 */
public record Explanation(Outcome outcome, String address, String text, long elapsedNanos) {}
