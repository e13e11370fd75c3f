package io.weir.nic.net;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What the kernel knows of one of its TCP connections, as {@code ss -ti} shows it.
 *
 * @param rttNanos the smoothed round-trip time
 * @param rttVariationNanos how much round-trip times differ from it
 * @param windowBytes the congestion window
 * @param peerWindowBytes what the peer has room for, 0 before Linux 5.4
 * @param segmentBytes payload of a full segment
 * @param retransmittedSegments retransmitted segments
 */
public record TcpInfo(
        long rttNanos,
        long rttVariationNanos,
        long windowBytes,
        long peerWindowBytes,
        int segmentBytes,
        long retransmittedSegments) {
    /** {@code SOCK_DIAG_BY_FAMILY}. */
    private static final int BY_FAMILY = 20;

    private static final int PROTOCOL_TCP = 6;
    // The request: family, protocol, extensions, states, then the socket by ports, addresses, interface and cookie.
    private static final int REQUEST_BYTES = 56;
    private static final int EXTENSIONS_OFFSET = 2;
    private static final int STATES_OFFSET = 4;
    private static final int PORTS_OFFSET = 8;
    private static final int SOURCE_OFFSET = 12;
    private static final int DESTINATION_OFFSET = 28;
    private static final int COOKIE_OFFSET = 48;
    private static final int ALL_STATES = -1;
    private static final int NO_COOKIE = -1;
    private static final int ANSWER_BYTES = 72;
    /** {@code INET_DIAG_INFO}: a {@code struct tcp_info}. */
    private static final int INFO = 2;

    private static final int MSS_OFFSET = 16;
    private static final int RTT_OFFSET = 68;
    private static final int RTT_VARIATION_OFFSET = 72;
    private static final int WINDOW_OFFSET = 80;
    private static final int PEER_WINDOW_OFFSET = 228;
    private static final int RETRANSMITTED_OFFSET = 100;
    private static final int INFO_BYTES_MIN = 104;
    private static final long NANOS_PER_MICROSECOND = 1_000;

    /**
     * Asks the kernel about a connection of the calling thread's network namespace.
     *
     * @return what it knows, or null if it has no such connection
     */
    public static TcpInfo of(InetSocketAddress local, InetSocketAddress remote) throws NicException {
        boolean isV6 = local.getAddress() instanceof Inet6Address;
        NetlinkRequest request = new NetlinkRequest(BY_FAMILY, 0, REQUEST_BYTES)
                .bodyByte(0, isV6 ? Libc.AF_INET6 : Libc.AF_INET)
                .bodyByte(1, PROTOCOL_TCP)
                .bodyByte(EXTENSIONS_OFFSET, 1 << (INFO - 1))
                .bodyInt(STATES_OFFSET, ALL_STATES)
                .bodyInt(COOKIE_OFFSET, NO_COOKIE)
                .bodyInt(COOKIE_OFFSET + Integer.BYTES, NO_COOKIE);
        putPort(request, PORTS_OFFSET, local.getPort());
        putPort(request, PORTS_OFFSET + Short.BYTES, remote.getPort());
        putAddress(request, SOURCE_OFFSET, local.getAddress());
        putAddress(request, DESTINATION_OFFSET, remote.getAddress());
        try (NetlinkSocket socket = NetlinkSocket.diagnosis()) {
            NetlinkMessage answer = socket.ask(request, ANSWER_BYTES, "ask the kernel about a TCP connection")
                    .get(0);
            byte[] info = answer.attribute(INFO);
            return info == null || info.length < INFO_BYTES_MIN ? null : read(info);
        } catch (NicException e) {
            if (e.is(Errno.ENOENT)) {
                return null;
            }
            throw e;
        }
    }

    private static void putPort(NetlinkRequest request, int offset, int port) {
        request.bodyByte(offset, port >>> Byte.SIZE).bodyByte(offset + 1, port);
    }

    private static void putAddress(NetlinkRequest request, int offset, InetAddress address) {
        byte[] bytes = address.getAddress();
        for (int i = 0; i < bytes.length; i++) {
            request.bodyByte(offset + i, bytes[i]);
        }
    }

    private static TcpInfo read(byte[] info) {
        ByteBuffer fields = ByteBuffer.wrap(info).order(ByteOrder.nativeOrder());
        return new TcpInfo(
                fields.getInt(RTT_OFFSET) * NANOS_PER_MICROSECOND,
                fields.getInt(RTT_VARIATION_OFFSET) * NANOS_PER_MICROSECOND,
                (long) fields.getInt(WINDOW_OFFSET) * fields.getInt(MSS_OFFSET),
                info.length < PEER_WINDOW_OFFSET + Integer.BYTES
                        ? 0
                        : Integer.toUnsignedLong(fields.getInt(PEER_WINDOW_OFFSET)),
                fields.getInt(MSS_OFFSET),
                fields.getInt(RETRANSMITTED_OFFSET));
    }
}
