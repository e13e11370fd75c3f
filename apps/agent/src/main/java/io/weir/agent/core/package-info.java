/** The agent itself, in a separate class loader: it meets no class of the program's. */
package io.weir.agent.core;
