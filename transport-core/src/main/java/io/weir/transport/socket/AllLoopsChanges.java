package io.weir.transport.socket;

import io.weir.transport.node.PortEnd;
import io.weir.transport.runtime.InterfaceListener;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/** Tells every loop of a transport how its interface changes; each looks whether it is concerned. */
record AllLoopsChanges(List<InterfaceChanges> loops) implements InterfaceListener {
    @Override
    public void onAddresses(List<InetAddress> addresses) {
        loops.forEach(loop -> loop.onAddresses(addresses));
    }

    @Override
    public void onMtu(int mtuBytes) {
        loops.forEach(loop -> loop.onMtu(mtuBytes));
    }

    @Override
    public void onPortChanged() {
        loops.forEach(InterfaceChanges::onPortChanged);
    }

    @Override
    public void onWaysChanged() {
        loops.forEach(InterfaceChanges::onWaysChanged);
    }

    @Override
    public void onMacs(long localMac, Map<InetAddress, Long> remoteMacs) {
        loops.forEach(loop -> loop.onMacs(localMac, remoteMacs));
    }

    @Override
    public void onReturned(long tag, InetSocketAddress remote, boolean isRefused) {
        loops.forEach(loop -> loop.onReturned(tag, remote, isRefused));
    }

    @Override
    public void onGone(PortEnd end) {
        loops.forEach(loop -> loop.onGone(end));
    }
}
