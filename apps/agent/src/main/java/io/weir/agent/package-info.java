/**
 * What the JVM sees of the agent: its beginning, a class loader for all the rest, and the provider that a property
 * names.
 */
package io.weir.agent;
