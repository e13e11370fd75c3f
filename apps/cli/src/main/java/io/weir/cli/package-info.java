/** The weir command. */
package io.weir.cli;
