/**
 * Weir and others that do the same job, in turns, each as separate processes: what one command prints about all of
 * them.
 */
package io.weir.bench.compare;
