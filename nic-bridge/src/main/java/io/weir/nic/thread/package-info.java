/**
 * What a loop's thread asks of the machine's scheduler: slices, the real-time class, CPUs, and which threads come after
 * it.
 */
package io.weir.nic.thread;
