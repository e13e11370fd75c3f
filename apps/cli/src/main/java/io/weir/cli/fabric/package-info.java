/**
 * Switches on real ports, with samples of their queues: those of a file, and those of a laboratory, which has the hosts
 * of a scenario in namespaces or in memory.
 */
package io.weir.cli.fabric;
