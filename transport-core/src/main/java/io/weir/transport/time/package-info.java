/** Deadlines. Time itself is an argument everywhere: {@code nowNanos}, 0 at launch, never running backwards. */
package io.weir.transport.time;
