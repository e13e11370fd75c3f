package io.weir.nic.testing;

import io.weir.transport.node.NetPort;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;

/** Does what another interface does; tests override what they change. */
public abstract class ForwardingInterface implements NetInterface {
    private final NetInterface inner;

    protected ForwardingInterface(NetInterface inner) {
        this.inner = inner;
    }

    @Override
    public NetPort port() {
        return inner.port();
    }

    @Override
    public List<InetAddress> addresses() {
        return inner.addresses();
    }

    @Override
    public Path resolve(int localPort, InetSocketAddress remote) throws IOException {
        return inner.resolve(localPort, remote);
    }

    @Override
    public Path knownPath(int localPort, InetSocketAddress remote) {
        return inner.knownPath(localPort, remote);
    }

    @Override
    public void claimPort(int udpPort) throws IOException {
        inner.claimPort(udpPort);
    }

    @Override
    public void releasePort(int udpPort) {
        inner.releasePort(udpPort);
    }

    @Override
    public void follow(InterfaceListener listener) throws IOException {
        inner.follow(listener);
    }

    @Override
    public void findMacs(Collection<InetAddress> remotes) {
        inner.findMacs(remotes);
    }

    @Override
    public void verify(InetAddress remote) {
        inner.verify(remote);
    }

    @Override
    public int memoryMtuBytes() {
        return inner.memoryMtuBytes();
    }

    @Override
    public Waiter newWaiter() throws IOException {
        return inner.newWaiter();
    }
}
