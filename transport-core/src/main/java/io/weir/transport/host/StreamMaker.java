package io.weir.transport.host;

import io.weir.transport.flow.LossRecovery;
import io.weir.transport.flow.RttEstimator;
import io.weir.transport.protocol.FlowContext;
import io.weir.transport.protocol.FlowPauses;
import io.weir.transport.protocol.FrameArrivals;
import io.weir.transport.telemetry.Counters;
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

    /** {@return what the connection's protocol may know of it: the same at both halves} */
    FlowContext newContext(Connection connection, PeerOffer peer, FrameArrivals arrivals, FlowPauses pauses) {
        int mtuBytes = Math.min(connection.host().network().mtuBytes(connection.path()), peer.mtuBytes());
        HostLinkConfig link = config.linkOf(connection.path());
        return new FlowContext(
                connection.path(),
                counters,
                link.rateBps(),
                link.credits().creditedRateBps(),
                mtuBytes - headerBytes(connection),
                mtuBytes + Ethernet.FRAMING_BYTES,
                Math.min(config.creditFramesMax(), peer.creditFrames()),
                arrivals,
                pauses,
                connection.host().nowNanos());
    }

    StreamSender newSender(Connection connection, PeerOffer peer, FlowContext context) {
        ConnectionTimers timers = config.timers();
        RttEstimator rtt = new RttEstimator(
                timers.retransmitNanosInitial(), timers.retransmitNanosMin(), timers.retransmitNanosMax());
        StreamSender sender = new StreamSender(
                peer.tag(),
                connection.sendBuffer(),
                new LossRecovery(
                        config.streams().framesInFlightMax(), config.streams().gapsMax()),
                rtt,
                protocols.factoryOf(peer.protocol().code()).newSender(context),
                counters,
                context.pauses(),
                new SegmentSize(HostConfig.MTU_BYTES_MIN - headerBytes(connection), context.segmentBytesMax()));
        sender.openWindow(peer.receiveWindowBytes());
        return sender;
    }

    StreamReceiver newReceiver(Connection connection, PeerOffer peer, FlowContext context) {
        return new StreamReceiver(
                connection,
                connection.receiveBuffer(),
                protocols.factoryOf(peer.protocol().code()).newReceiver(context),
                config,
                counters,
                context);
    }

    /** {@return what stands before the payload in a data packet of a connection} */
    int headerBytes(Connection connection) {
        return HostConfig.headerBytes(connection.path().local().isV6());
    }
}
