package io.weir.transport.wire;

import org.agrona.concurrent.UnsafeBuffer;

/** The Ethernet header. Addresses are the low 48 bits of a long. */
public final class Ethernet {
    /** Bytes of the header, without any VLAN tag. */
    public static final int HEADER_BYTES = 14;

    /** Where the source address stands. */
    public static final int SOURCE_AT = 6;

    /** Where the EtherType stands. */
    static final int TYPE_AT = 12;

    /** What a frame occupies on a link beyond its IP packet: header 14, check sequence 4, preamble 8, gap 12. */
    public static final int FRAMING_BYTES = 38;

    /** EtherType of IPv4. */
    public static final int TYPE_IPV4 = 0x0800;
    /** EtherType of IPv6. */
    public static final int TYPE_IPV6 = 0x86DD;
    /** EtherType of ARP. */
    public static final int TYPE_ARP = 0x0806;

    /** The address of all stations. */
    public static final long BROADCAST = 0xFFFF_FFFF_FFFFL;

    private static final long GROUP_BIT = 1L << 40;

    private Ethernet() {}

    /** {@return the destination address of the frame at {@code at}} */
    public static long destination(UnsafeBuffer buffer, int at) {
        return Bytes.i64(buffer, at) >>> 16;
    }

    /** {@return the source address} */
    public static long source(UnsafeBuffer buffer, int at) {
        return Bytes.i64(buffer, at + 4) & BROADCAST;
    }

    /** {@return the EtherType} */
    public static int type(UnsafeBuffer buffer, int at) {
        return Bytes.u16(buffer, at + TYPE_AT);
    }

    /** {@return whether the address means more than one station} */
    public static boolean isGroup(long address) {
        return (address & GROUP_BIT) != 0;
    }

    /** Writes the whole header. */
    public static void write(UnsafeBuffer buffer, int at, long destination, long source, int type) {
        Bytes.put16(buffer, at, (int) (destination >>> 32));
        Bytes.put32(buffer, at + 2, (int) destination);
        Bytes.put16(buffer, at + SOURCE_AT, (int) (source >>> 32));
        Bytes.put32(buffer, at + 8, (int) source);
        Bytes.put16(buffer, at + TYPE_AT, type);
    }

    /** {@return the address as six pairs of hexadecimal digits} */
    public static String format(long address) {
        StringBuilder text = new StringBuilder(17);
        for (int shift = 40; shift >= 0; shift -= 8) {
            int octet = (int) (address >>> shift) & 0xFF;
            text.append(Character.forDigit(octet >>> 4, 16)).append(Character.forDigit(octet & 15, 16));
            if (shift > 0) {
                text.append(':');
            }
        }
        return text.toString();
    }

    /**
     * {@return the address that {@code text} writes as six pairs of hexadecimal digits}
     *
     * @throws IllegalArgumentException if it does not
     */
    public static long parse(String text) {
        String[] octets = text.split(":", -1);
        if (octets.length != 6) {
            throw new IllegalArgumentException("'" + text + "' is not an Ethernet address such as 02:00:00:00:00:01");
        }
        long address = 0;
        for (String octet : octets) {
            int high = octet.length() == 2 ? Character.digit(octet.charAt(0), 16) : -1;
            int low = octet.length() == 2 ? Character.digit(octet.charAt(1), 16) : -1;
            if (high < 0 || low < 0) {
                throw new IllegalArgumentException("'" + octet + "' in '" + text + "' is not two hexadecimal digits");
            }
            address = address << 8 | high << 4 | low;
        }
        return address;
    }
}
