/** What a data frame costs on its whole way through the stack, without a kernel and without waiting. */
package io.weir.bench.path;
