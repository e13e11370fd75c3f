/**
 * What protocols share that react to what acknowledgements tell (loss, marks, delay, rates): one sender and one
 * receiver, in which each protocol's {@link io.weir.transport.protocol.reactive.CongestionControl} decides the window
 * and the pace.
 */
package io.weir.transport.protocol.reactive;
