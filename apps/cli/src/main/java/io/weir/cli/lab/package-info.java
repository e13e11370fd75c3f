/** Scenarios in a laboratory: their hosts and traffic on real ports, with the clock that everybody has. */
package io.weir.cli.lab;
