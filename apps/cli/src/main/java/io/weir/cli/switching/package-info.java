/** {@code weir switch}: the file that describes a switch on real ports, and running, watching and reporting one. */
package io.weir.cli.switching;
