package io.weir.transport.runtime;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.NetPort;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortEnd;
import io.weir.transport.node.PortInfo;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The port of a transport's interface, which also moves frames between transports of one process on one host: those
 * have Ethernet addresses that are on no wire, and go through rings in memory. A frame for the wire costs one
 * comparison more.
 *
 * <p>Each pair of transports that talk has a ring for each direction, made with their first frame. A frame for which
 * there is no room is dropped, as by a switch; no transport waits for another one's loop.
 *
 * <p>The owning thread calls it, as any port. {@link #pathTo} and {@link #setWaiter} are any thread's.
 */
public final class OwnHostPort implements NetPort {
    private static final int SLOTS = 1 << 10;
    private static final int MAC_PREFIX = Path.IN_PROCESS_MAC_PREFIX;
    private static final int MAC_NUMBER_BITS = Path.IN_PROCESS_MAC_BITS;
    private static final int MAC_NUMBER_MAX = (1 << MAC_NUMBER_BITS) - 1;
    private static final int NO_NUMBER = -1;
    private static final int MAC_NUMBER_OFFSET = 4;
    private static final IpAddress LOOPBACK_V4 = IpAddress.v4(0x7F00_0001);
    private static final IpAddress LOOPBACK_V6 = IpAddress.v6(0, 1);

    /** The open ports of this process by number; the lock of all that concerns several of them. */
    private static final Map<Integer, OwnHostPort> OPEN = new HashMap<>();

    /** Which loop of another transport has the next connection of this process. */
    private static final AtomicInteger SPREAD = new AtomicInteger();

    private final NetInterface netInterface;
    private final NetPort port;
    private final FramePool pool;
    private final ListenCheck isListening;
    private final Runnable onDrop;
    /**
     * What its address ends with, or {@link #NO_NUMBER} before {@link #join} and after {@link #close}. Written with the
     * lock.
     */
    private volatile int number = NO_NUMBER;
    /** What comes from other transports, and from this one; replaced as a whole, with the lock. */
    private volatile FrameRing[] incoming = FrameRing.NO_RINGS;
    /** The ways to others that were used, by their numbers. Owning thread. */
    private final Map<Integer, Way> ways = new HashMap<>();
    /** The way that was used last, or null. Owning thread. */
    private Way latest;
    /** Whether {@link #latest} has frames since the last flush. Owning thread. */
    private boolean hasSent;
    /** What the loop sleeps with; null before it is set. */
    private volatile Waiter waiter;
    /** Written with the lock. */
    private volatile boolean isClosed;

    /** The way to another transport. */
    private record Way(int number, OwnHostPort target, FrameRing ring) {
        int lengthMax() {
            return Math.min(ring.frameBytesMax(), target.pool.frameCapacityBytes());
        }
    }

    /**
     * Takes over an interface's port.
     *
     * @param pool the port's pool
     * @param isListening whether the transport listens at an address; any thread asks
     * @param onDrop is told on the owning thread of a frame for which another transport had no room
     */
    public OwnHostPort(NetInterface netInterface, FramePool pool, ListenCheck isListening, Runnable onDrop) {
        this(netInterface, netInterface.port(), pool, isListening, onDrop);
    }

    /** As the other, for a port that is over the interface's. */
    public OwnHostPort(
            NetInterface netInterface, NetPort port, FramePool pool, ListenCheck isListening, Runnable onDrop) {
        this.netInterface = netInterface;
        this.port = port;
        this.pool = pool;
        this.isListening = isListening;
        this.onDrop = onDrop;
    }

    /** Lets other transports of this host find this one, until it is closed. Once, when nothing else can fail. */
    public void join() {
        synchronized (OPEN) {
            int free = 0;
            while (OPEN.containsKey(free)) {
                free++;
            }
            if (free > MAC_NUMBER_MAX) {
                throw new IllegalStateException(free + " transports are open in this process; close some");
            }
            number = free;
            OPEN.put(free, this);
        }
    }

    /** Sets which loop to wake when frames come. */
    public void setWaiter(Waiter newWaiter) {
        waiter = newWaiter;
    }

    // ---- finding the way

    private long mac() {
        return (long) MAC_PREFIX << MAC_NUMBER_BITS | (number & MAC_NUMBER_MAX);
    }

    /**
     * {@return the way to an address of this host, or null for one of another host} An address of several transports,
     * as a loopback address always is, is that of the one which listens on the port, this one first.
     */
    public Path pathTo(int localPort, InetSocketAddress remote) {
        InetAddress address = remote.getAddress();
        boolean isLoopback = address.isLoopbackAddress() || address.isAnyLocalAddress();
        IpAddress asked = IpAddress.of(address);
        IpAddress to = isLoopback ? asked.isV6() ? LOOPBACK_V6 : LOOPBACK_V4 : asked;
        OwnHostPort target = isLoopback ? listenerAt(to, remote.getPort()) : ownerOf(address, to, remote.getPort());
        if (netInterface.isShared() && target != null && !target.isListening.test(to, remote.getPort())) {
            target = null;
        }
        if (target == null) {
            return null;
        }
        return Path.from(mac(), to, localPort).to(target.mac(), to, remote.getPort());
    }

    private OwnHostPort listenerAt(IpAddress loopback, int listenedPort) {
        for (OwnHostPort own : ofThisHost()) {
            if (own.isListening.test(loopback, listenedPort)) {
                return spread(own);
            }
        }
        return this;
    }

    /** {@return this port if it is of the same transport as {@code found}, else one of that transport's in turn} */
    @SuppressWarnings("ReferenceEquality") // the loops of a transport share the object
    private OwnHostPort spread(OwnHostPort found) {
        List<OwnHostPort> same = ofThisHost().stream()
                .filter(other -> other.isListening == found.isListening)
                .toList();
        return same.get(0) == this ? this : same.get(Math.floorMod(SPREAD.getAndIncrement(), same.size()));
    }

    private OwnHostPort ownerOf(InetAddress address, IpAddress to, int listenedPort) {
        OwnHostPort first = null;
        for (OwnHostPort owner : ofThisHost()) {
            if (owner.netInterface.addresses().contains(address)) {
                if (owner.isListening.test(to, listenedPort)) {
                    return spread(owner);
                }
                first = first == null ? owner : first;
            }
        }
        return first;
    }

    /** {@return the transports of this host, this one first} */
    private List<OwnHostPort> ofThisHost() {
        List<OwnHostPort> same = new ArrayList<>();
        same.add(this);
        synchronized (OPEN) {
            for (OwnHostPort other : OPEN.values()) {
                if (other != this && other.netInterface.host().equals(netInterface.host())) {
                    same.add(other);
                }
            }
        }
        return same;
    }

    // ---- frames

    @Override
    public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
        int received = port.pollReceive(node, portIndex, limit, nowNanos);
        for (FrameRing ring : incoming) {
            received += receive(ring, node, portIndex, limit, nowNanos);
        }
        return received;
    }

    private int receive(FrameRing ring, Node node, int portIndex, int limit, long nowNanos) {
        int received = 0;
        while (received < limit && ring.hasNext()) {
            Frame frame = pool.allocate();
            if (frame == null) {
                break;
            }
            ring.readInto(frame);
            frame.setIngressPort(OWN_HOST);
            node.onFrame(portIndex, frame, nowNanos);
            received++;
        }
        if (received < limit && ring.isExhausted()) {
            synchronized (OPEN) {
                incoming = FrameRing.without(incoming, ring);
            }
        }
        return received;
    }

    @Override
    public int transmitCapacity() {
        return port.transmitCapacity();
    }

    @Override
    public void transmit(Frame frame) {
        boolean isOwn = frame.buffer().getInt(frame.offset(), ByteOrder.BIG_ENDIAN) == MAC_PREFIX;
        if (!isOwn) {
            port.transmit(frame);
            return;
        }
        Way way = wayOf(frame);
        if (way == null) {
            onDrop.run();
        } else if (way.ring.freeCount() == 0 || frame.length() > way.lengthMax()) {
            onDrop.run();
            hasSent = true;
        } else {
            way.ring.write(frame);
            hasSent = true;
        }
        frame.release();
    }

    private Way wayOf(Frame frame) {
        int wanted =
                Short.toUnsignedInt(frame.buffer().getShort(frame.offset() + MAC_NUMBER_OFFSET, ByteOrder.BIG_ENDIAN));
        if (latest != null && latest.number == wanted && !latest.target.isClosed) {
            return latest;
        }
        if (hasSent) {
            wakeLatest();
        }
        Way way = ways.get(wanted);
        if (way == null || way.target.isClosed) {
            way = open(wanted);
        }
        latest = way;
        return way;
    }

    private Way open(int wanted) {
        synchronized (OPEN) {
            OwnHostPort target = isClosed ? null : OPEN.get(wanted);
            if (target == null) {
                ways.remove(wanted);
                return null;
            }
            // The pool's frames may be longer, for those that go to other processes.
            int frameBytesMax = port.info().mtuBytes() + Ethernet.HEADER_BYTES;
            FrameRing ring = new FrameRing(SLOTS, Math.min(pool.frameCapacityBytes(), frameBytesMax));
            Way way = new Way(wanted, target, ring);
            target.incoming = FrameRing.with(target.incoming, way.ring);
            ways.put(wanted, way);
            return way;
        }
    }

    private void wakeLatest() {
        hasSent = false;
        Waiter sleeping = latest == null ? null : latest.target.waiter;
        if (sleeping != null) {
            sleeping.wake();
        }
    }

    @Override
    public void flush() {
        if (hasSent) {
            wakeLatest();
        }
        port.flush();
    }

    @Override
    public long nextFlushNanos() {
        return port.nextFlushNanos();
    }

    // ---- the port

    @Override
    public PortInfo info() {
        return port.info();
    }

    @Override
    public String failure() {
        return port.failure();
    }

    @Override
    public PortEnd end() {
        return port.end();
    }

    @Override
    public int pollFileDescriptor() {
        return port.pollFileDescriptor();
    }

    @Override
    public void close() {
        synchronized (OPEN) {
            isClosed = true;
            OPEN.remove(number, this);
            number = NO_NUMBER;
            // What is in the rings, such as the resets of a close, is still the others'.
            ways.values().forEach(way -> way.ring.end());
        }
        wakeLatest();
        ways.clear();
        latest = null;
        port.close();
    }
}
