/**
 * Ports alone, without the stack: AF_XDP from Java next to AF_XDP from C, with the same job, peer and core, in turns;
 * and how many frames the DPDK port moves, with testpmd or another such process at the other end.
 */
package io.weir.bench.raw;
