package io.weir.transport.wire;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;

/**
 * An IPv4 or IPv6 address as numbers, so that comparing one needs no object.
 *
 * @param high the upper 64 bits; 0 for IPv4
 * @param low the lower 64 bits; the 32 bits of an IPv4 address
 * @param isV6 whether it is an IPv6 address
 */
public record IpAddress(long high, long low, boolean isV6) {
    private static final int IPV4_BYTES = 4;
    private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:]*(:[0-9.]+)?");

    /** {@return the IPv4 address with these 32 bits} */
    public static IpAddress v4(int address) {
        return new IpAddress(0, address & Bytes.U32, false);
    }

    /** {@return the IPv6 address with these 128 bits} */
    public static IpAddress v6(long high, long low) {
        return new IpAddress(high, low, true);
    }

    /** {@return the same address in numbers} */
    public static IpAddress of(InetAddress address) {
        byte[] octets = address.getAddress();
        return octets.length == IPV4_BYTES
                ? v4((int) bigEndian(octets, 0, IPV4_BYTES))
                : v6(bigEndian(octets, 0, Long.BYTES), bigEndian(octets, Long.BYTES, 2 * Long.BYTES));
    }

    private static long bigEndian(byte[] octets, int from, int to) {
        long value = 0;
        for (int i = from; i < to; i++) {
            value = value << Byte.SIZE | Byte.toUnsignedInt(octets[i]);
        }
        return value;
    }

    /** {@return the address that {@code text} writes out; no name is looked up} */
    public static IpAddress parse(String text) {
        // Java would look up as a name whatever is not written out in full, and read 10.1 as 10.0.0.1.
        if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is not an IPv4 or IPv6 address");
        }
        try {
            return of(InetAddress.getByName(text));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("'" + text + "' is not an IPv4 or IPv6 address", e);
        }
    }

    /** {@return the same address as Java's} */
    public InetAddress toInetAddress() {
        ByteBuffer octets = isV6
                ? ByteBuffer.allocate(16).putLong(high).putLong(low)
                : ByteBuffer.allocate(4).putInt((int) low);
        try {
            return InetAddress.getByAddress(octets.array());
        } catch (UnknownHostException e) {
            throw new AssertionError("4 or 16 octets are always an address", e);
        }
    }

    // Written out: each connection looks its peer up several times before it is open. What a record has by itself is
    // linked at the first call and runs through a dozen method handles until it is compiled.

    @Override
    public boolean equals(Object other) {
        return other instanceof IpAddress that && low == that.low && high == that.high && isV6 == that.isV6;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(high) + Long.hashCode(low) + (isV6 ? 1 : 0);
    }

    @Override
    public String toString() {
        return toInetAddress().getHostAddress();
    }
}
