package io.weir.transport.protocol.credit;

import io.weir.transport.wire.IpAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What the standing credits of a host's idle flows may add to the queue at its last hop: one credit per flow, kept for
 * the flow's first frame after it was idle, so that a short message needs no round trip to ask.
 *
 * <p>Frames of one peer cannot queue behind each other there, since the peer's own link sends them one after the other.
 * So if all peers send at once, the queue is what they hold together, less what the peer with the most holds: that
 * difference is bounded by the budget, whatever the number of flows. A peer with a faster link than this host's adds to
 * it by the difference of the two.
 *
 * <p>Deviation from ExpressPass, whose senders discard every credit that finds nothing to send: the bound keeps the
 * promise of a bounded queue. Owned by the host's thread; O(1) per credit, no allocation but for a new peer.
 */
final class StandingBudget {
    /** Frames are counted in units of the longest one at an MTU of 1500; longer ones count as several. */
    static final int UNIT_BYTES = 1_538;

    private final long unitsMax;
    private final Map<IpAddress, Peer> peers = new HashMap<>();
    /** What all peers hold. */
    private int heldUnits;
    /** How many peers hold so many units each; grows with the most that one holds. */
    private int[] peersHolding = new int[16];
    /** What the peer with the most holds. */
    private int mostUnits;

    /** Creates the budget of a host none of whose flows holds a credit; with 0 bytes none ever does. */
    StandingBudget(long bytesMax) {
        this.unitsMax = bytesMax / UNIT_BYTES;
    }

    /** {@return the account of the peer with this address, for a flow with frames of so many bytes on a link} */
    Account accountOf(IpAddress address, int dataWireBytesMax) {
        Peer peer = peers.computeIfAbsent(address, Peer::new);
        peer.flowCount++;
        return new Account(peer, (dataWireBytesMax + UNIT_BYTES - 1) / UNIT_BYTES);
    }

    private boolean tryTake(Peer peer, int units) {
        int newUnits = peer.units + units;
        if (unitsMax == 0 || heldUnits + units - Math.max(mostUnits, newUnits) > unitsMax) {
            return false;
        }
        heldUnits += units;
        move(peer, newUnits);
        return true;
    }

    private void giveBack(Peer peer, int units) {
        heldUnits -= units;
        assert heldUnits >= 0;
        move(peer, peer.units - units);
    }

    private void move(Peer peer, int newUnits) {
        if (newUnits >= peersHolding.length) {
            peersHolding = Arrays.copyOf(peersHolding, 2 * newUnits);
        }
        if (peer.units > 0) {
            peersHolding[peer.units]--;
        }
        if (newUnits > 0) {
            peersHolding[newUnits]++;
        }
        peer.units = newUnits;
        mostUnits = Math.max(mostUnits, newUnits);
        while (mostUnits > 0 && peersHolding[mostUnits] == 0) {
            mostUnits--;
        }
    }

    /** {@return what the standing credits that are out may bring, in units} */
    int heldUnits() {
        return heldUnits;
    }

    /** {@return what the standing credits that are out may add to the queue at the last hop, in units} */
    int queueUnits() {
        return heldUnits - mostUnits;
    }

    /** {@return peers with flows} */
    int peerCount() {
        return peers.size();
    }

    /** What the flows of one peer hold. */
    private static final class Peer {
        private final IpAddress address;
        /** Flows with an account; the peer is forgotten with the last. */
        private int flowCount;
        /** What they hold; written by move. */
        private int units;

        Peer(IpAddress address) {
            this.address = address;
        }
    }

    /** The place of one flow in the budget: it holds one credit or none. */
    final class Account {
        private final Peer peer;
        private final int units;

        private Account(Peer peer, int units) {
            this.peer = peer;
            this.units = units;
        }

        /** {@return whether the budget has room for the flow's frame; then the flow holds it} */
        boolean tryTake() {
            return StandingBudget.this.tryTake(peer, units);
        }

        /** The flow holds no credit any more. */
        void giveBack() {
            StandingBudget.this.giveBack(peer, units);
        }

        /** The flow has ended, and holds nothing. */
        void close() {
            peer.flowCount--;
            if (peer.flowCount == 0) {
                peers.remove(peer.address);
            }
        }
    }
}
