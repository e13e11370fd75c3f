/** The DPDK port alone: how many frames it moves, with testpmd or another such process at the other end. */
package io.weir.bench.dpdk;
