package io.weir.netty;

import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryLink;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Two hosts on a link in memory. Their addresses are not of the loopback network, which a transport reaches without a
 * link.
 */
final class MemoryHosts {
    /** Tests of shaped traffic take whole messages of some kilobytes for granted, as on a loopback interface. */
    private static final int MTU_BYTES = 9_000;

    private static final long LINK_RATE_BPS = 10_000_000_000L;
    private static final int FRAMES = 4_096;
    private static final int FRAME_BYTES = 10_240;

    private MemoryHosts() {}

    static TwoGroups open() {
        return open(false);
    }

    static TwoGroups open(boolean isLossy) {
        return pair(TransportConfig.builder(), isLossy).open();
    }

    /** {@return two hosts whose transports are not open yet} */
    static Pair pair() {
        return pair(TransportConfig.builder(), false);
    }

    /** {@return two hosts of this configuration whose transports are not open yet} */
    static Pair pair(TransportConfig.Builder config) {
        return pair(config, false);
    }

    /**
     * {@return two hosts whose transports are not open yet, on a link that perhaps loses frames and lets some be
     * overtaken}
     */
    private static Pair pair(TransportConfig.Builder builder, boolean isLossy) {
        TransportConfig config = builder.idleMode(IdleMode.INVOKER).build();
        FramePool left = new FramePool(FRAMES, FRAME_BYTES);
        FramePool right = new FramePool(FRAMES, FRAME_BYTES);
        MemoryLink link = new MemoryLink(
                MemoryLink.info("mem0", 0x02_00_00_00_00_01L, MTU_BYTES, LINK_RATE_BPS),
                left,
                MemoryLink.info("mem1", 0x02_00_00_00_00_02L, MTU_BYTES, LINK_RATE_BPS),
                right);
        MemoryNetwork network = new MemoryNetwork();
        NetInterface near = network.attach(link.left(), address("10.78.0.2"));
        InetAddress silent = address("10.78.0.3");
        network.attach(link.right(), silent);
        InetAddress served = address("10.78.0.1");
        NetInterface far = network.attach(link.right(), served);
        NetInterface client = isLossy ? new LossyInterface(near, 1) : near;
        NetInterface server = isLossy ? new LossyInterface(far, 2) : far;
        return new Pair(
                () -> Transport.open(client, left, config),
                () -> Transport.open(server, right, config),
                new InetSocketAddress(served, 0),
                silent,
                List.of(left, right));
    }

    /**
     * Two hosts.
     *
     * @param silentAddress where nobody answers
     * @param pools where the frames of each come from
     */
    record Pair(
            TransportOpener client,
            TransportOpener server,
            InetSocketAddress serverAddress,
            InetAddress silentAddress,
            List<FramePool> pools) {
        TwoGroups open() {
            return new TwoGroups(client, server, serverAddress, silentAddress);
        }
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
