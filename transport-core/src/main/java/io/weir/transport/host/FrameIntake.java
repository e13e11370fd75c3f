package io.weir.transport.host;

import io.weir.transport.frame.Frame;
import io.weir.transport.node.NetPort;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.Crc32c;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.Payload;
import io.weir.transport.wire.ResetHeader;
import io.weir.transport.wire.WeirHeader;
import io.weir.transport.wire.WholeFrame;
import org.agrona.concurrent.UnsafeBuffer;

/** Checks what comes in, once, and hands it to its connection, or to the handshake. */
final class FrameIntake {
    /** The first byte of IPv4's loopback addresses. */
    private static final int LOOPBACK_NETWORK = 127;

    private final HostConfig config;
    private final OwnAddresses addresses;
    private final ConnectionTable connections;
    private final Handshake handshake;
    private final StatelessResets resets;
    private final Crc32c crc;
    private final Datagram datagram;
    /** The port's Ethernet address, which openings must go to; written by {@link #setMac}. */
    private long mac;

    FrameIntake(
            HostConfig config,
            OwnAddresses addresses,
            ConnectionTable connections,
            Handshake handshake,
            StatelessResets resets,
            Crc32c crc) {
        this.config = config;
        this.addresses = addresses;
        this.mac = config.mac();
        this.connections = connections;
        this.handshake = handshake;
        this.resets = resets;
        this.crc = crc;
        this.datagram = new Datagram(config.checksums());
    }

    /** The port has another Ethernet address from now on. */
    void setMac(long address) {
        mac = address;
    }

    /** {@return the reason for which the frame is dropped, or null} */
    CounterId receive(Frame frame, long nowNanos) {
        CounterId reason = datagram.parse(frame);
        if (reason != null) {
            return reason;
        }
        UnsafeBuffer buffer = datagram.buffer();
        int at = datagram.weirAt();
        int bytes = datagram.weirBytes();
        if (bytes < WeirHeader.PREFIX_BYTES) {
            return CounterId.DROP_MALFORMED;
        }
        if (WeirHeader.version(buffer, at) != WeirHeader.VERSION) {
            return CounterId.DROP_VERSION;
        }
        FrameType type = WeirHeader.type(buffer, at);
        if (type == null) {
            return CounterId.DROP_TYPE;
        }
        if (type != FrameType.DATA && !datagram.hasUdpChecksum()) {
            // The CRC32C covers the whole of data alone.
            return CounterId.DROP_CHECKSUM;
        }
        if (!WholeFrame.isValid(type, buffer, at, bytes)) {
            return type == FrameType.OPEN ? CounterId.DROP_OPENING_SHORT : CounterId.DROP_MALFORMED;
        }
        if (type == FrameType.OPEN) {
            return isForUs(frame) ? handshake.onOpen(frame, datagram, nowNanos) : CounterId.DROP_NOT_OURS;
        }
        if (type == FrameType.RESET && ResetHeader.isAnswer(ResetHeader.reason(buffer, at))) {
            return receiveAnswer(buffer, at, nowNanos);
        }
        Connection connection = connections.byTag(WeirHeader.tag(buffer, at));
        return connection == null
                ? receiveForHalfOpen(frame, type, nowNanos)
                : receiveForConnection(connection, type, nowNanos);
    }

    private CounterId receiveForConnection(Connection connection, FrameType type, long nowNanos) {
        UnsafeBuffer buffer = datagram.buffer();
        int at = datagram.weirAt();
        if (!datagram.isFrom(connection.path())) {
            return CounterId.DROP_TAG;
        }
        if (!isIntact(type, buffer, at)) {
            return CounterId.DROP_CRC;
        }
        CounterId reason = connection.input().onFrame(type, datagram, nowNanos);
        connection.settle(nowNanos);
        return reason;
    }

    /** The peer does not have a connection of ours, if it can prove that it has seen a frame of it. */
    private CounterId receiveAnswer(UnsafeBuffer buffer, int at, long nowNanos) {
        long tag = WeirHeader.tag(buffer, at);
        int number = WeirHeader.packetNumber(buffer, at);
        Connection connection = connections.byRemoteTag(tag);
        if (connection != null && datagram.isFrom(connection.path())) {
            if (!StatelessResets.isProof(number, connection.numbers().next())) {
                return CounterId.DROP_RESET_UNPROVED;
            }
            boolean hasEnded = ResetHeader.reason(buffer, at) == ResetHeader.ENDED;
            if (!hasEnded || !connection.input().onPeerEnded(nowNanos)) {
                // A reset may have come before it, and bytes that the handler has not taken.
                connection.input().closeAfterReading(CloseReason.FORGOTTEN);
            }
            connection.settle(nowNanos);
            return null;
        }
        HalfOpen halfOpen = handshake.halfOpens().byRemoteTag(tag, datagram);
        if (halfOpen == null || !StatelessResets.isProof(number, halfOpen.acceptCount() + 1L)) {
            return CounterId.DROP_RESET_UNPROVED;
        }
        handshake.giveUp(halfOpen);
        return null;
    }

    private CounterId receiveForHalfOpen(Frame frame, FrameType type, long nowNanos) {
        boolean isIntact = isIntact(type, datagram.buffer(), datagram.weirAt());
        HalfOpen halfOpen = handshake.halfOpens().byTag(WeirHeader.tag(datagram.buffer(), datagram.weirAt()), datagram);
        if (halfOpen == null) {
            if (isIntact && isForUs(frame)) {
                resets.answer(frame, datagram, type, nowNanos);
            }
            return CounterId.DROP_TAG;
        }
        if (!isIntact) {
            return CounterId.DROP_CRC;
        }
        if (type == FrameType.RESET
                && !ResetHeader.confirms(ResetHeader.reason(datagram.buffer(), datagram.weirAt()))) {
            handshake.giveUp(halfOpen);
            return null;
        }
        Connection connection = handshake.confirm(halfOpen, nowNanos);
        if (connection == null) {
            return CounterId.DROP_BUSY;
        }
        CounterId reason = connection.input().onFrame(type, datagram, nowNanos);
        connection.settle(nowNanos);
        return reason;
    }

    private boolean isIntact(FrameType type, UnsafeBuffer buffer, int at) {
        if (config.payload() != Payload.CARRIED) {
            return true;
        }
        return switch (type) {
            case DATA -> DataHeader.isIntact(buffer, at, crc);
            case ACK -> AckHeader.isIntact(buffer, at, crc);
            default -> true;
        };
    }

    /**
     * {@return whether the datagram is for this host's own addresses} A frame to or from a group must not be answered:
     * the reply, and the connection, would have its address. Loopback addresses are believed of frames of this process
     * alone.
     */
    private boolean isForUs(Frame frame) {
        if (frame.ingressPort() == NetPort.OWN_HOST) {
            if (isLoopback(datagram.destinationHigh(), datagram.destinationLow())) {
                return true;
            }
        } else if (datagram.destinationMac() != mac
                || Ethernet.isGroup(datagram.sourceMac())
                || isLoopback(datagram.sourceHigh(), datagram.sourceLow())) {
            return false;
        }
        return addresses.areDestinationOf(datagram);
    }

    private boolean isLoopback(long high, long low) {
        return datagram.isV6() ? high == 0 && low == 1 : low >>> 24 == LOOPBACK_NETWORK;
    }
}
