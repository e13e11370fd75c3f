package io.weir.transport.host;

import io.weir.pacer.RateMath;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.SharedHostMac;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a host does when its network changes: its addresses, those of the next hops, the link's MTU, or its share of the
 * link. Owned by the host's thread; O(connections) per change.
 */
public final class HostNetwork {
    private final HostStack host;
    private final HostConfig config;
    private final ConnectionTable connections;
    private final OwnAddresses addresses;
    private final FrameIntake intake;
    /** The largest IP packet of the link now: the configuration's, or less. Memory's does not change. */
    private int mtuBytes;

    HostNetwork(HostStack host, ConnectionTable connections, OwnAddresses addresses, FrameIntake intake) {
        this.host = host;
        this.config = host.config();
        this.connections = connections;
        this.addresses = addresses;
        this.intake = intake;
        this.mtuBytes = config.link().mtuBytes();
    }

    /**
     * Takes openings to these addresses from now on. Connections of an address that is ours no longer end after a
     * second, unless it is ours again by then.
     */
    public void setAddresses(List<IpAddress> ours) {
        addresses.set(ours, host.nowNanos());
    }

    /** Ends the connections of addresses that have not come back in time. */
    void endOfRemovedAddresses(long now) {
        Set<IpAddress> removed = addresses.takeRemoved(now);
        connections.forEach(connection -> {
            if (removed.contains(connection.path().local())) {
                connection.input().close(CloseReason.ADDRESS_REMOVED);
            }
        });
    }

    /**
     * Follows a change of the network's Ethernet addresses.
     *
     * @param localMac this host's own
     * @param remoteMacs those of the next hops to remote hosts; connections to others keep theirs
     */
    public void setMacs(long localMac, Map<IpAddress, Long> remoteMacs) {
        intake.setMac(localMac);
        connections.forEach(connection -> {
            Path path = connection.path();
            if (staysHere(path)) {
                return;
            }
            connection.repath(remoteMacs.getOrDefault(path.remote(), path.remoteMac()), localMac);
        });
    }

    /** No change of the network concerns what does not leave the host. */
    private static boolean staysHere(Path path) {
        return path.isInProcess() || SharedHostMac.isOn(path);
    }

    /** {@return the remote hosts of all connections that leave this host} */
    public Set<IpAddress> remotes() {
        Set<IpAddress> remotes = new HashSet<>();
        connections.forEach(connection -> {
            if (!staysHere(connection.path())) {
                remotes.add(connection.path().remote());
            }
        });
        return remotes;
    }

    /**
     * Follows a change of the link's MTU. What is longer than the new one is cut into shorter segments when it is
     * retransmitted. Where the MTU grows, connections try longer segments, up to what they began with. Those through
     * memory keep theirs.
     *
     * @param bytes the largest IP packet; more than the host's configuration says counts as that
     */
    public void setMtu(int bytes) {
        mtuBytes = Math.min(
                Math.max(bytes, HostConfig.MTU_BYTES_MIN), config.link().mtuBytes());
        connections.forEach(connection -> {
            if (connection.sender() != null) {
                connection
                        .sender()
                        .limitSegments(
                                mtuBytes(connection.path()) - host.streams().headerBytes(connection));
            }
        });
    }

    /**
     * The host has a part of its port's link from now on: others send and receive by it too.
     *
     * @param sentPpm the part at which it may send, in parts per million of the configured rate
     * @param receivedPpm the part for which it may give credits
     */
    public void setLinkShare(int sentPpm, int receivedPpm, long now) {
        host.egresses()
                .setLinkRates(
                        RateMath.scalePpmFloor(config.link().rateBps(), sentPpm),
                        RateMath.scalePpmFloor(config.link().credits().rateBps(), receivedPpm),
                        now);
    }

    /** {@return the largest IP packet of this path now, as far as the host says} */
    int mtuBytes(Path path) {
        return config.mtuBytesOn(path, config.isInMemory(path) ? config.memory().mtuBytes() : mtuBytes);
    }

    /**
     * The network has sent a frame back. The message has to quote the frame's tag, which nobody knows who has not seen
     * it. An opening ends. Connections that stand do so only if the peer's host says that nobody has the port, and the
     * peer is silent after that: a process that was killed says nothing itself.
     */
    public void onReturned(long tag, IpAddress remote, int remotePort, CloseReason reason) {
        Connection opening = connections.byTag(tag);
        if (opening != null && opening.state() == Lifecycle.State.OPENING && isTo(opening, remote, remotePort)) {
            opening.input().close(reason);
            return;
        }
        Connection standing = reason == CloseReason.REFUSED ? connections.byRemoteTag(tag) : null;
        if (standing != null
                && isTo(standing, remote, remotePort)
                && standing.input().onPortRefused()) {
            connections.forEach(connection -> {
                if (isTo(connection, remote, remotePort)) {
                    connection.input().onPortRefused();
                }
            });
        }
    }

    private static boolean isTo(Connection connection, IpAddress remote, int remotePort) {
        return connection.path().remote().equals(remote) && connection.path().remotePort() == remotePort;
    }
}
