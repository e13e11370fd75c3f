/** {@code weir broker}: one interface for many processes. */
package io.weir.cli.broker;
