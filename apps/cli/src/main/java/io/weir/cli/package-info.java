/** The weir command: its root, what all its commands have in common, and the commands about the command itself. */
package io.weir.cli;
