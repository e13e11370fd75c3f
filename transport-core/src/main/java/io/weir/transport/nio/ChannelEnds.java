package io.weir.transport.nio;

import java.net.SocketAddress;

/**
 * The ends of a channel, each null where there is none.
 *
 * @param local where it is bound
 * @param remote the peer
 */
record ChannelEnds(SocketAddress local, SocketAddress remote) {}
