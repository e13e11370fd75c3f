/** AF_XDP from Java beside AF_XDP from C: the same job, the same peer, the same core, run in turns. */
package io.weir.bench.raw;
