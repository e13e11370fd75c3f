/**
 * Ports alone, without the stack: AF_XDP from Java next to AF_XDP from C, and the DPDK port next to testpmd, with the
 * same job, peer and core, in turns.
 */
package io.weir.bench.raw;
