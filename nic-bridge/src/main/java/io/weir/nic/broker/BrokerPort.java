package io.weir.nic.broker;

import io.weir.nic.NicException;
import io.weir.transport.frame.Frame;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortEnd;
import io.weir.transport.node.PortInfo;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.SharedHostMac;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's port: its rings with the broker, and those with other clients that it talks to. The Ethernet address of a
 * frame says which. A frame costs a copy here and no allocation.
 */
public final class BrokerPort implements NetPort {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerPort.class);
    private static final int MAC_NUMBER = 4;
    private static final Peer[] NOBODY = {};

    private final PortInfo info;
    private final RegionPort uplink;
    private final IntConsumer onPeerLost;
    private final Runnable onClose;
    /** Replaced as a whole, with the lock. */
    private volatile Peer[] peers = NOBODY;
    /** What the loop sleeps with; null before it is made. Written with the lock. */
    private RegionWaiter waiter;
    /** Written with the lock. */
    private boolean isClosed;
    /** Why the interface's port moves no frames, as the broker says, or null. */
    private volatile String impairment;
    /** Why no frames move any more, or null. */
    private volatile PortEnd end;
    /** The same in words. Written before {@link #end}. */
    private volatile String endSentence;
    /** The port through which the latest frame for another client went, or null. Loop thread. */
    private Peer latest;
    /** Frames to and from other clients of this host. Loop thread. */
    private long peerFrameCount;
    /** Frames for clients that are gone. Loop thread. */
    private long lostCount;

    /**
     * Another client, by its number.
     *
     * @param isReplaced whether it has newer rings, so that the loop gives these back; set once, with the lock
     */
    private record Peer(int number, RegionPort port, AtomicBoolean isReplaced) {}

    /** {@code onPeerLost} is told on the loop's thread when another client breaks its rings or is gone. */
    BrokerPort(PortInfo info, RegionPort uplink, IntConsumer onPeerLost, Runnable onClose) {
        this.info = info;
        this.uplink = uplink;
        this.onPeerLost = onPeerLost;
        this.onClose = onClose;
    }

    /** Sets what the loop sleeps with; once. */
    synchronized void setWaiter(RegionWaiter newWaiter) throws NicException {
        waiter = newWaiter;
        waiter.add(uplink);
        for (Peer peer : peers) {
            waiter.add(peer.port());
        }
    }

    /** Frames to and from another client go by this port from now on; where that fails it is closed. Any thread. */
    synchronized void addPeer(int number, RegionPort port) throws NicException {
        boolean isAdded = false;
        try {
            if (waiter != null && !isClosed) {
                waiter.add(port);
            }
            isAdded = !isClosed;
        } finally {
            if (!isAdded) {
                port.close();
            }
        }
        if (!isAdded) {
            return;
        }
        List<Peer> all = new ArrayList<>(List.of(peers));
        // The loop alone may close what it reads. One client must not keep the rings of many introductions.
        for (Peer older : all) {
            if (older.number() == number) {
                older.isReplaced().set(true);
            }
        }
        all.add(0, new Peer(number, port, new AtomicBoolean()));
        peers = all.toArray(NOBODY);
        if (waiter != null) {
            // There may be frames since before anybody was asked to ring.
            waiter.wake();
        }
    }

    private synchronized void removePeer(Peer peer) {
        List<Peer> all = new ArrayList<>(List.of(peers));
        all.remove(peer);
        peers = all.toArray(NOBODY);
        latest = null;
        if (waiter != null) {
            waiter.remove(peer.port());
        }
        boolean isReplaced = peer.isReplaced().get();
        LOG.info(
                "interface={} peer={} reason=\"{}\"",
                info.name(),
                peer.number(),
                isReplaced ? "it has newer rings" : peer.port().failure());
        peer.port().close();
        if (!isReplaced) {
            // Otherwise the broker would forget the newer rings.
            onPeerLost.accept(peer.number());
        }
    }

    @Override
    public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
        int received = uplink.pollReceive(node, portIndex, limit, nowNanos);
        Peer[] all = peers;
        for (int i = 0; i < all.length; i++) {
            received += receive(all[i], node, portIndex, limit, nowNanos);
        }
        return received;
    }

    private int receive(Peer peer, Node node, int portIndex, int limit, long nowNanos) {
        RegionPort port = peer.port();
        if (peer.isReplaced().get()) {
            removePeer(peer);
            return 0;
        }
        port.probe(nowNanos);
        int received = 0;
        while (received < limit) {
            Frame frame = port.receive();
            if (frame == null) {
                break;
            }
            // Answers go to where it came from, whatever it says.
            UnsafeBuffer buffer = frame.buffer();
            buffer.putInt(frame.offset() + Ethernet.SOURCE_AT, SharedHostMac.PREFIX, ByteOrder.BIG_ENDIAN);
            buffer.putShort(
                    frame.offset() + Ethernet.SOURCE_AT + MAC_NUMBER, (short) peer.number(), ByteOrder.BIG_ENDIAN);
            frame.setIngressPort(OWN_HOST);
            node.onFrame(portIndex, frame, nowNanos);
            received++;
        }
        if (received > 0) {
            peerFrameCount += received;
        } else if (port.failure() != null && !port.hasNext()) {
            removePeer(peer);
        }
        return received;
    }

    @Override
    public int transmitCapacity() {
        return uplink.transmitCapacity();
    }

    @Override
    public void transmit(Frame frame) {
        // The broker's rings hold no frame that is longer than the interface's: those are for other clients alone.
        if (!SharedHostMac.isTo(frame)) {
            uplink.transmit(frame);
            return;
        }
        Peer peer = peerOf(frame);
        if (peer == null) {
            lostCount++;
            frame.release();
        } else {
            peerFrameCount++;
            peer.port().transmit(frame);
        }
    }

    private Peer peerOf(Frame frame) {
        int number = Short.toUnsignedInt(frame.buffer().getShort(frame.offset() + MAC_NUMBER, ByteOrder.BIG_ENDIAN));
        Peer known = latest;
        if (known != null && known.number() == number) {
            return known;
        }
        Peer[] all = peers;
        for (int i = 0; i < all.length; i++) {
            if (all[i].number() == number) {
                latest = all[i];
                return latest;
            }
        }
        return null;
    }

    @Override
    public void flush() {
        uplink.flush();
        Peer[] all = peers;
        for (int i = 0; i < all.length; i++) {
            all[i].port().flush();
        }
    }

    /** Frames are stuck or lost at the broker's interface for this reason until it is null again. Any thread. */
    void setImpairment(String reason) {
        impairment = reason;
    }

    /** No frames move any more. Any thread. */
    void setEnd(PortEnd cause, String sentence) {
        endSentence = sentence;
        end = cause;
    }

    @Override
    public PortInfo info() {
        return info;
    }

    @Override
    public String failure() {
        String ended = endSentence;
        String broken = ended == null ? uplink.failure() : ended;
        return broken == null ? impairment : broken;
    }

    @Override
    public PortEnd end() {
        return end;
    }

    /** {@return -1: the interface makes what its loop sleeps with} */
    @Override
    public int pollFileDescriptor() {
        return -1;
    }

    /** {@return frames that went to or came from other processes of this host through memory; loop thread} */
    public long peerFrameCount() {
        return peerFrameCount;
    }

    /** {@return frames that were dropped: no room on the other side, or for clients that are gone. Loop thread.} */
    public long droppedCount() {
        long count = lostCount + uplink.droppedCount();
        for (Peer peer : peers) {
            count += peer.port().droppedCount();
        }
        return count;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
            for (Peer peer : peers) {
                close(peer.port());
            }
            peers = NOBODY;
            latest = null;
            close(uplink);
        }
        onClose.run();
    }

    private void close(RegionPort port) {
        if (waiter != null) {
            waiter.remove(port);
        }
        port.close();
    }
}
