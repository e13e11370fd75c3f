package io.weir.nic.packet;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.Platform;
import io.weir.nic.host.HostInterface;
import io.weir.nic.host.KernelPort;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.LocalAddress;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.Node;
import io.weir.transport.node.PortEnd;
import io.weir.transport.node.PortInfo;
import io.weir.transport.node.StampSources;
import io.weir.transport.time.Deadline;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An interface as a port, by AF_PACKET: frames are copied between the pool and the rings of a {@link PacketSocket}. A
 * frame costs its copy here and no allocation; a flush costs at most one system call, a poll none.
 */
public final class PacketPort implements KernelPort {
    private static final Logger LOG = LoggerFactory.getLogger(PacketPort.class);
    private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How long, or for how many flushes, a kernel that has too much in hand is left alone. */
    private static final long REFUSED_NANOS_MAX = 200_000;

    private static final int REFUSED_FLUSHES_MAX = 1024;
    /** A queue of the device that was full has room again within this time. */
    private static final long STUCK_NANOS_MAX = 5_000_000;
    /** Frames that one flush gives up at most. */
    private static final int GIVEN_UP_PER_FLUSH = 64;

    private static final int NO_SLOT = -1;

    private static final int STATUS = 0;
    private static final int LENGTH = 4;
    private static final int CAPTURED_LENGTH = 8;
    private static final int FRAME_AT = 12;
    private static final int BELONGS_TO_KERNEL = 0;
    private static final int RECEIVED = 1;
    private static final int TO_SEND = 1;
    /** What of a transmit slot's status is not a flag of time stamps. */
    private static final int STATE_BITS = 7;

    private static final int WRONG_FORMAT = 4;
    private static final int HAS_TAG = 1 << 4;
    private static final int HAS_TAG_TYPE = 1 << 6;
    private static final int TAG_CONTROL = 24;
    private static final int TAG_TYPE = 26;
    private static final int VLAN = 0x8100;
    /** The rest of the control is a priority, with which a frame is still of no VLAN. */
    private static final int VLAN_ID_BITS = 0x0FFF;

    private static final int TAG_BYTES = 4;
    private static final int ADDRESSES_BYTES = 12;
    /** Where the kernel expects a frame to send. */
    private static final int TRANSMIT_AT = 32;

    private final PortInfo info;
    /** Whether nobody else watches the interface, and it takes every frame: the port of a switch. */
    private final boolean isOfSwitch;

    private final FramePool pool;
    private final PacketSocket socket;
    private final int slotBytes;
    private final UnsafeBuffer receiveRing;
    private final UnsafeBuffer transmitRing;
    private final int transmitSlots;
    /** The addresses that have each port; with the lock of this map. */
    private final Map<Integer, Set<InetAddress>> ports = new HashMap<>();

    /** The offset of the receive slot that is filled next. Loop thread. */
    private int receiveOffset;
    /** The offset of the transmit slot to write next. Loop thread. */
    private int writeOffset;
    /** The offset of the oldest transmit slot that was written and not found sent yet. Loop thread. */
    private int sentOffset;
    /** Transmit slots from {@link #sentOffset} to {@link #writeOffset}. Loop thread. */
    private int inFlight;
    /** Whether the kernel may have left frames in the transmit ring. Loop thread. */
    private boolean undrained;
    /** Whether the kernel refused the last call, and is left alone for a while. Loop thread. */
    private boolean refused;

    // How long a refusal has lasted: in flushes and by the time of the cycle it began in. Loop thread.
    private int refusedFlushes;
    private long refusedNanos;
    /** The offset of the slot that the device drops again and again, or NO_SLOT. Loop thread. */
    private int stuckOffset = NO_SLOT;
    /** Since when it does. Loop thread. */
    private long stuckNanos;
    /** Whether the link of this end was down at the latest call. Loop thread. */
    private boolean isDown;
    /** The time of the latest poll, which is the time of the flush after it. Loop thread. */
    private long cycleNanos;
    /** When the socket is asked for its error next; a second after the latest question. Loop thread. */
    private long probeNanos;
    // Counts since the port was opened, for reports: written by the loop thread, never fall.
    private long nativeCalls;
    private long malformedCount;
    private long poolEmptyCount;

    /** Whether frames move no more for good. Loop thread. */
    private boolean stopped;

    /** Whether the rings are gone; set once, by close(). */
    private boolean closed;
    /** Why frames move no more, or null; written by the loop thread before its listener is told. */
    private volatile String failure;
    // What the thread that follows the interface knows: why frames are stuck for now or null, whether the interface is
    // deleted, and the number of one made again or 0.
    private volatile String impairment;
    private volatile boolean gone;
    private volatile int successorIndex;
    /** Whether the kernel may have an error for the socket, which keeps its descriptor ready until it is read. */
    private volatile boolean isProbeDue;

    // Told when the port is closed, and when its frames move no more; set before it runs, never null.
    private Runnable closeListener = () -> {};
    private Runnable stopListener = () -> {};

    private PacketPort(InterfaceFacts device, FramePool pool, PacketSocket socket, boolean isOfSwitch) {
        this.isOfSwitch = isOfSwitch;
        this.pool = pool;
        this.socket = socket;
        this.slotBytes = socket.slotBytes();
        this.receiveRing = socket.receiveRing();
        this.transmitRing = socket.transmitRing();
        this.transmitSlots = transmitRing.capacity() / slotBytes;
        this.info = new PortInfo(
                        device.name(),
                        PacketBackend.NAME,
                        "ring/copy",
                        "asked for",
                        StampSources.software("AF_PACKET stamps by the wall clock, which may be set"),
                        device.macAddress(),
                        device.mtuBytes(),
                        device.linkRateBps())
                .withDataChecksums(!device.isVeth());
        LOG.info("port opened interface={} backend={} mtuBytes={}", info.name(), info.backend(), info.mtuBytes());
    }

    /** Opens the plan's interface with {@code pool} as its memory. */
    static PacketPort open(HostInterface.Plan plan, FramePool pool) throws NicException {
        Platform.require();
        InterfaceFacts device = plan.facts();
        requireUsable(device);
        return new PacketPort(device, pool, plan.namespace().call(() -> PacketSocket.open(device)), false);
    }

    /** Opens an interface as the port of a switch, which takes every frame, with {@code pool} as its memory. */
    static PacketPort openForSwitch(NetNamespace namespace, String interfaceName, FramePool pool) throws NicException {
        Platform.require();
        InterfaceFacts device = namespace.call(() -> Interfaces.findEthernet(interfaceName));
        requireUsable(device);
        List<String> answered = device.addresses().stream()
                .map(LocalAddress::address)
                .filter(address -> !address.isLinkLocalAddress())
                .map(InetAddress::getHostAddress)
                .toList();
        if (!answered.isEmpty()) {
            throw new NicException("interface " + interfaceName + " has addresses (" + String.join(", ", answered)
                    + ") for which the kernel would answer next to the switch, since AF_PACKET leaves it every frame;"
                    + " take them away: ip address flush dev " + interfaceName + ", or use the backend afxdp");
        }
        return new PacketPort(device, pool, namespace.call(() -> PacketSocket.openForAll(device)), true);
    }

    private static void requireUsable(InterfaceFacts device) throws NicException {
        if (!device.up()) {
            throw new NicException(
                    Errno.ENETDOWN,
                    "interface " + device.name() + " is down; set it up: ip link set " + device.name() + " up");
        }
        if (device.mtuBytes() > PacketSocket.MTU_BYTES_MAX) {
            throw new NicException("MTU " + device.mtuBytes() + " of " + device.name() + " exceeds "
                    + PacketSocket.MTU_BYTES_MAX
                    + ", the most that fits a slot of the AF_PACKET rings; lower it: ip link set "
                    + device.name() + " mtu " + PacketSocket.MTU_BYTES_MAX);
        }
    }

    @Override
    public int pollReceive(Node node, int portIndex, int limit, long nowNanos) {
        cycleNanos = nowNanos;
        if (stopped) {
            return 0;
        }
        if (nowNanos >= probeNanos || isProbeDue) {
            probe(nowNanos);
        }
        int frames = 0;
        while (frames < limit && !stopped) {
            int slot = receiveOffset;
            int status = receiveRing.getIntVolatile(slot + STATUS);
            if ((status & RECEIVED) == 0) {
                break;
            }
            Frame frame = pool.allocate();
            if (frame == null) {
                poolEmptyCount++;
                break;
            }
            boolean isWhole = read(slot, status, frame);
            receiveRing.putIntRelease(slot + STATUS, BELONGS_TO_KERNEL);
            receiveOffset = slot + slotBytes == receiveRing.capacity() ? 0 : slot + slotBytes;
            frames++;
            if (isWhole) {
                frame.setIngressPort(portIndex);
                node.onFrame(portIndex, frame, nowNanos);
            } else {
                malformedCount++;
                frame.release();
            }
        }
        return frames;
    }

    /**
     * {@return whether the slot holds a whole frame of no VLAN, or any for a switch, now in {@code frame}} The kernel
     * takes tags out: one of a priority stays out, and a switch passes each on.
     */
    private boolean read(int slot, int status, Frame frame) {
        int lengthBytes = receiveRing.getInt(slot + CAPTURED_LENGTH);
        int tagBytes = isOfSwitch && (status & HAS_TAG) != 0 ? TAG_BYTES : 0;
        if (lengthBytes != receiveRing.getInt(slot + LENGTH)
                || lengthBytes > frame.buffer().capacity() - tagBytes
                || isOfAnotherNetwork(slot, status)) {
            return false;
        }
        int at = slot + (receiveRing.getShort(slot + FRAME_AT) & 0xFFFF);
        frame.setExtent(0, tagBytes + lengthBytes);
        frame.buffer().putBytes(tagBytes, receiveRing, at, lengthBytes);
        if (tagBytes > 0) {
            putTag(slot, status, frame.buffer());
        }
        return true;
    }

    private boolean isOfAnotherNetwork(int slot, int status) {
        return !isOfSwitch && (status & HAS_TAG) != 0 && (receiveRing.getShort(slot + TAG_CONTROL) & VLAN_ID_BITS) != 0;
    }

    /** Moves the addresses before the tag that the kernel took out from behind them. */
    private void putTag(int slot, int status, MutableDirectBuffer frame) {
        frame.putBytes(0, frame, TAG_BYTES, ADDRESSES_BYTES);
        int type = (status & HAS_TAG_TYPE) != 0 ? receiveRing.getShort(slot + TAG_TYPE) : VLAN;
        frame.putShort(ADDRESSES_BYTES, (short) type, ByteOrder.BIG_ENDIAN);
        frame.putShort(ADDRESSES_BYTES + Short.BYTES, receiveRing.getShort(slot + TAG_CONTROL), ByteOrder.BIG_ENDIAN);
    }

    @Override
    public int transmitCapacity() {
        if (stopped) {
            return 0;
        }
        reclaim();
        return transmitSlots - inFlight;
    }

    private void reclaim() {
        while (inFlight > 0) {
            int state = stateAt(sentOffset);
            if (state == WRONG_FORMAT) {
                malformedCount++;
                transmitRing.putIntRelease(sentOffset + STATUS, BELONGS_TO_KERNEL);
            } else if (state != 0) {
                return;
            }
            sentOffset = next(sentOffset);
            inFlight--;
            refused = false;
        }
    }

    private int next(int offset) {
        return offset + slotBytes == transmitRing.capacity() ? 0 : offset + slotBytes;
    }

    @Override
    public void transmit(Frame frame) {
        int lengthBytes = frame.length();
        if (!stopped && lengthBytes <= slotBytes - TRANSMIT_AT) {
            transmitRing.putBytes(writeOffset + TRANSMIT_AT, frame.buffer(), frame.offset(), lengthBytes);
            transmitRing.putInt(writeOffset + LENGTH, lengthBytes);
            transmitRing.putIntRelease(writeOffset + STATUS, TO_SEND);
            writeOffset = next(writeOffset);
            inFlight++;
            undrained = true;
        }
        frame.release();
    }

    @Override
    public void flush() {
        if (!undrained || stopped || (refused && !isRelieved())) {
            return;
        }
        refusedFlushes = 0;
        refusedNanos = cycleNanos;
        int result = kickTransmit();
        if (result == -Errno.ENOBUFS.number()) {
            result = giveUp(result);
        } else {
            stuckOffset = NO_SLOT;
        }
        refused = result < 0;
        isDown = result == -Errno.ENETDOWN.number();
        noteError(result);
        int last = writeOffset == 0 ? transmitRing.capacity() - slotBytes : writeOffset - slotBytes;
        undrained = stateAt(last) == TO_SEND;
    }

    private int kickTransmit() {
        nativeCalls++;
        return Libc.kickTransmit(socket.fd());
    }

    private int stateAt(int slot) {
        return transmitRing.getIntVolatile(slot + STATUS) & STATE_BITS;
    }

    /**
     * The device has dropped a frame, and the kernel keeps it to send it again: it takes the error for a queue that is
     * full. A peer that is down or takes no frames so long would hold up all others permanently. So a frame is given up
     * after a while, and with it those behind it that meet the same at once.
     *
     * @return what the last call said
     */
    private int giveUp(int dropped) {
        int slot = oldestToSend();
        if (slot != stuckOffset) {
            stuckOffset = slot;
            stuckNanos = cycleNanos;
        }
        int result = dropped;
        for (int i = 0; i < GIVEN_UP_PER_FLUSH && isStuck(result, slot); i++) {
            // The kernel skips what no frame can be.
            transmitRing.putInt(slot + LENGTH, -1);
            result = kickTransmit();
            slot = next(slot);
            stuckOffset = slot;
        }
        return result;
    }

    private boolean isStuck(int result, int slot) {
        return result == -Errno.ENOBUFS.number()
                && cycleNanos - stuckNanos >= STUCK_NANOS_MAX
                && slot == oldestToSend();
    }

    /** {@return the slot that the kernel takes next, or the one to write next if it has taken all} */
    private int oldestToSend() {
        int slot = sentOffset;
        for (int i = 0; i < inFlight && stateAt(slot) != TO_SEND; i++) {
            slot = next(slot);
        }
        return slot;
    }

    @Override
    public long nextFlushNanos() {
        // A link that is down may be so for hours.
        return undrained && !stopped && !isDown ? refusedNanos + REFUSED_NANOS_MAX : Deadline.NO_DEADLINE;
    }

    private boolean isRelieved() {
        return cycleNanos - refusedNanos >= REFUSED_NANOS_MAX || ++refusedFlushes >= REFUSED_FLUSHES_MAX;
    }

    /** Asks for the socket's error, which the kernel tells once: that the link went down, or the interface away. */
    private void probe(long nowNanos) {
        probeNanos = nowNanos + PROBE_NANOS;
        isProbeDue = false;
        nativeCalls++;
        noteError(Libc.kickReceive(socket.fd()));
        if (isOfSwitch && !undrained) {
            // With nothing to send it tells whether the interface is still there.
            nativeCalls++;
            noteError(Libc.kickTransmit(socket.fd()));
        }
    }

    private void noteError(int result) {
        if (result == -Errno.ENXIO.number() || gone) {
            failure = PortEnd.INTERFACE_DELETED.sentenceOf("interface " + info.name());
            stopped = true;
            stopListener.run();
        }
    }

    @Override
    public PortInfo info() {
        return info;
    }

    @Override
    public String failure() {
        String reason = failure;
        if (reason == null) {
            return impairment;
        }
        int index = successorIndex;
        return index == 0
                ? reason
                : "interface " + info.name() + " was deleted and made again, as number " + index
                        + "; this transport is of the old one: open another";
    }

    @Override
    public PortEnd end() {
        return failure == null ? null : PortEnd.INTERFACE_DELETED;
    }

    @Override
    public int pollFileDescriptor() {
        return closed ? -1 : socket.fd();
    }

    /** {@return system calls made since the port was opened: wake-ups, and the question once a second} */
    public long nativeCallCount() {
        return nativeCalls;
    }

    /** {@return frames that the kernel had no slot for: the loop came too late for them. A system call; any thread.} */
    public long overflowCount() {
        return socket.overflowCount();
    }

    @Override
    public long lostFrames() {
        return overflowCount() + malformedCount;
    }

    /** {@return received frames that do not fit or carry a tag, and frames that the kernel refused to send} */
    public long malformedCount() {
        return malformedCount;
    }

    /** {@return how often a frame waited in the ring because the pool had none for it} */
    public long poolEmptyCount() {
        return poolEmptyCount;
    }

    @Override
    public void addAddress(InetAddress address) {
        // The filter is of ports; the host's stack drops what is for other addresses.
    }

    @Override
    public void removeAddress(InetAddress address) throws NicException {
        synchronized (ports) {
            for (int udpPort : Set.copyOf(ports.keySet())) {
                removePort(address, udpPort);
            }
        }
    }

    @Override
    public void addPort(InetAddress address, int udpPort) throws NicException {
        synchronized (ports) {
            if (ports.computeIfAbsent(udpPort, added -> new HashSet<>()).add(address)) {
                socket.setPort(udpPort, true);
            }
        }
    }

    @Override
    public void removePort(InetAddress address, int udpPort) throws NicException {
        synchronized (ports) {
            Set<InetAddress> holders = ports.get(udpPort);
            if (holders != null && holders.remove(address) && holders.isEmpty()) {
                ports.remove(udpPort);
                socket.setPort(udpPort, false);
            }
        }
    }

    @Override
    public void setGone() {
        gone = true;
        isProbeDue = true;
    }

    @Override
    public void setSuccessor(int index) {
        successorIndex = index;
    }

    @Override
    public void setImpairment(String reason) {
        impairment = reason;
        isProbeDue = true;
    }

    @Override
    public void setStopListener(Runnable listener) {
        stopListener = listener;
    }

    @Override
    public void setCloseListener(Runnable listener) {
        closeListener = listener;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        stopped = true;
        socket.close();
        closeListener.run();
        LOG.info("port closed interface={} failure={} overflows={}", info.name(), failure, socket.overflowCount());
    }
}
