package io.weir.transport.runtime;

import io.weir.transport.node.PortEnd;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/** Is told how an interface changes while it is open. Called by a thread of the interface's, never by the loop's. */
public interface InterfaceListener {
    /** These addresses are ours from now on, and no others. */
    void onAddresses(List<InetAddress> addresses);

    /** The largest IP packet is another, for whatever reason longer or shorter. */
    void onMtu(int mtuBytes);

    /** Whether the port can move frames has changed: {@link io.weir.transport.node.NetPort#failure} says it. */
    void onPortChanged();

    /** Ways to other hosts may have changed. What follows is {@link NetInterface#findMacs} for those that matter. */
    void onWaysChanged();

    /**
     * The answer to {@link NetInterface#findMacs}.
     *
     * @param localMac the interface's own Ethernet address
     * @param remoteMacs the Ethernet address of the next hop to each host, for those that have one
     */
    void onMacs(long localMac, Map<InetAddress, Long> remoteMacs);

    /**
     * The network has sent a frame back.
     *
     * @param tag the frame's tag, which the message quotes
     * @param remote where the frame was sent to
     * @param isRefused whether the host is there and nobody has the port; else the host cannot be reached
     */
    default void onReturned(long tag, InetSocketAddress remote, boolean isRefused) {}

    /**
     * The port moves no frames any more. This is the last event.
     *
     * @param end why not
     */
    void onGone(PortEnd end);
}
