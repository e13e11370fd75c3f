/**
 * Channels and selectors of {@code java.nio} whose connections go over Weir or over the kernel's TCP, as rules say.
 */
package io.weir.transport.nio;
