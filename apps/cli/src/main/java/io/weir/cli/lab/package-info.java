/**
 * The laboratory: the hosts and switches of a scenario in namespaces or in memory, samples of their queues, and
 * scenarios that run in it, on real ports and by the machine's clock.
 */
package io.weir.cli.lab;
