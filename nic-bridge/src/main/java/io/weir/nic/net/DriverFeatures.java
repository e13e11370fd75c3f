package io.weir.nic.net;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What an interface's driver offers to XDP, as the kernel's netdev family of generic netlink tells.
 *
 * @param receiveStamps whether an XDP program can ask when a frame came
 * @param transmitStamps whether a completion tells when a frame left
 * @param scatter whether it hands programs frames that lie in several pieces
 * @param problem why the kernel does not tell, or empty
 */
public record DriverFeatures(boolean receiveStamps, boolean transmitStamps, boolean scatter, String problem) {
    private static final int CONTROL_FAMILY = 16;
    private static final int CONTROL_GET_FAMILY = 3;
    private static final int CONTROL_FAMILY_ID = 1;
    private static final int CONTROL_FAMILY_NAME = 2;
    private static final int GENERIC_BODY_BYTES = 4;
    private static final int DEVICE_GET = 1;
    private static final int DEVICE_INDEX = 1;
    private static final int XDP_FEATURES = 3;
    private static final int RECEIVE_METADATA = 5;
    private static final int SOCKET_FEATURES = 6;
    private static final int SCATTER = 1 << 5;
    private static final int RECEIVE_STAMP = 1;
    private static final int TRANSMIT_STAMP = 1;

    /**
     * {@return what the driver of this interface of the calling thread's namespace offers; nothing if the kernel does
     * not tell}
     */
    public static DriverFeatures of(int interfaceIndex) {
        try (NetlinkSocket socket = NetlinkSocket.generic()) {
            int family = family(socket);
            NetlinkRequest request = new NetlinkRequest(family, 0, GENERIC_BODY_BYTES)
                    .bodyByte(0, DEVICE_GET)
                    .bodyByte(1, 1)
                    .attribute(DEVICE_INDEX, bytes(interfaceIndex));
            List<NetlinkMessage> answer = socket.ask(request, GENERIC_BODY_BYTES, "ask what the driver offers");
            NetlinkMessage device = answer.get(0);
            return new DriverFeatures(
                    has(device, RECEIVE_METADATA, RECEIVE_STAMP),
                    has(device, SOCKET_FEATURES, TRANSMIT_STAMP),
                    has(device, XDP_FEATURES, SCATTER),
                    "");
        } catch (NicException e) {
            return new DriverFeatures(
                    false, false, false, "the kernel does not tell what the driver offers: " + e.getMessage());
        }
    }

    private static int family(NetlinkSocket socket) throws NicException {
        byte[] name = "netdev\0".getBytes(StandardCharsets.US_ASCII);
        NetlinkRequest request = new NetlinkRequest(CONTROL_FAMILY, 0, GENERIC_BODY_BYTES)
                .bodyByte(0, CONTROL_GET_FAMILY)
                .bodyByte(1, 1)
                .attribute(CONTROL_FAMILY_NAME, name);
        byte[] id = socket.ask(request, GENERIC_BODY_BYTES, "find the netdev family (Linux 6.3 and newer)")
                .get(0)
                .attribute(CONTROL_FAMILY_ID);
        if (id == null || id.length < Short.BYTES) {
            throw new NicException(
                    Errno.EINVAL.number(), "find the netdev family", "the kernel's answer has no number");
        }
        return ByteBuffer.wrap(id).order(ByteOrder.nativeOrder()).getShort() & 0xFFFF;
    }

    private static boolean has(NetlinkMessage device, int attribute, int bit) {
        byte[] value = device.attribute(attribute);
        return value != null && value.length >= Integer.BYTES && (NetlinkMessage.intAt(value) & bit) != 0;
    }

    private static byte[] bytes(int value) {
        return ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(value)
                .array();
    }
}
