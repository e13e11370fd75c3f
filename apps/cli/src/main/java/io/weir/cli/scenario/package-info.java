/**
 * Scenarios: the file that describes one, the command that runs it in virtual time, and the command that computes the
 * queues its ports need ({@code weir plan}). Whatever is wrong with a file is refused with its line, its key, the limit
 * and the remedy, before anything runs.
 */
package io.weir.cli.scenario;
