package io.weir.netty;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.xdp.AfXdpBackend;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests groups of several event loops over AF_XDP: a veth pair with two queues on each side. */
@ExtendWith(LeakCheck.class)
class SeveralLoopsLiveTest {
    private static final int QUEUES = 2;
    private static final int FRAMES = 4_096;
    private static final int PORT = 4720;

    private static EventLoopGroup group(NetNamespace namespace) {
        AfXdpConfig config =
                AfXdpConfig.host(TwoHosts.INTERFACE).namespace(namespace.name()).build();
        return new MultiThreadIoEventLoopGroup(
                QUEUES,
                WeirIoHandler.newFactory(() -> Transport.open(
                        AfXdpBackend.openQueues(config, QUEUES, FRAMES),
                        TransportConfig.builder().idleMode(IdleMode.INVOKER).build())));
    }

    /** The neighbours are not known before: the first channels wait for them on another thread. */
    @Test
    void group_manyChannels_eachOnTheLoopOfItsConnection() throws Exception {
        try (TwoHosts hosts = TwoHosts.create(link -> link.withQueues(QUEUES))) {
            EventLoopGroup client = group(hosts.a());
            EventLoopGroup server = group(hosts.b());
            try {
                SeveralLoopsTest.assertEveryLoopCarries(
                        client, server, new InetSocketAddress(TwoHosts.ADDRESS_B, PORT));
            } finally {
                client.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
                server.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
            }
        }
    }
}
