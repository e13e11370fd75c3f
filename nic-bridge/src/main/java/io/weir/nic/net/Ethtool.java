package io.weir.nic.net;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/** Asks and tells an interface's driver what ethtool(8) does, in the calling thread's network namespace. */
public final class Ethtool {
    private static final int SIOCETHTOOL = 0x8946;
    private static final int GET_DRIVER = 0x03;
    private static final int GET_CHANNELS = 0x3C;
    private static final int GET_LINK_SETTINGS = 0x4C;
    private static final int SET_TRANSMIT_CHECKSUM = 0x17;
    private static final int SET_TSO = 0x1F;
    private static final int SET_GSO = 0x24;
    private static final int GET_FLAGS = 0x25;
    private static final int SET_FLAGS = 0x26;
    private static final int SET_GRO = 0x2C;
    private static final int FLAG_TRANSMIT_VLAN = 1 << 7;
    private static final int FLAG_RECEIVE_VLAN = 1 << 8;

    private static final int REQUEST_BYTES = 40;
    private static final int REQUEST_POINTER_OFFSET = 16;
    private static final int DRIVER_BYTES = 196;
    private static final int DRIVER_NAME_BYTES = 32;
    private static final int CHANNELS_BYTES = 36;
    private static final int LINK_SETTINGS_BYTES = 48;
    private static final int LINK_MODE_WORDS_OFFSET = 15;
    private static final int LINK_MODE_WORDS_MAX = 127;
    private static final long BPS_PER_MBPS = 1_000_000;

    private Ethtool() {}

    /** {@return how many receive queues are in use, or 0 when the driver does not tell} */
    public static int receiveQueueCount(String name) throws NicException {
        UnsafeBuffer channels = command(GET_CHANNELS, CHANNELS_BYTES);
        // After the four maxima come the counts: receive, transmit, other, combined.
        return call(name, channels) < 0 ? 0 : channels.getInt(20) + channels.getInt(32);
    }

    /** {@return how many receive queues the driver could have, or 0 when it does not tell} */
    public static int receiveQueueCountMax(String name) throws NicException {
        UnsafeBuffer channels = command(GET_CHANNELS, CHANNELS_BYTES);
        return call(name, channels) < 0 ? 0 : channels.getInt(4) + channels.getInt(16);
    }

    /** {@return how many transmit queues are in use, or 0 when the driver does not tell} */
    public static int transmitQueueCount(String name) throws NicException {
        UnsafeBuffer channels = command(GET_CHANNELS, CHANNELS_BYTES);
        return call(name, channels) < 0 ? 0 : channels.getInt(24) + channels.getInt(32);
    }

    /** {@return the driver's name, or empty when it does not tell} */
    static String driver(String name) throws NicException {
        UnsafeBuffer driver = command(GET_DRIVER, DRIVER_BYTES);
        return call(name, driver) < 0 ? "" : NativeMemory.textAt(driver, Integer.BYTES, DRIVER_NAME_BYTES);
    }

    /** {@return the link's rate, or 0 when the driver does not tell} */
    static long linkRateBps(String name) throws NicException {
        // The first call tells, as a negative number, how many words the masks take; the second must repeat it.
        UnsafeBuffer settings =
                command(GET_LINK_SETTINGS, LINK_SETTINGS_BYTES + 3 * LINK_MODE_WORDS_MAX * Integer.BYTES);
        if (call(name, settings) < 0) {
            return 0;
        }
        settings.putByte(LINK_MODE_WORDS_OFFSET, (byte) -settings.getByte(LINK_MODE_WORDS_OFFSET));
        settings.putInt(0, GET_LINK_SETTINGS);
        int rateMbps = call(name, settings) < 0 ? -1 : settings.getInt(4);
        return rateMbps <= 0 ? 0 : rateMbps * BPS_PER_MBPS;
    }

    /**
     * Turns off what makes a kernel hand over frames that are not as on a wire: checksums left to be computed later,
     * segments longer than the MTU, tags next to the frame. What the driver does not have counts as off.
     */
    public static void disableOffloads(String name) throws NicException {
        set(name, SET_TRANSMIT_CHECKSUM, 0);
        set(name, SET_TSO, 0);
        set(name, SET_GSO, 0);
        set(name, SET_GRO, 0);
        UnsafeBuffer flags = command(GET_FLAGS, 2 * Integer.BYTES);
        if (call(name, flags) >= 0) {
            set(name, SET_FLAGS, flags.getInt(4) & ~(FLAG_TRANSMIT_VLAN | FLAG_RECEIVE_VLAN));
        }
    }

    private static void set(String name, int command, int value) throws NicException {
        UnsafeBuffer buffer = command(command, 2 * Integer.BYTES);
        buffer.putInt(4, value);
        int result = call(name, buffer);
        if (result < 0 && result != -Errno.EOPNOTSUPP.number()) {
            throw new NicException(
                    -result,
                    "turn off offloads of " + name,
                    "needs CAP_NET_ADMIN; by hand: ethtool -K " + name + " ...");
        }
    }

    /** {@return a zeroed request that begins with its number} */
    static UnsafeBuffer command(int command, int lengthBytes) {
        UnsafeBuffer buffer = NativeMemory.allocate(lengthBytes);
        buffer.putInt(0, command);
        return buffer;
    }

    /** Sends a request, which then holds the answer; returns what the kernel returned, errors negative. */
    static int call(String name, UnsafeBuffer data) throws NicException {
        UnsafeBuffer request = NativeMemory.allocate(REQUEST_BYTES);
        request.putBytes(0, name.getBytes(StandardCharsets.UTF_8));
        request.putLong(REQUEST_POINTER_OFFSET, NativeMemory.address(data));
        int fd = Libc.socket(Libc.AF_INET, Libc.SOCK_DGRAM, 0);
        if (fd < 0) {
            throw new NicException(
                    -fd, "open a socket to ask about " + name, "raise the limit of open files (ulimit -n)");
        }
        try {
            return Libc.ioctl(fd, SIOCETHTOOL, request);
        } finally {
            Reference.reachabilityFence(data);
            Libc.close(fd);
        }
    }
}
