package io.weir.nic.net;

import io.weir.nic.NicException;
import java.util.List;

/**
 * What an interface's driver offers to XDP, as the kernel's netdev family of generic netlink tells.
 *
 * @param programs whether it runs XDP programs itself, before the kernel makes a packet of a frame
 * @param receiveStamps whether an XDP program can ask when a frame came
 * @param transmitStamps whether a completion tells when a frame left
 * @param zeroCopy whether it moves frames of AF_XDP sockets without copying
 * @param scatter whether it hands programs frames that lie in several pieces
 * @param problem why the kernel does not tell, or empty
 */
public record DriverFeatures(
        boolean programs,
        boolean receiveStamps,
        boolean transmitStamps,
        boolean zeroCopy,
        boolean scatter,
        String problem) {
    private static final int DEVICE_INDEX = 1;
    private static final int XDP_FEATURES = 3;
    private static final int RECEIVE_METADATA = 5;
    private static final int SOCKET_FEATURES = 6;
    private static final int PROGRAMS = 1;
    private static final int ZERO_COPY = 1 << 3;
    private static final int SCATTER = 1 << 5;
    private static final int RECEIVE_STAMP = 1;
    private static final int TRANSMIT_STAMP = 1;

    /**
     * {@return what the driver of this interface of the calling thread's namespace offers; nothing if the kernel does
     * not tell}
     */
    public static DriverFeatures of(int interfaceIndex) {
        try (NetlinkSocket socket = NetlinkSocket.generic()) {
            NetlinkRequest request = NetdevFamily.find(socket)
                    .request(NetdevFamily.DEVICE_GET, 0)
                    .attribute(DEVICE_INDEX, interfaceIndex);
            List<NetlinkMessage> answer = socket.ask(request, NetdevFamily.BODY_BYTES, "ask what the driver offers");
            NetlinkMessage device = answer.get(0);
            return new DriverFeatures(
                    has(device, XDP_FEATURES, PROGRAMS),
                    has(device, RECEIVE_METADATA, RECEIVE_STAMP),
                    has(device, SOCKET_FEATURES, TRANSMIT_STAMP),
                    has(device, XDP_FEATURES, ZERO_COPY),
                    has(device, XDP_FEATURES, SCATTER),
                    "");
        } catch (NicException e) {
            return new DriverFeatures(
                    false,
                    false,
                    false,
                    false,
                    false,
                    "the kernel does not tell what the driver offers: " + e.getMessage());
        }
    }

    private static boolean has(NetlinkMessage device, int attribute, int bit) {
        byte[] value = device.attribute(attribute);
        return value != null && value.length >= Integer.BYTES && (NetlinkMessage.intAt(value) & bit) != 0;
    }
}
