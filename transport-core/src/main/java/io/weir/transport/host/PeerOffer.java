package io.weir.transport.host;

import io.weir.transport.protocol.ProtocolId;

/**
 * What a peer's opening or accepting frame says.
 *
 * @param tag the tag that the peer demands
 * @param protocol the protocol of the connection
 * @param mtuBytes the largest IP packet that the peer can take
 * @param receiveWindowBytes its receive window
 * @param pauseNanos how long its pauses are
 * @param creditFrames how many frames one credit may grant, as far as the peer and the switches before this host let it
 * @param takesRiders whether it takes acknowledgements and credits that ride on data
 * @param backlogBytes bytes that it would like to send, 0 when it asks for no credits
 */
record PeerOffer(
        long tag,
        ProtocolId protocol,
        int mtuBytes,
        long receiveWindowBytes,
        long pauseNanos,
        int creditFrames,
        boolean takesRiders,
        long backlogBytes) {}
