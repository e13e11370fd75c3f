/**
 * Scenarios: the file that describes one, and the command that runs it in virtual time. Whatever is wrong with a file
 * is refused with its line, its key, the limit and the remedy, before anything runs.
 */
package io.weir.cli.scenario;
