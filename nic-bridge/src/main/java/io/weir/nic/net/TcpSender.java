package io.weir.nic.net;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A socket of the kernel's TCP that sends, in the network namespace of the thread that opened it, with a congestion
 * control. One thread at a time; no call blocks for longer than 100 ms, so that a caller that wants to end
 * need not interrupt.
 *
 * <p>Design notes: the JDK's sockets have no such option, and always get their namespace's default. Only the first
 * namespace may have a default that the kernel does not allow to everybody, whatever the caller may do; on a socket
 * CAP_NET_ADMIN is enough.
 */
public final class TcpSender implements AutoCloseable {
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_CONGESTION = 13;
    private static final int SO_SNDTIMEO = 21;
    private static final int NAME_BYTES_MAX = 16;
    private static final long BLOCK_MICROS_MAX = TimeUnit.MILLISECONDS.toMicros(100);

    private final int fd;

    private TcpSender(int fd) {
        this.fd = fd;
    }

    /**
     * Opens a socket.
     *
     * @param destination where it will connect to
     * @param congestionControl the kernel's name of it; the namespace's default if empty
     * @throws NicException ENOENT if the kernel has none of this name, EPERM if it is not for this user
     */
    public static TcpSender open(InetAddress destination, String congestionControl) throws NicException {
        int fd = Libc.socket(SocketAddresses.family(destination), Libc.SOCK_STREAM, IPPROTO_TCP);
        if (fd < 0) {
            throw new NicException(-fd, "open a TCP socket", "raise the limit of open files (ulimit -n)");
        }
        TcpSender sender = new TcpSender(fd);
        try {
            sender.set(congestionControl);
            return sender;
        } catch (NicException e) {
            sender.close();
            throw e;
        }
    }

    private void set(String congestionControl) throws NicException {
        UnsafeBuffer timeout = NativeMemory.allocate(2 * Long.BYTES);
        timeout.putLong(Long.BYTES, BLOCK_MICROS_MAX);
        require(Libc.setsockopt(fd, Libc.SOL_SOCKET, SO_SNDTIMEO, timeout), "bound the time that a send may take");
        if (!congestionControl.isEmpty()) {
            UnsafeBuffer name = NativeMemory.text(congestionControl);
            int result = Libc.setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name);
            if (result < 0) {
                throw new NicException(
                        -result,
                        "give a TCP socket the congestion control " + congestionControl,
                        "/proc/sys/net/ipv4 has what there is (tcp_available_congestion_control), and what needs no"
                                + " CAP_NET_ADMIN (tcp_allowed_congestion_control)");
            }
        }
    }

    /** {@return the name of its congestion control} */
    public String congestionControl() throws NicException {
        UnsafeBuffer name = NativeMemory.allocate(NAME_BYTES_MAX);
        require(Libc.getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name), "ask a TCP socket for its congestion control");
        return NativeMemory.textAt(name, 0, NAME_BYTES_MAX);
    }

    /** {@return whether it is connected: begins or goes on to connect, and is to be called again if not} */
    public boolean connect(InetSocketAddress destination) throws NicException {
        UnsafeBuffer address = SocketAddresses.write(destination.getAddress(), destination.getPort(), 0);
        int result = Libc.connect(fd, address);
        if (isOneOf(result, Errno.EINPROGRESS, Errno.EALREADY, Errno.EINTR)) {
            return false;
        }
        require(result, "connect by TCP to " + destination);
        return true;
    }

    /** {@return how many of the first bytes of a buffer in direct memory the kernel has taken; 0 if none for now} */
    public int send(UnsafeBuffer buffer, int lengthBytes) throws NicException {
        int result = Libc.send(fd, buffer, lengthBytes, Libc.MSG_NOSIGNAL);
        if (isOneOf(result, Errno.EAGAIN, Errno.EINTR)) {
            return 0;
        }
        require(result, "send by TCP");
        return result;
    }

    private static boolean isOneOf(int result, Errno... errors) {
        for (Errno error : errors) {
            if (result == -error.number()) {
                return true;
            }
        }
        return false;
    }

    private static void require(int result, String attempt) throws NicException {
        if (result < 0) {
            throw new NicException(-result, attempt, "is the receiver still there?");
        }
    }

    /** Closes the socket; the kernel still delivers what it took. */
    @Override
    public void close() {
        Libc.close(fd);
    }
}
