/**
 * What a data frame costs on its way through the stack, without a kernel and without waiting: the whole way, and each
 * part by itself, measured with JMH.
 */
package io.weir.bench.path;
