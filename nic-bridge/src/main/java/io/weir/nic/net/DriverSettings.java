package io.weir.nic.net;

import io.weir.nic.NicException;
import java.util.BitSet;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * How an interface's driver is set, as ethtool(8) shows it. What a driver does not tell counts as not set.
 *
 * @param features the features that are on, by the kernel's names, as in {@code rx-lro}
 * @param transmitQueueCount transmit queues in use, or 0 where the driver does not tell
 * @param rings the rings between the driver and the device
 * @param coalescing how long the device waits before it interrupts
 * @param pausesReceive whether the link's other end may be told to pause
 * @param pausesTransmit whether the link's other end may tell this one to pause
 * @param hashesUdpPorts whether UDP's ports choose the receive queue, too; true where the driver does not tell
 * @param spreadQueues the queues that the hash spreads frames over; empty where the driver does not tell
 */
public record DriverSettings(
        Set<String> features,
        int transmitQueueCount,
        Rings rings,
        Coalescing coalescing,
        boolean pausesReceive,
        boolean pausesTransmit,
        boolean hashesUdpPorts,
        BitSet spreadQueues) {
    private static final int GET_COALESCING = 0x0E;
    private static final int GET_RINGS = 0x10;
    private static final int GET_PAUSE = 0x12;
    private static final int GET_HASH_FIELDS = 0x29;
    private static final int GET_HASH_TABLE = 0x38;

    private static final int HEADER_BYTES = 8;

    private static final int COALESCING_BYTES = 92;
    private static final int RINGS_BYTES = 36;
    private static final int PAUSE_BYTES = 16;
    private static final int HASH_FIELDS_BYTES = 256;
    private static final int HASH_TABLE_ENTRIES_MAX = 1 << 14;
    private static final int UDP_OVER_IPV4 = 2;
    private static final long HASH_OF_PORTS = 1 << 6 | 1 << 7;

    /** Copies what can change. */
    public DriverSettings {
        features = Set.copyOf(features);
        spreadQueues = (BitSet) spreadQueues.clone();
    }

    /** {@return a copy: this record does not change} */
    @Override
    public BitSet spreadQueues() {
        return (BitSet) spreadQueues.clone();
    }

    /**
     * The rings between a driver and its device; zeroes where it does not tell.
     *
     * @param receiveFrames descriptors of a receive queue
     * @param receiveFramesMax the most that it can have
     * @param transmitFrames descriptors of a transmit queue
     * @param transmitFramesMax the most that it can have
     */
    public record Rings(int receiveFrames, int receiveFramesMax, int transmitFrames, int transmitFramesMax) {}

    /**
     * How long a device waits for more frames before it interrupts.
     *
     * @param receiveMicros after a frame came
     * @param transmitMicros after a frame left
     * @param isAdaptive whether the driver changes both by the traffic
     */
    public record Coalescing(int receiveMicros, int transmitMicros, boolean isAdaptive) {}

    /** {@return the settings of an interface of the calling thread's network namespace} */
    public static DriverSettings of(String name) throws NicException {
        UnsafeBuffer pause = ask(name, GET_PAUSE, PAUSE_BYTES);
        return new DriverSettings(
                DeviceFeatures.on(name),
                Ethtool.transmitQueueCount(name),
                rings(name),
                coalescing(name),
                pause != null && pause.getInt(8) != 0,
                pause != null && pause.getInt(12) != 0,
                hashesUdpPorts(name),
                spreadQueues(name));
    }

    private static Rings rings(String name) throws NicException {
        UnsafeBuffer rings = ask(name, GET_RINGS, RINGS_BYTES);
        // The maxima come first: receive, mini, jumbo, transmit; then what is set, in the same order.
        return rings == null
                ? new Rings(0, 0, 0, 0)
                : new Rings(rings.getInt(20), rings.getInt(4), rings.getInt(32), rings.getInt(16));
    }

    private static Coalescing coalescing(String name) throws NicException {
        UnsafeBuffer found = ask(name, GET_COALESCING, COALESCING_BYTES);
        return found == null
                ? new Coalescing(0, 0, false)
                : new Coalescing(found.getInt(4), found.getInt(20), found.getInt(40) != 0 || found.getInt(44) != 0);
    }

    private static boolean hashesUdpPorts(String name) throws NicException {
        UnsafeBuffer fields = Ethtool.command(GET_HASH_FIELDS, HASH_FIELDS_BYTES);
        fields.putInt(4, UDP_OVER_IPV4);
        if (Ethtool.call(name, fields) < 0) {
            return true;
        }
        long hashed = fields.getLong(8);
        // Without any field the driver does not hash UDP, or does not say so.
        return hashed == 0 || (hashed & HASH_OF_PORTS) == HASH_OF_PORTS;
    }

    private static BitSet spreadQueues(String name) throws NicException {
        BitSet queues = new BitSet();
        UnsafeBuffer table = ask(name, GET_HASH_TABLE, HEADER_BYTES);
        int entryCount = table == null ? 0 : table.getInt(4);
        if (entryCount <= 0 || entryCount > HASH_TABLE_ENTRIES_MAX) {
            return queues;
        }
        table = Ethtool.command(GET_HASH_TABLE, HEADER_BYTES + entryCount * Integer.BYTES);
        table.putInt(4, entryCount);
        if (Ethtool.call(name, table) >= 0) {
            for (int i = 0; i < entryCount; i++) {
                int queue = table.getInt(HEADER_BYTES + i * Integer.BYTES);
                if (queue >= 0 && queue < HASH_TABLE_ENTRIES_MAX) {
                    queues.set(queue);
                }
            }
        }
        return queues;
    }

    /** {@return the driver's answer, or null where it does not tell} */
    private static UnsafeBuffer ask(String name, int command, int lengthBytes) throws NicException {
        UnsafeBuffer answer = Ethtool.command(command, lengthBytes);
        return Ethtool.call(name, answer) < 0 ? null : answer;
    }
}
