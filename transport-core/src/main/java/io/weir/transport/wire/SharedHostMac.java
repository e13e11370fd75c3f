package io.weir.transport.wire;

import io.weir.transport.frame.Frame;
import java.nio.ByteOrder;

/**
 * Ethernet addresses that stand for other processes of this host: frames to them go through memory that two processes
 * share, and never to a wire. Each ends with the number of a process.
 */
public final class SharedHostMac {
    /** The upper 32 bits: locally administered, so that no maker gives them to a device. */
    public static final int PREFIX = 0x0257_4850;

    private static final int NUMBER_BITS = 16;

    private SharedHostMac() {}

    /** {@return the address of a process} */
    public static long of(int number) {
        return (long) PREFIX << NUMBER_BITS | (number & 0xFFFF);
    }

    /** {@return whether frames of this path go to another process of this host} */
    public static boolean isOn(Path path) {
        return (int) (path.remoteMac() >>> NUMBER_BITS) == PREFIX;
    }

    /** {@return whether this frame goes to another process of this host} */
    public static boolean isTo(Frame frame) {
        return frame.buffer().getInt(frame.offset(), ByteOrder.BIG_ENDIAN) == PREFIX;
    }

    /** {@return whether this frame comes from another process of this host} */
    public static boolean isFrom(Frame frame) {
        return frame.buffer().getInt(frame.offset() + Ethernet.SOURCE_AT, ByteOrder.BIG_ENDIAN) == PREFIX;
    }
}
