/** Switches on real ports: a pipeline, its AF_XDP ports and the loop that drives them, with samples of its queues. */
package io.weir.cli.fabric;
