/**
 * Which connections go over Weir and which over the kernel's TCP: rules, the choice between two openings of one
 * connection, and what is remembered of peers.
 */
package io.weir.transport.fallback;
