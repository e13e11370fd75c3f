/**
 * The program's surroundings: the machine and this build, which results depend on; what the shell gets as exit status
 * and when it asks the program to stop; how the machine schedules the program's loops.
 */
package io.weir.cli.environment;
