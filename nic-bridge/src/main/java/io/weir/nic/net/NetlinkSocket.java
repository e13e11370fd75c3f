package io.weir.nic.net;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.nic.ffi.NativeMemory;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** A conversation with the kernel by netlink, in the network namespace of the thread that opened it. */
final class NetlinkSocket implements AutoCloseable {
    private static final int NETLINK_ROUTE = 0;
    private static final int NETLINK_SOCK_DIAG = 4;
    private static final int NETLINK_GENERIC = 16;
    private static final int SO_RCVTIMEO = 20;
    private static final int ANSWER_SECONDS_MAX = 5;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int TYPE_ERROR = 2;
    private static final int TYPE_DONE = 3;
    private static final int DUMP_INTERRUPTED = 0x10;
    private static final int DUMP_ATTEMPTS = 8;

    private final UnsafeBuffer buffer = NativeMemory.allocate(BUFFER_BYTES);
    private final int fd;

    /** Opens one about interfaces, addresses and routes. */
    NetlinkSocket() throws NicException {
        this(NETLINK_ROUTE);
    }

    private NetlinkSocket(int protocol) throws NicException {
        fd = Libc.socket(Libc.AF_NETLINK, Libc.SOCK_RAW, protocol);
        if (fd < 0) {
            throw new NicException(-fd, "open a netlink socket", "raise the limit of open files (ulimit -n)");
        }
        UnsafeBuffer timeout = NativeMemory.allocate(2 * Long.BYTES);
        timeout.putLong(0, ANSWER_SECONDS_MAX);
        Libc.setsockopt(fd, Libc.SOL_SOCKET, SO_RCVTIMEO, timeout);
    }

    /** {@return one about other sockets} */
    static NetlinkSocket diagnosis() throws NicException {
        return new NetlinkSocket(NETLINK_SOCK_DIAG);
    }

    /** {@return one of generic netlink} */
    static NetlinkSocket generic() throws NicException {
        return new NetlinkSocket(NETLINK_GENERIC);
    }

    /**
     * Sends a request and collects the answer.
     *
     * @param bodyBytes the length of an answer's fixed body
     * @param attempt what this is for, for the exception's message
     * @return the messages of the answer
     */
    List<NetlinkMessage> ask(NetlinkRequest request, int bodyBytes, String attempt) throws NicException {
        for (int i = 0; i < DUMP_ATTEMPTS; i++) {
            List<NetlinkMessage> answer = new ArrayList<>();
            check(Libc.send(fd, request.finish(), request.lengthBytes(), 0), attempt);
            if (receive(request.isDump(), bodyBytes, attempt, answer)) {
                return answer;
            }
        }
        throw new NicException(attempt + ": the kernel's table changed during each of " + DUMP_ATTEMPTS
                + " readings; try again when interfaces have settled");
    }

    /**
     * Sends a request that is answered by nothing but an acknowledgement. Allocates nothing.
     *
     * @return 0, or minus the error number
     */
    int command(NetlinkRequest request) {
        int result = Libc.send(fd, request.finish(), request.lengthBytes(), 0);
        if (result >= 0) {
            result = Libc.receive(fd, buffer, 0);
        }
        return result < 0 ? result : buffer.getInt(NetlinkRequest.HEADER_BYTES);
    }

    /** Receives until the answer is complete; false when a dump was disturbed and must be asked for again. */
    private boolean receive(boolean dump, int bodyBytes, String attempt, List<NetlinkMessage> answer)
            throws NicException {
        boolean consistent = true;
        while (true) {
            int received = Libc.receive(fd, buffer, 0);
            if (received == -Errno.EINTR.number()) {
                continue;
            }
            check(received, attempt);
            for (int offset = 0; offset + NetlinkRequest.HEADER_BYTES <= received; ) {
                int length = buffer.getInt(offset);
                int type = buffer.getShort(offset + 4);
                consistent &= (buffer.getShort(offset + 6) & DUMP_INTERRUPTED) == 0;
                if (type == TYPE_DONE) {
                    return consistent;
                }
                if (length < NetlinkRequest.HEADER_BYTES || length > received - offset) {
                    throw new NicException(attempt + ": the kernel's answer is cut off at " + received + " bytes");
                }
                if (type == TYPE_ERROR) {
                    check(buffer.getInt(offset + NetlinkRequest.HEADER_BYTES), attempt);
                    return true;
                }
                if (length < NetlinkRequest.HEADER_BYTES + bodyBytes) {
                    throw new NicException(
                            attempt + ": the kernel's answer has " + length + " bytes, which hold no body");
                }
                byte[] payload = new byte[length - NetlinkRequest.HEADER_BYTES];
                buffer.getBytes(offset + NetlinkRequest.HEADER_BYTES, payload);
                answer.add(new NetlinkMessage(payload, bodyBytes));
                if (!dump) {
                    return true;
                }
                offset += (length + 3) & ~3;
            }
        }
    }

    private static void check(int result, String attempt) throws NicException {
        if (result < 0) {
            throw new NicException(-result, attempt, "the kernel refused it");
        }
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
