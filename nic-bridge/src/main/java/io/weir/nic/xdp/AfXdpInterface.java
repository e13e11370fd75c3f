package io.weir.nic.xdp;

import io.weir.nic.NicException;
import io.weir.nic.host.HostInterface;
import io.weir.nic.net.DriverFeatures;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.KernelVersion;
import io.weir.nic.net.NetNamespace;
import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.runtime.XdpMode;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * An interface of this host, opened for a transport over AF_XDP; ports and ways are as of every {@link HostInterface}.
 */
public final class AfXdpInterface implements NetInterface {
    private final AfXdpPort port;
    private final HostInterface host;

    private AfXdpInterface(HostInterface host, AfXdpPort port) {
        this.port = port;
        this.host = host;
    }

    /** Opens a host's interface with {@code pool} as its memory. */
    public static AfXdpInterface open(AfXdpConfig config, FramePool pool) throws NicException {
        HostInterface host = open(config, plan -> List.of(new AfXdp(pool).open(config)));
        return new AfXdpInterface(host, (AfXdpPort) host.port());
    }

    /**
     * {@return a host's interface for each loop that shares it, with a pool for each: all are the same interface, and
     * each has a port for its part of the queues} What is asked of the interface as a whole is asked of the first.
     */
    public static List<AfXdpInterface> openQueues(AfXdpConfig config, List<FramePool> pools) throws NicException {
        List<AfXdpPort> ports = new ArrayList<>();
        HostInterface host = open(config, plan -> {
            ports.addAll(AfXdp.openQueues(config, pools));
            return ports;
        });
        return ports.stream().map(port -> new AfXdpInterface(host, port)).toList();
    }

    private static HostInterface open(AfXdpConfig config, HostInterface.Opener opener) throws NicException {
        return HostInterface.open(
                NetNamespace.of(config.namespace()),
                config.interfaceName(),
                config.addresses(),
                config.queues().isEmpty(),
                opener);
    }

    /** {@return the bytes of a slot that an interface of this MTU needs, unless its driver has zero-copy} */
    public static int slotBytes(int mtuBytes) {
        return Chunks.slotBytes(mtuBytes);
    }

    /**
     * {@return the bytes of a slot that this interface needs} Call it in the interface's namespace.
     *
     * @param mtuBytes the largest packet that the pool is to hold, at most the interface's
     */
    public static int slotBytes(AfXdpConfig config, InterfaceFacts device, int mtuBytes) {
        boolean isUnsafe = config.mode() != XdpMode.ZERO_COPY
                && UnsafeZeroCopy.problem(device.driver(), KernelVersion.running()) != null;
        boolean isCopying = config.forceCopy() || config.mode() == XdpMode.GENERIC || device.isVeth() || isUnsafe;
        if (isCopying) {
            return Chunks.slotBytes(mtuBytes);
        }
        DriverFeatures features = DriverFeatures.of(device.index());
        // An older kernel does not tell what the driver has.
        boolean mayBeZeroCopy = features.zeroCopy() || !features.problem().isEmpty();
        return mayBeZeroCopy ? Chunks.slotBytesWithoutCopying(mtuBytes) : Chunks.slotBytes(mtuBytes);
    }

    @Override
    public AfXdpPort port() {
        return port;
    }

    @Override
    public List<InetAddress> addresses() {
        return host.addresses();
    }

    @Override
    public Path resolve(int localPort, InetSocketAddress remote) throws IOException {
        return host.resolve(localPort, remote);
    }

    @Override
    public Path resolve(int localPort, InetSocketAddress remote, long waitNanosMax) throws IOException {
        return host.resolve(localPort, remote, waitNanosMax);
    }

    @Override
    public Path knownPath(int localPort, InetSocketAddress remote) {
        return host.knownPath(localPort, remote);
    }

    @Override
    public void claimPort(int udpPort) throws IOException {
        host.claimPort(udpPort);
    }

    @Override
    public void releasePort(int udpPort) {
        host.releasePort(udpPort);
    }

    @Override
    public void follow(InterfaceListener listener) throws NicException {
        host.follow(listener);
    }

    @Override
    public void findMacs(Collection<InetAddress> remotes) {
        host.findMacs(remotes);
    }

    @Override
    public void verify(InetAddress remote) {
        host.verify(remote);
    }

    @Override
    public Object host() {
        return host.host();
    }

    @Override
    public Waiter newWaiter() throws NicException {
        return host.newWaiter(port);
    }
}
