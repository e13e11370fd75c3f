/**
 * What the files of switches and of scenarios say in the same words: a port's queues, its credit meter and its marking.
 */
package io.weir.cli.port;
