/** The demonstration: Weir and kernel TCP, one after the other, through the same switches. */
package io.weir.cli.demo;
