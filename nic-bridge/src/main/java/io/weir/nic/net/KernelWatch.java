package io.weir.nic.net;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A netlink socket to which the kernel tells each change of the interfaces, addresses, neighbours and routes of one
 * network namespace. For one thread; never blocks. Its descriptor polls readable when there is something to read.
 *
 * <p>Only the kernel, and programs that may change these things themselves, can send to it.
 */
public final class KernelWatch implements AutoCloseable {
    private static final int NETLINK_ROUTE = 0;
    private static final int SO_RCVBUF = 8;
    private static final int BUFFER_BYTES = 1 << 16;
    /** What may wait to be read: some thousand events. */
    private static final int BACKLOG_BYTES = 1 << 20;

    private static final int LINK_BODY_BYTES = 16;
    private static final int NEIGHBOUR_BODY_BYTES = 12;

    /** RTMGRP_LINK, _NEIGH, _IPV4_IFADDR, _IPV4_ROUTE, _IPV6_IFADDR and _IPV6_ROUTE. */
    private static final int GROUPS = 0x1 | 0x4 | 0x10 | 0x40 | 0x100 | 0x400;

    private final UnsafeBuffer buffer = NativeMemory.allocate(BUFFER_BYTES);
    private final int fd;

    private KernelWatch(int fd) {
        this.fd = fd;
    }

    /** {@return a socket that is told all that changes in {@code namespace} from now on} */
    public static KernelWatch open(NetNamespace namespace) throws NicException {
        return namespace.call(KernelWatch::openHere);
    }

    private static KernelWatch openHere() throws NicException {
        int fd = Libc.socket(Libc.AF_NETLINK, Libc.SOCK_RAW, NETLINK_ROUTE);
        if (fd < 0) {
            throw new NicException(-fd, "open a netlink socket", "raise the limit of open files (ulimit -n)");
        }
        // The kernel gives what the system's limit allows.
        Libc.setsockopt(fd, Libc.SOL_SOCKET, SO_RCVBUF, BACKLOG_BYTES);
        UnsafeBuffer address = NativeMemory.allocate(12);
        address.putShort(0, (short) Libc.AF_NETLINK);
        address.putInt(8, GROUPS);
        int result = Libc.bind(fd, address);
        if (result < 0) {
            Libc.close(fd);
            throw new NicException(-result, "listen to the kernel's changes of interfaces", "needs Linux 5.9 or newer");
        }
        return new KernelWatch(fd);
    }

    /** {@return what polls readable when there is something to read} */
    public int fileDescriptor() {
        return fd;
    }

    /**
     * Reads all that waits.
     *
     * @return whether that is all that happened; false after more than fits the socket's memory: what is known must be
     *     read from the kernel again
     */
    public boolean read(Consumer<KernelEvent> events) {
        boolean isComplete = true;
        while (true) {
            int received = Libc.receive(fd, buffer, Libc.MSG_DONTWAIT);
            if (received > 0) {
                isComplete &= KernelEvents.read(buffer, received, events);
            } else if (received == -Errno.ENOBUFS.number()) {
                isComplete = false;
            } else if (received != -Errno.EINTR.number()) {
                return isComplete;
            }
        }
    }

    /**
     * Asks for what there is now of an interface and all neighbours: it comes as events, like changes.
     *
     * @param interfaceIndex the interface
     * @return whether the kernel took the question; if not, ask again later
     */
    public boolean requestTables(int interfaceIndex) {
        NetlinkRequest link =
                new NetlinkRequest(NetlinkRequest.GET_LINK, 0, LINK_BODY_BYTES).bodyInt(4, interfaceIndex);
        NetlinkRequest neighbours =
                new NetlinkRequest(NetlinkRequest.GET_NEIGHBOUR, NetlinkRequest.FLAG_DUMP, NEIGHBOUR_BODY_BYTES);
        return Libc.send(fd, link.finish(), link.lengthBytes(), Libc.MSG_DONTWAIT) >= 0
                && Libc.send(fd, neighbours.finish(), neighbours.lengthBytes(), Libc.MSG_DONTWAIT) >= 0;
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
