package io.weir.transport.socket;

import io.weir.transport.host.HostStack;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.wire.IpAddress;
import java.net.InetAddress;
import java.util.List;

/** Hands what changes at an interface to the host's stack, on the loop's thread. */
final class InterfaceChanges implements InterfaceListener {
    private final HostStack host;
    private final EventLoop loop;

    InterfaceChanges(HostStack host, EventLoop loop) {
        this.host = host;
        this.loop = loop;
    }

    @Override
    public void onAddresses(List<InetAddress> addresses) {
        List<IpAddress> ours = addresses.stream().map(IpAddress::of).toList();
        loop.execute(now -> host.setAddresses(ours));
    }
}
