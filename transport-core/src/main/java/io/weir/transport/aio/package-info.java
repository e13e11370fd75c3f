/**
 * Asynchronous channels over channels that are selected: what {@link
 * java.nio.channels.spi.AsynchronousChannelProvider} gives where rules decide which way a connection goes.
 */
package io.weir.transport.aio;
