package io.weir.transport.socket;

/** Something that the loop's thread finds out for another thread. */
@FunctionalInterface
interface LoopCall<T> {
    T run(long nowNanos);
}
