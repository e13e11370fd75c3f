package io.weir.nic.net;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the network says of frames that it could not deliver: the ICMP messages that the kernel has kept for reserved
 * ports. All ports are watched by one descriptor, so that nobody asks the kernel before there is something to read.
 *
 * <p>Any thread may watch and give back ports; one thread reads. The lock keeps a descriptor from being closed, and
 * given out for something else, while it is read.
 */
public final class ReturnedFrames implements AutoCloseable {
    /** {@code SO_ERROR}: reading it clears it. */
    private static final int SO_ERROR = 4;

    private static final int IPPROTO_IP = 0;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IP_RECVERR = 11;
    private static final int IPV6_RECVERR = 25;
    /** The error was in an ICMP, or ICMPv6, message. */
    private static final int ORIGIN_ICMP = 2;

    private static final int ORIGIN_ICMP6 = 3;

    /** What is read of a quote: more than a header needs. */
    private static final int QUOTE_BYTES = 128;

    private static final int NAME_BYTES = 28;
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    private static final int CONTROL_BYTES = 256;
    private static final int EVENT_BYTES = 16;
    /** Messages of one port that are read at a time: others have their turn. */
    private static final int MESSAGES_MAX = 16;
    /** Ports that are looked at in one call. */
    private static final int PORTS_MAX = 64;

    // struct msghdr, on every 64-bit system: name, its length, vectors, their count, control, its length, flags.
    private static final int MESSAGE_BYTES = 56;
    private static final int MESSAGE_NAME = 0;
    private static final int MESSAGE_NAME_LENGTH = 8;
    private static final int MESSAGE_VECTORS = 16;
    private static final int MESSAGE_VECTOR_COUNT = 24;
    private static final int MESSAGE_CONTROL = 32;
    private static final int MESSAGE_CONTROL_LENGTH = 40;
    // struct cmsghdr, then struct sock_extended_err.
    private static final int CONTROL_LEVEL = 8;
    private static final int CONTROL_TYPE = 12;
    private static final int CONTROL_ERRNO = 16;
    private static final int CONTROL_ORIGIN = 20;

    private final int epoll;
    /** With the lock. */
    private final UnsafeBuffer event = NativeMemory.allocate(EVENT_BYTES);

    private final Set<Integer> watched = new HashSet<>();
    private final UnsafeBuffer message = NativeMemory.allocate(MESSAGE_BYTES);
    private final UnsafeBuffer vector = NativeMemory.allocate(2 * Long.BYTES);
    private final UnsafeBuffer name = NativeMemory.allocate(NAME_BYTES);
    private final UnsafeBuffer control = NativeMemory.allocate(CONTROL_BYTES);
    private final UnsafeBuffer quote = NativeMemory.allocate(QUOTE_BYTES);
    private final UnsafeBuffer error = NativeMemory.allocate(Integer.BYTES);
    /** Whether the descriptor was closed. */
    private boolean isClosed;

    /** Is told of one frame that came back. */
    @FunctionalInterface
    public interface Listener {
        /**
         * A datagram could not be delivered.
         *
         * @param errno what the network said of it, as the kernel translates it
         * @param remote where it was sent to
         * @param remotePort the port that it was sent to
         * @param quote its first bytes after the UDP header, valid within the call
         * @param quoteBytes how many of them the message has; the network may have cut them
         */
        void onReturned(int errno, InetAddress remote, int remotePort, UnsafeBuffer quote, int quoteBytes);
    }

    private ReturnedFrames(int epoll) {
        this.epoll = epoll;
        vector.putLong(0, NativeMemory.address(quote));
        vector.putLong(Long.BYTES, QUOTE_BYTES);
        message.putLong(MESSAGE_NAME, NativeMemory.address(name));
        message.putLong(MESSAGE_VECTORS, NativeMemory.address(vector));
        message.putLong(MESSAGE_VECTOR_COUNT, 1);
        message.putLong(MESSAGE_CONTROL, NativeMemory.address(control));
    }

    /** Watches no port yet. */
    public static ReturnedFrames open() throws NicException {
        int epoll = Libc.epollCreate();
        if (epoll < 0) {
            throw new NicException(-epoll, "create an epoll descriptor", "raise the limit of open files (ulimit -n)");
        }
        return new ReturnedFrames(epoll);
    }

    /** {@return a descriptor that polls readable when there is something to {@link #read}} */
    public int fileDescriptor() {
        return epoll;
    }

    /**
     * Watches a port until it is given back by {@link #giveBack}. A port that cannot be watched works without: openings
     * to it time out.
     */
    public synchronized void watch(UdpReservation reservation) {
        if (!isClosed && Libc.epollAddForErrors(epoll, reservation.fileDescriptor(), event) == 0) {
            watched.add(reservation.fileDescriptor());
        }
    }

    /** Gives a port back to the kernel, watched or not. */
    public synchronized void giveBack(UdpReservation reservation) {
        watched.remove(reservation.fileDescriptor());
        reservation.close();
    }

    /** Reads what there is, up to a bound; then {@link #fileDescriptor} stays readable. One thread. */
    public void read(Listener listener) {
        for (int i = 0; i < PORTS_MAX; i++) {
            if (!readPort(listener)) {
                return;
            }
        }
    }

    private synchronized boolean readPort(Listener listener) {
        int fd = isClosed ? -1 : Libc.epollNext(epoll, event);
        if (fd < 0 || !watched.contains(fd)) {
            return false;
        }
        for (int i = 0; i < MESSAGES_MAX; i++) {
            message.putInt(MESSAGE_NAME_LENGTH, NAME_BYTES);
            message.putLong(MESSAGE_CONTROL_LENGTH, CONTROL_BYTES);
            int bytes = Libc.receiveMessage(fd, message, Libc.MSG_ERRQUEUE | Libc.MSG_DONTWAIT);
            if (bytes < 0) {
                // An error whose message there was no room for would keep the descriptor readable.
                Libc.getsockopt(fd, Libc.SOL_SOCKET, SO_ERROR, error);
                return true;
            }
            tell(listener, bytes);
        }
        return true;
    }

    private void tell(Listener listener, int quoteBytes) {
        int origin = control.getByte(CONTROL_ORIGIN);
        boolean isError = message.getLong(MESSAGE_CONTROL_LENGTH) > CONTROL_ORIGIN
                && isReport(control.getInt(CONTROL_LEVEL), control.getInt(CONTROL_TYPE))
                && (origin == ORIGIN_ICMP || origin == ORIGIN_ICMP6);
        if (isError) {
            int remotePort = Short.toUnsignedInt(name.getShort(2, ByteOrder.BIG_ENDIAN));
            listener.onReturned(control.getInt(CONTROL_ERRNO), remote(), remotePort, quote, quoteBytes);
        }
    }

    private static boolean isReport(int level, int type) {
        return (level == IPPROTO_IP && type == IP_RECVERR) || (level == IPPROTO_IPV6 && type == IPV6_RECVERR);
    }

    /** The kernel gives the destination of the datagram as the message's name. */
    private InetAddress remote() {
        boolean isIpv6 = name.getShort(0) == Libc.AF_INET6;
        byte[] address = new byte[isIpv6 ? IPV6_BYTES : IPV4_BYTES];
        name.getBytes(isIpv6 ? 8 : 4, address);
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** Watches nothing any more; ports stay reserved. */
    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            watched.clear();
            Libc.close(epoll);
        }
    }
}
