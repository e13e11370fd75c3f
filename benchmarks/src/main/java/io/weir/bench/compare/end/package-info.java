/**
 * The processes that {@code compare} starts: servers, clients and spinning threads. Each ends when its standard input
 * does.
 */
package io.weir.bench.compare.end;
