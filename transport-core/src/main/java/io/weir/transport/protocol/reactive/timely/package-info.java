/** TIMELY: a rate that follows the gradient of the round-trip time. */
package io.weir.transport.protocol.reactive.timely;
