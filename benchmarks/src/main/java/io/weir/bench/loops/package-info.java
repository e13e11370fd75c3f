/** What a second loop adds to the first. */
package io.weir.bench.loops;
