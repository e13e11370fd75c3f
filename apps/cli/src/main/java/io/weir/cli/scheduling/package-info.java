/** What loops ask of the machine's scheduler, as options of commands that run them. */
package io.weir.cli.scheduling;
