package io.weir.nic.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.Exchanges;
import io.weir.nic.testing.Ports;
import io.weir.nic.testing.SinkNode;
import io.weir.nic.testing.UdpFrames;
import io.weir.nic.xdp.AfXdpBackend;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.AfXdpPort;
import io.weir.nic.xdp.RingSizes;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameOwner;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import io.weir.transport.runtime.Backend;
import io.weir.transport.runtime.PortConfig;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests transports with one loop on interfaces with as many receive queues as servers' NICs have. */
@LiveTest
class ManyQueuesLiveTest {
    private static final int PORT = 4720;
    private static final int FRAMES_PER_QUEUE = 20;
    private static final InetSocketAddress SERVER = new InetSocketAddress(TwoHosts.ADDRESS_B, PORT);

    private static AfXdpConfig config(NetNamespace namespace, PortConfig port) {
        return AfXdpConfig.host(TwoHosts.INTERFACE)
                .namespace(namespace.name())
                .build()
                .with(port);
    }

    private static Transport open(NetNamespace namespace, PortConfig port) throws IOException {
        Backend.Opened opened = AfXdpBackend.open(config(namespace, port), port.frameCount());
        return Transport.open(List.of(opened), TransportConfig.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8, 16, 64})
    void transfer_everyQueueCount_isComplete(int queues) throws Exception {
        try (TwoHosts hosts = TwoHosts.create(link -> link.withQueues(queues));
                Exchanges exchanges = new Exchanges();
                Transport client = open(hosts.a(), PortConfig.DEFAULT);
                Transport server = open(hosts.b(), PortConfig.DEFAULT)) {
            exchanges.many(client, server, SERVER, 2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8, 16, 64})
    void receive_everyQueue_bringsItsFramesAndFramesAreLeftToSend(int queues) throws Exception {
        try (TwoHosts hosts = TwoHosts.create(link -> link.withQueues(queues))) {
            Backend.Opened receiver = AfXdpBackend.open(
                    Ports.host(hosts.b()).build().with(PortConfig.DEFAULT), PortConfig.DEFAULT.frameCount());
            List<Backend.Opened> senders = senders(hosts.a(), queues);
            AfXdpPort b = (AfXdpPort) receiver.netInterface().port();
            FramePool pool = receiver.pool();
            assertTrue(pool.count(FrameOwner.FILL) > 0, "frames to receive into");
            assertTrue(pool.available() >= pool.frameCount() / 4, pool.available() + " of " + pool.frameCount());
            SinkNode sink = new SinkNode();
            BitSet heard = new BitSet();
            UdpFrames writer = UdpFrames.fromAToB(hosts);
            // What a sender's socket of queue i transmits comes by the receiver's queue i.
            for (int i = 0; i < queues; i++) {
                AfXdpPort a = (AfXdpPort) senders.get(i).netInterface().port();
                Ports.send(a, senders.get(i).pool(), writer, FRAMES_PER_QUEUE, i);
                Ports.receive(b, a, sink, (i + 1L) * FRAMES_PER_QUEUE);
                for (Frame frame = sink.poll(); frame != null; frame = sink.poll()) {
                    heard.set((int) UdpFrames.mark(frame));
                    frame.release();
                }
            }
            assertTrue(heard.nextClearBit(0) >= queues, heard + " of " + queues);
            assertEquals(0, b.poolEmptyCount());
            senders.forEach(sender -> sender.netInterface().port().close());
            b.close();
            assertEquals(pool.frameCount(), pool.available());
        }
    }

    /** A port for each queue, each with few frames. */
    private static List<Backend.Opened> senders(NetNamespace namespace, int queues) throws IOException {
        AfXdpConfig config = AfXdpConfig.host(TwoHosts.INTERFACE)
                .namespace(namespace.name())
                .ringSizes(RingSizes.ofAll(64))
                .build();
        return queues == 1 ? List.of(AfXdpBackend.open(config, 256)) : AfXdpBackend.openQueues(config, queues, 256);
    }

    @Test
    void open_queuesFramesAndRingsChosen_hasThem() throws Exception {
        try (TwoHosts hosts = TwoHosts.create(link -> link.withQueues(4));
                Exchanges exchanges = new Exchanges()) {
            PortConfig chosen = PortConfig.DEFAULT
                    .withQueues(List.of(1, 3))
                    .withFrameCount(1_024)
                    .withRingFrames(256);
            Backend.Opened opened = AfXdpBackend.open(config(hosts.b(), chosen), chosen.frameCount());
            assertEquals(1_024, opened.pool().frameCount());
            assertEquals(2 * 256, opened.pool().count(FrameOwner.FILL));
            opened.netInterface().port().close();
            PortConfig first = chosen.withQueues(List.of(0));
            try (Transport client = open(hosts.a(), first);
                    Transport server = open(hosts.b(), PortConfig.DEFAULT)) {
                exchanges.many(client, server, SERVER, 1);
            }
        }
    }

    @Test
    void open_tooFewFramesChosen_isRefusedBeforeAnythingIsChanged() throws Exception {
        try (TwoHosts hosts = TwoHosts.create(link -> link.withQueues(4))) {
            PortConfig few = PortConfig.DEFAULT.withFrameCount(8_192).withRingFrames(2_048);
            ConfigException e = assertThrows(ConfigException.class, () -> open(hosts.b(), few));
            assertTrue(e.getMessage().contains("give at least 10923 frames (--frames"), e.getMessage());
            assertEquals(0, TwoHosts.facts(hosts.b()).xdpProgramId());
        }
    }

    @Test
    void transfer_fourQueuesAndThePoolOfOne_isComplete() throws Exception {
        try (TwoHosts hosts = TwoHosts.create(link -> link.withQueues(4));
                Exchanges exchanges = new Exchanges();
                Transport client = open(hosts.a(), PortConfig.DEFAULT.withFrameCount(8_192));
                Transport server = open(hosts.b(), PortConfig.DEFAULT.withFrameCount(8_192))) {
            assertEquals("native/copy", server.portInfo().mode());
            exchanges.many(client, server, SERVER, 2);
        }
    }
}
