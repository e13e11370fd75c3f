package io.weir.nic.broker;

import io.weir.nic.NicException;
import io.weir.nic.ffi.Libc;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.PortEnd;
import io.weir.transport.node.PortInfo;
import io.weir.transport.node.StampSources;
import io.weir.transport.runtime.InterfaceListener;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.runtime.Waiter;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A broker's interface, opened for a transport of a client. It needs no privilege and asks the kernel for nothing. */
final class BrokerInterface implements NetInterface, BrokerConnection.BrokerEvents {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerInterface.class);

    private final BrokerConnection connection;
    private final FramePool pool;
    private final BrokerPort port;
    private final int memoryMtuBytes;
    /** Replaced as a whole by the connection's thread. */
    private volatile List<InetAddress> addresses;
    /** Null until {@link #follow}. With the lock, as all that is told to it. */
    private InterfaceListener listener;
    /** Why the interface or the broker is gone, or null. With the lock. */
    private PortEnd end;

    private BrokerInterface(BrokerConnection connection, BrokerConnection.Welcome welcome, FramePool pool)
            throws NicException {
        this.connection = connection;
        this.pool = pool;
        this.memoryMtuBytes = welcome.memoryMtuBytes();
        this.addresses =
                welcome.addresses().stream().map(IpAddress::toInetAddress).toList();
        PortInfo info = new PortInfo(
                welcome.interfaceName(),
                BrokerBackend.NAME,
                "shared memory",
                "by the broker, process " + connection.brokerProcessId() + ", over " + welcome.mode(),
                StampSources.software("frames come through the broker"),
                welcome.macAddress(),
                welcome.mtuBytes(),
                welcome.linkRateBps());
        RegionPort uplink = open(
                info(info, "the broker's rings", welcome.mtuBytes()),
                welcome.layout(),
                1,
                welcome.memory(),
                welcome.bell(),
                true);
        this.port = new BrokerPort(info, uplink, connection::dropPeer, connection::close);
        LOG.info(
                "port opened interface={} backend={} brokerProcess={} mtuBytes={} memoryMtuBytes={}",
                info.name(),
                info.backend(),
                connection.brokerProcessId(),
                info.mtuBytes(),
                memoryMtuBytes);
    }

    private static PortInfo info(PortInfo info, String name, int mtuBytes) {
        return new PortInfo(
                name,
                info.backend(),
                info.mode(),
                info.modeReason(),
                info.stamps(),
                info.macAddress(),
                mtuBytes,
                info.linkRateBps());
    }

    /**
     * {@return a port over descriptors, of which that of the memory is closed, and both if it fails}
     *
     * @param isAsked whether this side has asked for it, and so makes the memory's pages
     */
    private RegionPort open(PortInfo info, RegionLayout layout, int side, int memory, int bell, boolean isAsked)
            throws NicException {
        RegionPort opened = null;
        try {
            SharedRegion region =
                    isAsked ? SharedRegion.map(layout, memory) : SharedRegion.mapUnpopulated(layout, memory);
            opened = new RegionPort(info, pool, region, new Bell(bell), side);
            return opened;
        } finally {
            Libc.close(memory);
            if (opened == null) {
                Libc.close(bell);
            }
        }
    }

    /** Opens the interface of the broker at the other end of a connection, which it owns from now on. */
    static BrokerInterface open(BrokerConnection connection, BrokerConnection.Welcome welcome, FramePool pool)
            throws NicException {
        BrokerInterface opened = new BrokerInterface(connection, welcome, pool);
        connection.start(opened, welcome.interfaceName());
        return opened;
    }

    @Override
    public BrokerPort port() {
        return port;
    }

    @Override
    public List<InetAddress> addresses() {
        return addresses;
    }

    @Override
    public Path resolve(int localPort, InetSocketAddress remote) throws IOException {
        return resolve(localPort, remote, Long.MAX_VALUE);
    }

    @Override
    public Path resolve(int localPort, InetSocketAddress remote, long waitNanosMax) throws IOException {
        if (remote.isUnresolved()) {
            throw new UnknownHostException(remote.getHostString());
        }
        return connection.resolve(localPort, remote, waitNanosMax);
    }

    @Override
    public void claimPort(int udpPort) throws IOException {
        connection.claim(udpPort);
    }

    @Override
    public void releasePort(int udpPort) {
        connection.release(udpPort);
    }

    @Override
    public void findMacs(Collection<InetAddress> remotes) {
        connection.findMacs(List.copyOf(remotes));
    }

    @Override
    public void verify(InetAddress remote) {
        connection.verify(remote);
    }

    @Override
    public Object host() {
        return "broker " + connection.path().toAbsolutePath();
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public int memoryMtuBytes() {
        return memoryMtuBytes;
    }

    @Override
    public Waiter newWaiter() throws NicException {
        RegionWaiter waiter = new RegionWaiter(-1);
        port.setWaiter(waiter);
        return waiter;
    }

    // ---- what the broker tells

    @Override
    public synchronized void follow(InterfaceListener changes) {
        listener = changes;
        changes.onAddresses(addresses);
        if (end != null) {
            changes.onGone(end);
        }
    }

    @Override
    public void onPeer(int number, RegionLayout layout, int side, int memory, int bell) {
        try {
            PortInfo peerInfo = info(port.info(), "the rings with client " + number + " of the broker", memoryMtuBytes);
            port.addPeer(number, open(peerInfo, layout, side, memory, bell, side == ClientPairs.ASKER_SIDE));
        } catch (NicException e) {
            LOG.warn("interface={} peer={} has no rings", port.info().name(), number, e);
            connection.dropPeer(number);
        }
    }

    @Override
    public void onPeerWithoutDescriptors(int number) {
        LOG.warn(
                "interface={} peer={} has no rings: no descriptor is free; raise the limit of open files (ulimit -n)",
                port.info().name(),
                number);
        connection.dropPeer(number);
    }

    /** Tells the transport, once there is one. */
    private synchronized void tell(Consumer<InterfaceListener> news) {
        if (listener != null) {
            try {
                news.accept(listener);
            } catch (RejectedExecutionException e) {
                LOG.debug("interface={} is closed already", port.info().name(), e);
            }
        }
    }

    @Override
    public void onAddresses(List<InetAddress> newAddresses) {
        addresses = newAddresses;
        tell(told -> told.onAddresses(newAddresses));
    }

    @Override
    public void onMtu(int mtuBytes) {
        tell(told -> told.onMtu(mtuBytes));
    }

    @Override
    public void onPort(String failure) {
        port.setImpairment(failure);
        tell(InterfaceListener::onPortChanged);
    }

    @Override
    public void onWaysChanged() {
        tell(InterfaceListener::onWaysChanged);
    }

    @Override
    public void onMacs(long localMac, Map<InetAddress, Long> macs) {
        tell(told -> told.onMacs(localMac, macs));
    }

    @Override
    public void onReturned(long tag, InetSocketAddress remote, boolean isRefused) {
        tell(told -> told.onReturned(tag, remote, isRefused));
    }

    @Override
    public void onInterfaceGone() {
        end(
                PortEnd.INTERFACE_DELETED,
                PortEnd.INTERFACE_DELETED.sentenceOf("interface " + port.info().name()));
    }

    @Override
    public void onBrokerGone(String reason) {
        end(PortEnd.BROKER_ENDED, reason);
    }

    /** The first cause stays: a broker whose interface is gone ends. */
    private synchronized void end(PortEnd cause, String sentence) {
        if (end == null) {
            end = cause;
            port.setEnd(cause, sentence);
            LOG.warn("interface={} end=\"{}\"", port.info().name(), sentence);
            tell(told -> told.onGone(cause));
        }
    }
}
