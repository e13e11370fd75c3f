/** What carries the tests of {@code weir perf}: Weir's transport on an interface, or the kernel's TCP. */
package io.weir.cli.perf.carrier;
