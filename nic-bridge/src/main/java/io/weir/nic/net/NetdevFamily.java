package io.weir.nic.net;

import io.weir.nic.Errno;
import io.weir.nic.NicException;
import java.nio.charset.StandardCharsets;

/** The netdev family of generic netlink (Linux 6.3 and newer): what drivers offer, and how interfaces receive. */
record NetdevFamily(int id) {
    static final int DEVICE_GET = 1;
    static final int NAPI_SET = 14;
    /** The fixed body of each message. */
    static final int BODY_BYTES = 4;

    private static final int VERSION = 1;
    private static final int CONTROL_FAMILY = 16;
    private static final int CONTROL_GET_FAMILY = 3;
    private static final int CONTROL_FAMILY_ID = 1;
    private static final int CONTROL_FAMILY_NAME = 2;

    /** {@return the family, of which the running kernel chose the number} */
    static NetdevFamily find(NetlinkSocket socket) throws NicException {
        NetlinkRequest request = new NetdevFamily(CONTROL_FAMILY)
                .request(CONTROL_GET_FAMILY, 0)
                .attribute(CONTROL_FAMILY_NAME, "netdev\0".getBytes(StandardCharsets.US_ASCII));
        byte[] id = socket.ask(request, BODY_BYTES, "find the netdev family (Linux 6.3 and newer)")
                .get(0)
                .attribute(CONTROL_FAMILY_ID);
        if (id == null || id.length < Short.BYTES) {
            throw new NicException(
                    Errno.EINVAL.number(), "find the netdev family", "the kernel's answer has no number");
        }
        return new NetdevFamily(NetlinkMessage.shortAt(id));
    }

    /** {@return the beginning of a request of the family} */
    NetlinkRequest request(int command, int flags) {
        return new NetlinkRequest(id, flags, BODY_BYTES).bodyByte(0, command).bodyByte(1, VERSION);
    }
}
