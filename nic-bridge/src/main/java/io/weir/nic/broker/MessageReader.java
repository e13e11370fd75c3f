package io.weir.nic.broker;

import io.weir.transport.wire.IpAddress;
import org.agrona.DirectBuffer;

/**
 * Reads one message that another process wrote, and never throws: what is not there is 0, and {@link #isWhole} says so
 * at the end.
 */
final class MessageReader {
    private static final IpAddress NO_ADDRESS = IpAddress.v4(0);

    private final DirectBuffer buffer;
    private final int lengthBytes;
    private int at;
    /** Whether something was missing or impossible. */
    private boolean isBad;

    MessageReader(DirectBuffer buffer, int lengthBytes) {
        this.buffer = buffer;
        this.lengthBytes = Math.min(lengthBytes, buffer.capacity());
    }

    private boolean take(int bytes) {
        isBad |= bytes < 0 || bytes > lengthBytes - at;
        return !isBad;
    }

    int getInt() {
        if (!take(Integer.BYTES)) {
            return 0;
        }
        at += Integer.BYTES;
        return buffer.getInt(at - Integer.BYTES);
    }

    long getLong() {
        if (!take(Long.BYTES)) {
            return 0;
        }
        at += Long.BYTES;
        return buffer.getLong(at - Long.BYTES);
    }

    String getText() {
        int count = getInt();
        if (!take(count)) {
            return "";
        }
        at += count;
        return buffer.getStringWithoutLengthUtf8(at - count, count);
    }

    IpAddress getAddress() {
        int version = getInt();
        long high = getLong();
        long low = getLong();
        boolean isV6 = version == 1;
        boolean isPossible = isV6 || (version == 0 && high == 0 && low >>> 32 == 0);
        isBad |= !isPossible;
        return isBad ? NO_ADDRESS : new IpAddress(high, low, isV6);
    }

    /** {@return a UDP port} */
    int getPort() {
        int port = getInt();
        isBad |= port < 1 || port > 65_535;
        return port;
    }

    /** {@return a count of things that take {@code bytesEach} bytes or more each; never more than are here} */
    int getCount(int bytesEach) {
        int count = getInt();
        isBad |= count < 0 || (long) count * bytesEach > lengthBytes - at;
        return isBad ? 0 : count;
    }

    /** {@return whether all that was read was there, and nothing is left over} */
    boolean isWhole() {
        return !isBad && at == lengthBytes;
    }
}
