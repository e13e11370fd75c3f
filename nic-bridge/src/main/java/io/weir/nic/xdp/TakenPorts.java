package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.nic.bpf.BpfProgram;
import io.weir.nic.bpf.MapWord;
import io.weir.nic.ffi.NativeMemory;
import java.net.InetAddress;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Which UDP ports of which addresses a host's XDP program takes: its maps {@code weir_addresses} and {@code
 * weir_ports}. Each address has a row of bits, one for each port, so that a port may be ours on one address and another
 * program's on the next.
 *
 * <p>Not for several threads at once. A change costs one system call for each row that it touches.
 */
final class TakenPorts {
    /** The most addresses: ADDRESSES_MAX of weir_xdp.bpf.c. */
    static final int ADDRESSES_MAX = 64;

    private static final String ADDRESSES = "weir_addresses";
    private static final String PORTS = "weir_ports";
    private static final int ROW_WORDS = (AfXdpConfig.UDP_PORT_MAX + 1) / Long.SIZE;
    private static final int KEY_BYTES = 16;
    private static final int IPV4_BYTES = 4;

    private final BpfProgram program;
    /** Sets words of {@code weir_ports}: each connection with a separate port changes one, twice. */
    private final MapWord portWords;
    /** The row of each address. */
    private final Map<InetAddress, Integer> rows = new LinkedHashMap<>();
    /** What the kernel's rows hold, word by word; null for a row never used, whose words are all 0. */
    private final long[][] words = new long[ADDRESSES_MAX][];
    /** The ports taken of every address, also of those added later. */
    private final long[] common = new long[ROW_WORDS];

    TakenPorts(BpfProgram program) {
        this.program = program;
        this.portWords = program.words(PORTS);
    }

    /** Takes the common ports of an address from now on. */
    void addAddress(InetAddress address) throws NicException {
        if (rows.containsKey(address)) {
            return;
        }
        int row = freeRow(address);
        for (int word = 0; word < ROW_WORDS; word++) {
            setWord(row, word, common[word]);
        }
        UnsafeBuffer value = NativeMemory.allocate(Integer.BYTES);
        value.putInt(0, row);
        program.update(ADDRESSES, key(address), value);
        rows.put(address, row);
    }

    /** Leaves every datagram for an address to the kernel again. */
    void removeAddress(InetAddress address) throws NicException {
        if (rows.containsKey(address)) {
            program.remove(ADDRESSES, key(address));
            rows.remove(address);
        }
    }

    /** Takes a port of every address, or leaves it to the kernel. */
    void set(int port, boolean taken) throws NicException {
        common[port / Long.SIZE] = changed(common[port / Long.SIZE], port, taken);
        for (InetAddress address : rows.keySet()) {
            set(address, port, taken);
        }
    }

    /** Takes a port of one address, or leaves it to the kernel. */
    void set(InetAddress address, int port, boolean taken) throws NicException {
        Integer row = rows.get(address);
        if (row != null) {
            int word = port / Long.SIZE;
            long[] held = words[row];
            setWord(row, word, changed(held == null ? 0 : held[word], port, taken));
        }
    }

    /** Takes every port of every address. */
    void setAll() throws NicException {
        for (int word = 0; word < ROW_WORDS; word++) {
            common[word] = -1L;
            for (int row : rows.values()) {
                setWord(row, word, -1L);
            }
        }
    }

    private int freeRow(InetAddress address) throws NicException {
        BitSet used = new BitSet(ADDRESSES_MAX);
        rows.values().forEach(used::set);
        int row = used.nextClearBit(0);
        if (row == ADDRESSES_MAX) {
            throw new NicException(
                    "address " + address.getHostAddress() + " is one too many: a port takes datagrams of "
                            + ADDRESSES_MAX + " addresses at most; remove one from the interface");
        }
        return row;
    }

    private void setWord(int row, int word, long bits) throws NicException {
        if ((words[row] == null ? 0 : words[row][word]) == bits) {
            return;
        }
        portWords.set(row * ROW_WORDS + word, bits);
        if (words[row] == null) {
            words[row] = new long[ROW_WORDS];
        }
        words[row][word] = bits;
    }

    private static long changed(long bits, int port, boolean taken) {
        long bit = 1L << port;
        return taken ? bits | bit : bits & ~bit;
    }

    /** {@return the address as the program looks it up: IPv4 mapped into IPv6} */
    private static UnsafeBuffer key(InetAddress address) {
        byte[] bytes = address.getAddress();
        UnsafeBuffer key = NativeMemory.allocate(KEY_BYTES);
        if (bytes.length == IPV4_BYTES) {
            key.putShort(KEY_BYTES - IPV4_BYTES - Short.BYTES, (short) -1);
        }
        key.putBytes(KEY_BYTES - bytes.length, bytes);
        return key;
    }
}
