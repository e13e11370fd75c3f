package io.weir.nic.net;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A UDP socket whose owner, by polling it, runs the receive work (NAPI) of the interface by which the socket's latest
 * datagram came. An AF_XDP socket that copies cannot do so: the kernel does not tell it which receive work is its own.
 *
 * <p>One owner. {@link #poll} is one system call and allocates nothing.
 */
public final class BusyPollSocket implements AutoCloseable {
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_V6ONLY = 26;
    private static final int SO_BUSY_POLL = 46;
    private static final int SO_INCOMING_NAPI_ID = 56;
    private static final int SO_PREFER_BUSY_POLL = 69;
    private static final int SO_BUSY_POLL_BUDGET = 70;
    private static final int ADDRESS_BYTES = 28;
    private static final int PORT = 2;
    private static final int HIGH = 8;
    private static final int LOW = 16;
    private static final int SCOPE = 24;
    private static final long MAPPED_IPV4 = 0xFFFF_0000_0000L;
    private static final int LINK_LOCAL = 0xFE80;

    private final int fd;
    private final int interfaceIndex;
    private final UnsafeBuffer address = NativeMemory.allocate(ADDRESS_BYTES);
    private final UnsafeBuffer number = NativeMemory.allocate(Integer.BYTES);
    private final UnsafeBuffer numberLength = NativeMemory.allocate(Integer.BYTES);

    private BusyPollSocket(int fd, int interfaceIndex) {
        this.fd = fd;
        this.interfaceIndex = interfaceIndex;
    }

    /**
     * {@return one for an interface of the calling thread's namespace}
     *
     * @param microseconds how long a poll that has to wait may look for frames; the polls here do not wait
     * @param budgetFrames how many frames one round of the receive work may take
     */
    public static BusyPollSocket open(int interfaceIndex, int microseconds, int budgetFrames) throws NicException {
        int fd = Libc.socket(Libc.AF_INET6, Libc.SOCK_DGRAM, 0);
        if (fd < 0) {
            throw new NicException(-fd, "open a UDP socket to poll by", "needs IPv6 in the kernel");
        }
        int result = Libc.setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
        result = result < 0 ? result : Libc.setsockopt(fd, Libc.SOL_SOCKET, SO_PREFER_BUSY_POLL, 1);
        result = result < 0 ? result : Libc.setsockopt(fd, Libc.SOL_SOCKET, SO_BUSY_POLL, microseconds);
        result = result < 0 ? result : Libc.setsockopt(fd, Libc.SOL_SOCKET, SO_BUSY_POLL_BUDGET, budgetFrames);
        if (result < 0) {
            Libc.close(fd);
            throw new NicException(-result, "turn on busy polling", "needs Linux 5.11 and CAP_NET_ADMIN");
        }
        return new BusyPollSocket(fd, interfaceIndex);
    }

    /**
     * Takes datagrams from the remote end of {@code path} to its local address alone, on a port that the kernel
     * chooses.
     *
     * @return the port, or minus the error number
     */
    public int expect(Path path) {
        // What it was bound to before is forgotten.
        address.setMemory(0, ADDRESS_BYTES, (byte) 0);
        Libc.connect(fd, address);
        write(path.local(), 0);
        int result = Libc.bind(fd, address);
        if (result >= 0) {
            write(path.remote(), path.remotePort());
            result = Libc.connect(fd, address);
        }
        if (result >= 0) {
            result = Libc.getsockname(fd, address);
        }
        return result < 0 ? result : address.getShort(PORT, ByteOrder.BIG_ENDIAN) & 0xFFFF;
    }

    private void write(IpAddress ip, int port) {
        address.putShort(0, (short) Libc.AF_INET6);
        address.putShort(PORT, (short) port, ByteOrder.BIG_ENDIAN);
        address.putInt(PORT + 2, 0);
        address.putLong(HIGH, ip.isV6() ? ip.high() : 0, ByteOrder.BIG_ENDIAN);
        address.putLong(LOW, ip.isV6() ? ip.low() : MAPPED_IPV4 | (ip.low() & 0xFFFF_FFFFL), ByteOrder.BIG_ENDIAN);
        boolean isLinkLocal = ip.isV6() && (int) (ip.high() >>> 48) == LINK_LOCAL;
        address.putInt(SCOPE, isLinkLocal ? interfaceIndex : 0);
    }

    /** {@return the kernel's number of the receive work that brought the latest datagram, or 0 if none has come} */
    public int napiId() {
        int length = Libc.getsockopt(fd, Libc.SOL_SOCKET, SO_INCOMING_NAPI_ID, number, numberLength);
        return length < 0 ? 0 : number.getInt(0);
    }

    /**
     * Runs the receive work once, if nobody else does, and drops a datagram if one is there.
     *
     * @return whether one was there
     */
    public boolean poll() {
        return Libc.kickReceive(fd) >= 0;
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
