/**
 * Threads in seeded orders: loops and application threads of the product run one at a time, and a seed decides at each
 * access to what they share which one goes on.
 */
package io.weir.transport.threads;
