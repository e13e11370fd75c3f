/**
 * Where threads and the clock live: the event loop that drives Nodes over real ports, how it waits when there is
 * nothing to do, and what a backend must offer.
 */
package io.weir.transport.runtime;
