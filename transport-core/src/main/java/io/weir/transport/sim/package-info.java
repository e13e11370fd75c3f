/**
 * Virtual time: an event heap that drives the same Nodes as the real event loop, over modelled links. A run is a seed
 * and a commit; the same seed gives the same trace.
 */
package io.weir.transport.sim;
