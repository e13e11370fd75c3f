package io.weir.nic.net;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A UDP port of one address, kept from all other programs of the host: a socket that is bound to both, and whose filter
 * drops what the kernel would put into it. The same port of other addresses stays free.
 *
 * <p>The kernel gives it what ICMP says of datagrams that left from this address and port, also of those that the
 * kernel has not sent itself: it compares the addresses and ports that the message quotes. {@link ReturnedFrames} reads
 * those, which no filter sees.
 */
public final class UdpReservation implements AutoCloseable {
    private static final int IPPROTO_IP = 0;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IP_FREEBIND = 15;
    private static final int IPV6_FREEBIND = 78;
    private static final int SO_RCVBUF = 8;
    private static final int IP_RECVERR = 11;
    private static final int IPV6_RECVERR = 25;
    /** Room for the quotes of two ICMP messages or more. */
    private static final int RECEIVE_BYTES = 8_192;
    /** Return, of classic BPF: with the operand 0 a filter that drops everything. */
    private static final int RETURN = 0x06;

    // What each reservation passes to the kernel, which only reads it: memory for the kernel is dear to get.
    private static final UnsafeBuffer ON = Libc.intValue(1);
    private static final UnsafeBuffer RECEIVE_SIZE = Libc.intValue(RECEIVE_BYTES);
    private static final UnsafeBuffer DROP_ALL = dropAll();
    private static final UnsafeBuffer DROP_ALL_PROGRAM = Libc.filterProgram(DROP_ALL);

    private final int fd;

    private UdpReservation(int fd) {
        this.fd = fd;
    }

    /**
     * Reserves a port in the calling thread's network namespace. The address need not be there yet.
     *
     * @param interfaceIndex which interface a link-local address is of
     * @throws BindException if a program has it, on this address or on all
     */
    public static UdpReservation of(InetAddress address, int port, int interfaceIndex) throws IOException {
        int family = SocketAddresses.family(address);
        int fd = Libc.socket(family, Libc.SOCK_DGRAM, 0);
        if (fd < 0) {
            throw new NicException(
                    -fd,
                    "open a socket to reserve UDP port " + port,
                    "a port takes one descriptor per address of its interface; raise the limit of open files (ulimit -n)");
        }
        boolean isIpv6 = family == Libc.AF_INET6;
        Libc.setsockopt(fd, isIpv6 ? IPPROTO_IPV6 : IPPROTO_IP, isIpv6 ? IPV6_FREEBIND : IP_FREEBIND, ON);
        Libc.setsockopt(fd, isIpv6 ? IPPROTO_IPV6 : IPPROTO_IP, isIpv6 ? IPV6_RECVERR : IP_RECVERR, ON);
        Libc.setsockopt(fd, Libc.SOL_SOCKET, SO_RCVBUF, RECEIVE_SIZE);
        // A datagram still comes here by another interface, and each one of a transport over AF_PACKET. The socket is
        // there, so that no ICMP message answers; without a filter those that fill its buffer would lie in it until it
        // is closed.
        Libc.attachFilterProgram(fd, DROP_ALL_PROGRAM);
        int result = Libc.bind(fd, SocketAddresses.write(address, port, interfaceIndex));
        if (result < 0) {
            Libc.close(fd);
            throw refusal(-result, address, port);
        }
        return new UdpReservation(fd);
    }

    private static UnsafeBuffer dropAll() {
        UnsafeBuffer instructions = NativeMemory.allocate(Long.BYTES);
        instructions.putShort(0, (short) RETURN);
        return instructions;
    }

    private static IOException refusal(int errno, InetAddress address, int port) {
        if (errno == Errno.EADDRINUSE.number()) {
            return new BindException("UDP port " + port + " is in use by another program of this host, on "
                    + address.getHostAddress() + " (" + Errno.describe(errno) + "); see: ss -lunp 'sport = " + port
                    + "'");
        }
        return new NicException(
                errno,
                "reserve UDP port " + port + " of " + address.getHostAddress(),
                errno == Errno.EACCES.number() ? "ports below 1024 need CAP_NET_BIND_SERVICE" : "use another port");
    }

    int fileDescriptor() {
        return fd;
    }

    /** Gives the port back. */
    @Override
    public void close() {
        Libc.close(fd);
    }
}
