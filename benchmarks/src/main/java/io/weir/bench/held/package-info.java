/** Measures what connections cost that are open and idle. */
package io.weir.bench.held;
