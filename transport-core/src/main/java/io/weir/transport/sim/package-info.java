/**
 * Virtual time: an event heap that drives the same Nodes as the real event loop, over modelled links. A run is a seed
 * and a commit; the same seed gives the same trace. Faults (of links, hosts and pools) follow from seeds and times; a
 * Node sees only its frames and its clock.
 */
package io.weir.transport.sim;
