package io.weir.nic.broker;

import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;

/** A way, as the broker tells it. */
final class PathMessage {
    private PathMessage() {}

    static MessageWriter write(int request, Path path) {
        return new MessageWriter(MessageKind.PATH)
                .putInt(request)
                .putLong(path.localMac())
                .putLong(path.remoteMac())
                .putAddress(path.local())
                .putAddress(path.remote())
                .putInt(path.localPort())
                .putInt(path.remotePort());
    }

    /** {@return what follows the number of the request, or null if it is no way} */
    static Path read(MessageReader message) {
        long localMac = message.getLong();
        long remoteMac = message.getLong();
        IpAddress local = message.getAddress();
        IpAddress remote = message.getAddress();
        int localPort = message.getPort();
        int remotePort = message.getPort();
        boolean isGood = message.isWhole() && local.isV6() == remote.isV6();
        return isGood ? Path.from(localMac, local, localPort).to(remoteMac, remote, remotePort) : null;
    }
}
