/** How the operating system asks the command to end. */
package io.weir.cli.signal;
