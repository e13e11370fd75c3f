package io.weir.transport.runtime;

import io.weir.transport.frame.Frame;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.Path;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Which of a transport's loops has a connection: a hash of both addresses and both ports, the same for both directions
 * and at both ends. So hosts with as many loops give a connection to loops of the same number, and a device that keeps
 * a queue's frames together, as a veth pair does, brings them to the right loop.
 *
 * <p>Stateless: a repeated opening, the confirmation of a cookie and a frame of a connection that is gone come to the
 * same loop. A few nanoseconds per frame, no allocation.
 */
public final class FlowSteering {
    /** The most loops: their numbers fit what a hash gives. */
    public static final int LOOPS_MAX = 64;

    /** The loop is not told by the frame: it is no plain UDP datagram, and belongs to the loop that has it. */
    static final int ANY_LOOP = -1;

    private static final int IP = Ethernet.HEADER_BYTES;
    private static final int IPV4_PLAIN = 0x45;
    private static final int IPV4_UDP = IP + 20;
    private static final int IPV6_UDP = IP + 40;
    private static final int PORTS_BYTES = 4;
    private static final long MIX_HIGH = 0x9E37_79B9_7F4A_7C15L;
    private static final long MIX_LOW = 0xBF58_476D_1CE4_E5B9L;
    private static final long MIX_PORTS = 0x94D0_49BB_1331_11EBL;
    private static final long U16 = 0xFFFF;
    private static final long U32 = 0xFFFF_FFFFL;

    private FlowSteering() {}

    /** {@return the loop, of {@code loopCount}, that has the connection of this path} */
    public static int loopOf(Path path, int loopCount) {
        return loopOf(
                path.local().high() ^ path.remote().high(),
                path.local().low() ^ path.remote().low(),
                path.localPort() ^ path.remotePort(),
                loopCount);
    }

    /** {@return the loop that has the connection which a received frame belongs to, or {@link #ANY_LOOP}} */
    static int loopOf(Frame frame, int loopCount) {
        UnsafeBuffer buffer = frame.buffer();
        int at = frame.offset();
        int length = frame.length();
        if (length < IPV4_UDP + PORTS_BYTES) {
            return ANY_LOOP;
        }
        int type = Ethernet.type(buffer, at);
        if (type == Ethernet.TYPE_IPV4) {
            boolean isPlain = (buffer.getByte(at + IP) & 0xFF) == IPV4_PLAIN
                    && buffer.getByte(at + IP + 9) == Datagram.PROTOCOL_UDP;
            // Big endian, as addresses are compared by number: 32 bits each.
            long addresses = (buffer.getInt(at + IP + 12, ByteOrder.BIG_ENDIAN)
                            ^ buffer.getInt(at + IP + 16, ByteOrder.BIG_ENDIAN))
                    & U32;
            return isPlain ? loopOf(0, addresses, portsAt(buffer, at + IPV4_UDP), loopCount) : ANY_LOOP;
        }
        if (type != Ethernet.TYPE_IPV6
                || length < IPV6_UDP + PORTS_BYTES
                || buffer.getByte(at + IP + 6) != Datagram.PROTOCOL_UDP) {
            return ANY_LOOP;
        }
        long high =
                buffer.getLong(at + IP + 8, ByteOrder.BIG_ENDIAN) ^ buffer.getLong(at + IP + 24, ByteOrder.BIG_ENDIAN);
        long low =
                buffer.getLong(at + IP + 16, ByteOrder.BIG_ENDIAN) ^ buffer.getLong(at + IP + 32, ByteOrder.BIG_ENDIAN);
        return loopOf(high, low, portsAt(buffer, at + IPV6_UDP), loopCount);
    }

    /** {@return the two ports at {@code at}, one over the other} */
    private static long portsAt(UnsafeBuffer buffer, int at) {
        int ports = buffer.getInt(at, ByteOrder.BIG_ENDIAN);
        return ((ports >>> 16) ^ ports) & U16;
    }

    /** Finalizer of a 64-bit mixing function: each bit of the input changes half of the upper ones. */
    private static int loopOf(long high, long low, long ports, int loopCount) {
        long mixed = (high * MIX_HIGH) ^ (low * MIX_LOW) ^ (ports * MIX_PORTS);
        mixed = (mixed ^ (mixed >>> 31)) * MIX_LOW;
        mixed = (mixed ^ (mixed >>> 29)) * MIX_PORTS;
        return (int) (((mixed >>> 32) * loopCount) >>> 32);
    }
}
