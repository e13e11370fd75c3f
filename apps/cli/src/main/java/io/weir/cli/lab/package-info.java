/**
 * Laboratories: the network of a scenario in namespaces of this machine, over AF_XDP ports, with the clock that
 * everybody has.
 */
package io.weir.cli.lab;
