package io.weir.transport.host;

import io.weir.transport.flow.LossRecovery;
import io.weir.transport.flow.RttEstimator;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Ethernet;

/** Makes the halves of a host's streams, as its configuration, the peer's offer and the protocol say. */
final class StreamMaker {
    private final HostConfig config;
    private final SpokenProtocols protocols;
    private final Counters counters;

    StreamMaker(HostConfig config, SpokenProtocols protocols, Counters counters) {
        this.config = config;
        this.protocols = protocols;
        this.counters = counters;
    }

    StreamSender newSender(Connection connection, PeerOffer peer) {
        HostConfig.Timers timers = config.timers();
        RttEstimator rtt = new RttEstimator(
                timers.retransmitNanosInitial(), timers.retransmitNanosMin(), timers.retransmitNanosMax());
        FlowContext context = flowContext(connection, peer);
        return new StreamSender(
                peer.tag(),
                connection.sendBuffer(),
                new LossRecovery(
                        config.streams().framesInFlightMax(), config.streams().gapsMax()),
                rtt,
                protocols.factoryOf(peer.protocol().code()).newSender(context),
                counters,
                connection.pauses(),
                new SegmentSize(HostConfig.MTU_BYTES_MIN - headerBytes(connection), context.segmentBytesMax()));
    }

    StreamReceiver newReceiver(Connection connection, PeerOffer peer) {
        FlowContext context = flowContext(connection, peer);
        return new StreamReceiver(
                connection,
                connection.receiveBuffer(),
                protocols.factoryOf(peer.protocol().code()).newReceiver(context),
                config,
                counters,
                context.segmentBytesMax());
    }

    private FlowContext flowContext(Connection connection, PeerOffer peer) {
        int mtuBytes = Math.min(connection.host().mtuBytes(), peer.mtuBytes());
        int headerBytes = headerBytes(connection);
        return new FlowContext(
                connection.path(),
                counters,
                config.linkRateBps(),
                config.credits().creditedRateBps(),
                mtuBytes - headerBytes,
                mtuBytes + Ethernet.FRAMING_BYTES,
                connection.creditFramesMax(),
                connection.arrivals(),
                connection.pauses(),
                connection.host().nowNanos());
    }

    /** {@return what stands before the payload in a data packet of a connection} */
    int headerBytes(Connection connection) {
        return connection.template().bytes() - Ethernet.HEADER_BYTES + DataHeader.BYTES;
    }
}
