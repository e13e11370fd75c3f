/** The agent itself, in a class loader of its own: it meets no class of the program's. */
package io.weir.agent.core;
