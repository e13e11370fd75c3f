package io.weir.transport.host;

import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;

/**
 * An opening that is accepted and not confirmed, without a connection: all that one is made of once its initiator
 * confirms. For peers whose share of half-open connections with credit state is used up. At most 256 bytes with its
 * places in tables.
 */
final class HalfOpen {
    final PeerAccount account;
    final long localTag;
    final long remoteTag;
    /** The number of who decides about the connection, if it is there still when that is confirmed. */
    final int listenerId;
    /** When the first acceptance left. */
    final long acceptedNanos;

    private final IpAddress local;
    private final long localMac;
    private final long remoteMac;
    private final ProtocolId protocol;
    private final int receiveWindowBytes;
    private final int backlogBytes;
    private final int pauseNanos;
    private final char mtuBytes;
    private final byte creditFrames;
    private final boolean takesRiders;
    private final char localPort;
    private final char remotePort;
    /** Acceptances that have left: each has the next packet number. */
    private int acceptCount;
    /** Its place in the table and in the heap of deadlines. Written by the table. */
    private int slot;

    HalfOpen(PeerAccount account, int listenerId, Datagram opening, PeerOffer offer, long localTag, long nowNanos) {
        this.account = account;
        this.listenerId = listenerId;
        this.local = new IpAddress(opening.destinationHigh(), opening.destinationLow(), opening.isV6());
        this.localMac = opening.destinationMac();
        this.remoteMac = opening.sourceMac();
        this.localPort = (char) opening.destinationPort();
        this.remotePort = (char) opening.sourcePort();
        this.localTag = localTag;
        this.remoteTag = offer.tag();
        this.protocol = offer.protocol();
        this.mtuBytes = (char) offer.mtuBytes();
        this.creditFrames = (byte) offer.creditFrames();
        this.takesRiders = offer.takesRiders();
        this.receiveWindowBytes = (int) offer.receiveWindowBytes();
        this.backlogBytes = (int) offer.backlogBytes();
        this.pauseNanos = (int) Math.min(Integer.MAX_VALUE, offer.pauseNanos());
        this.acceptedNanos = nowNanos;
    }

    /** {@return whether a datagram comes from the peer} */
    boolean isPeerOf(Datagram datagram) {
        return datagram.sourceLow() == account.address().low()
                && datagram.sourceHigh() == account.address().high()
                && datagram.sourcePort() == remotePort
                && datagram.destinationPort() == localPort;
    }

    /** {@return where its frames go} */
    Path path() {
        return Path.from(localMac, local, localPort).to(remoteMac, account.address(), remotePort);
    }

    /** {@return what the opening said} */
    PeerOffer offer() {
        return new PeerOffer(
                remoteTag,
                protocol,
                mtuBytes,
                Integer.toUnsignedLong(receiveWindowBytes),
                pauseNanos,
                creditFrames,
                takesRiders,
                Integer.toUnsignedLong(backlogBytes));
    }

    ProtocolId protocol() {
        return protocol;
    }

    /** {@return how many frames one credit may grant, as far as the peer and the switches before this host let it} */
    int creditFrames() {
        return creditFrames;
    }

    /** {@return how long the peer has said that its pauses are} */
    int pauseNanos() {
        return pauseNanos;
    }

    int acceptCount() {
        return acceptCount;
    }

    /** {@return the packet number of the acceptance that leaves now} */
    int takeNumber() {
        return ++acceptCount;
    }

    int slot() {
        return slot;
    }

    void setSlot(int newSlot) {
        slot = newSlot;
    }
}
