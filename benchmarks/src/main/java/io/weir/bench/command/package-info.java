/** The command lines of the benchmarks. */
package io.weir.bench.command;
