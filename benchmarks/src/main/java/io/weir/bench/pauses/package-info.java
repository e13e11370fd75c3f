/**
 * Pauses of a loop: how a machine makes them, recorded; and what each protocol makes of hosts and switches that have
 * them.
 */
package io.weir.bench.pauses;
