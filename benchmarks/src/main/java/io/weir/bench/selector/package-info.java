/** Measures what a ready key costs in a selector that has many. */
package io.weir.bench.selector;
