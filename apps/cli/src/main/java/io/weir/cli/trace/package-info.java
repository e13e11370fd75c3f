/** The command {@code weir trace}: frames of running transports, from outside. */
package io.weir.cli.trace;
