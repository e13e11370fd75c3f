/** Processes of one host that talk through a broker's memory, next to loopback TCP; and the broker's hop. */
package io.weir.bench.sharing;
