/** {@code weir switch}: the file that describes a switch, and running, watching and reporting one. */
package io.weir.cli.switching;
