package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.SinkNode;
import io.weir.nic.testing.TwoHosts;
import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests {@link AfXdpPort} on real interfaces. */
@LiveTest
class AfXdpPortLiveTest {
    private static final int PORT = 9000;

    @ParameterizedTest
    @EnumSource(value = XdpMode.class)
    void transmit_toAPortOfTheSamePool_arrivesUnchanged(XdpMode mode) throws Exception {
        FramePool pool = new FramePool(8192, 2048, true);
        SinkNode sink = new SinkNode();
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort a = xdp.open(AfXdpConfig.host(TwoHosts.INTERFACE)
                    .namespace(hosts.a().name())
                    .mode(mode)
                    .udpPorts(PORT)
                    .build());
            AfXdpPort b = xdp.open(AfXdpConfig.host(TwoHosts.INTERFACE)
                    .namespace(hosts.b().name())
                    .mode(mode)
                    .udpPorts(PORT)
                    .build());
            System.out.println(a.info());
            System.out.println(b.info());
            UdpFrames writer = hosts.fromAToB();
            for (int i = 0; i < 1000; i++) {
                a.transmit(writer.write(pool.allocate(), 200, 100, PORT, i));
                if (a.transmitCapacity() < 100 || i % 64 == 63) {
                    a.flush();
                }
                b.pollReceive(sink, 0, 64, i);
            }
            a.flush();
            Deadline.await("arrival", () -> {
                a.flush();
                b.pollReceive(sink, 0, 64, 5);
                return sink.frameCount() == 1000;
            });
            for (int i = 0; i < 1000; i++) {
                Frame f = sink.poll();
                assertNotNull(f);
                assertEquals(i, UdpFrames.mark(f));
                f.release();
            }
            System.out.println(b.statistics() + " calls " + a.nativeCallCount() + " " + b.nativeCallCount());
        }
        assertEquals(pool.frameCount(), pool.available());
    }
}
