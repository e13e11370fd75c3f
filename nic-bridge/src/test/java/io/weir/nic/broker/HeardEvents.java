package io.weir.nic.broker;

import io.weir.nic.ffi.Libc;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Notes what a client of a broker is told, and gives the memory and bells of peers back at once. */
final class HeardEvents implements BrokerConnection.BrokerEvents {
    /** The rings with another client. */
    record Pair(int frameBytesMax, long memoryBytes) {}

    final AtomicInteger peersCount = new AtomicInteger();
    /** The number of the latest peer. */
    final AtomicInteger peer = new AtomicInteger();
    /** The first rings with a peer. */
    final CompletableFuture<Pair> pair = new CompletableFuture<>();

    final AtomicInteger macsCount = new AtomicInteger();
    /** Of the interface, and of the broker. */
    final AtomicInteger goneCount = new AtomicInteger();

    private volatile Map<InetAddress, Long> latestMacs = Map.of();

    Map<InetAddress, Long> latestMacs() {
        return latestMacs;
    }

    @Override
    public void onPeer(int number, RegionLayout layout, int side, int memory, int bell) {
        pair.complete(new Pair(layout.frameBytesMax(), Libc.lengthBytes(memory)));
        Libc.close(memory);
        Libc.close(bell);
        peersCount.incrementAndGet();
        peer.set(number);
    }

    @Override
    public void onPeerWithoutDescriptors(int number) {}

    @Override
    public void onAddresses(List<InetAddress> addresses) {}

    @Override
    public void onMtu(int mtuBytes) {}

    @Override
    public void onPort(String failure) {}

    @Override
    public void onWaysChanged() {}

    @Override
    public void onMacs(long localMac, Map<InetAddress, Long> macs) {
        latestMacs = macs;
        macsCount.incrementAndGet();
    }

    @Override
    public void onReturned(long tag, InetSocketAddress remote, boolean isRefused) {}

    @Override
    public void onInterfaceGone() {
        goneCount.incrementAndGet();
    }

    @Override
    public void onBrokerGone(String reason) {
        goneCount.incrementAndGet();
    }
}
