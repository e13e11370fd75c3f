package io.weir.transport.socket;

import io.weir.transport.host.CloseReason;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostStack;
import io.weir.transport.node.PortEnd;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.wire.IpAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Hands what changes at an interface to the host's stack, on the loop's thread. */
final class InterfaceChanges implements InterfaceListener {
    private final NetInterface netInterface;
    private final HostStack host;
    private final EventLoop loop;
    private final Consumer<PortEnd> onGone;
    /** Written by the loop's thread. */
    private volatile boolean isMtuTooSmall;

    /** {@code onGone} runs on the loop's thread when the interface is gone and every connection has been told. */
    InterfaceChanges(NetInterface netInterface, HostStack host, EventLoop loop, Consumer<PortEnd> onGone) {
        this.netInterface = netInterface;
        this.host = host;
        this.loop = loop;
        this.onGone = onGone;
        host.setSilenceListener(
                connection -> netInterface.verify(connection.path().remote().toInetAddress()));
    }

    /** Whether no connection fits the interface's MTU now; any thread may ask. */
    boolean isMtuTooSmall() {
        return isMtuTooSmall;
    }

    @Override
    public void onAddresses(List<InetAddress> addresses) {
        List<IpAddress> ours = addresses.stream().map(IpAddress::of).toList();
        loop.execute(now -> {
            host.tick(now);
            host.network().setAddresses(ours);
        });
    }

    @Override
    public void onMtu(int mtuBytes) {
        loop.execute(now -> {
            isMtuTooSmall = mtuBytes < HostConfig.MTU_BYTES_MIN;
            host.network().setMtu(mtuBytes);
            if (isMtuTooSmall) {
                host.failPort(CloseReason.MTU_TOO_SMALL);
            }
        });
    }

    @Override
    public void onPortChanged() {
        // A cycle looks at the port.
        loop.execute(now -> {});
    }

    @Override
    public void onWaysChanged() {
        loop.execute(now -> netInterface.findMacs(
                host.network().remotes().stream().map(IpAddress::toInetAddress).toList()));
    }

    @Override
    public void onMacs(long localMac, Map<InetAddress, Long> remoteMacs) {
        Map<IpAddress, Long> macs = new HashMap<>();
        remoteMacs.forEach((address, mac) -> macs.put(IpAddress.of(address), mac));
        loop.execute(now -> host.network().setMacs(localMac, macs));
    }

    @Override
    public void onReturned(long tag, InetSocketAddress remote, boolean isRefused) {
        IpAddress address = IpAddress.of(remote.getAddress());
        CloseReason reason = isRefused ? CloseReason.REFUSED : CloseReason.UNREACHABLE;
        loop.execute(now -> {
            host.tick(now);
            host.network().onReturned(tag, address, remote.getPort(), reason);
        });
    }

    @Override
    public void onGone(PortEnd end) {
        loop.execute(now -> {
            host.failPort(CloseReason.of(end));
            onGone.accept(end);
        });
    }
}
