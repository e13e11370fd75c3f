/** Processes of one host that talk through a broker's memory, beside kernel TCP over loopback; and the broker's hop. */
package io.weir.bench.sharing;
