/** The whole stack's round trips next to the kernel's: the same link, the same message, run in turns. */
package io.weir.bench.latency;
