package io.weir.nic.net;

/** Ethernet addresses as numbers: six bytes, the first on the wire in bits 40 to 47. */
public final class MacAddress {
    private static final int BYTES = 6;

    private MacAddress() {}

    /** {@return the address in six bytes of wire order, or 0 when there are not six} */
    static long of(byte[] bytes) {
        if (bytes == null || bytes.length != BYTES) {
            return 0;
        }
        long address = 0;
        for (byte octet : bytes) {
            address = address << Byte.SIZE | (octet & 0xFF);
        }
        return address;
    }

    /** {@return the address in six bytes of wire order} */
    static byte[] bytes(long address) {
        byte[] bytes = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            bytes[i] = (byte) (address >>> ((BYTES - 1 - i) * Byte.SIZE));
        }
        return bytes;
    }

    /** {@return the address as people write it, as in {@code 02:00:0a:00:00:01}} */
    public static String text(long address) {
        StringBuilder text = new StringBuilder(3 * BYTES);
        for (int shift = 40; shift >= 0; shift -= Byte.SIZE) {
            text.append(String.format("%02x", (address >>> shift) & 0xFF)).append(shift == 0 ? "" : ":");
        }
        return text.toString();
    }
}
