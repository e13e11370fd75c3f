/**
 * The weir command: its root, what all its commands have in common, the commands about the command itself, and {@code
 * weir broker}.
 */
package io.weir.cli;
