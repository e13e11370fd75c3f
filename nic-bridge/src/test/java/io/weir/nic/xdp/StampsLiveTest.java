package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.DriverFeatures;
import io.weir.nic.testing.Ports;
import io.weir.nic.testing.SinkNode;
import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.StampSources;
import io.weir.transport.runtime.XdpMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Asks the drivers of this machine for stamps: a veth's offers to, and has none to give; the kernel has. */
@LiveTest
class StampsLiveTest {
    private static final int FRAMES = 100;

    private static TwoHosts hosts;

    private final FramePool pool = new FramePool(8192, 2048, true);
    private final AfXdp xdp = new AfXdp(pool);

    @BeforeAll
    static void setUp() throws Exception {
        hosts = TwoHosts.create(TwoHosts::withoutIpv6);
    }

    @AfterAll
    static void tearDown() {
        hosts.close();
    }

    @AfterEach
    void closePorts() {
        xdp.close();
    }

    @Test
    void features_veth_receiveAlone() throws Exception {
        int index = TwoHosts.facts(hosts.a()).index();
        DriverFeatures features = hosts.a().call(() -> DriverFeatures.of(index));
        assertEquals(new DriverFeatures(true, true, false, false, true, ""), features);
    }

    @Test
    void features_loopback_none() throws Exception {
        assertEquals(
                new DriverFeatures(false, false, false, false, false, ""),
                hosts.a().call(() -> DriverFeatures.of(1)));
    }

    @Test
    void features_noSuchInterface_saysSo() throws Exception {
        DriverFeatures features = hosts.a().call(() -> DriverFeatures.of(987_654));
        assertTrue(features.problem().startsWith("the kernel does not tell"), features.problem());
    }

    @Test
    void open_auto_vethIsNotBelievedAndTheKernelStamps() throws Exception {
        AfXdpPort port = xdp.open(Ports.host(hosts.a()).build());
        assertEquals(StampSources.Source.KERNEL, port.info().stamps().receive());
        assertTrue(
                port.info().stamps().reason().startsWith("receive: driver veth offers those of packets"),
                port.info().stamps().reason());
    }

    @Test
    void open_hardware_programAsksTheDeviceAndFramesPass() throws Exception {
        AfXdpPort receiver =
                xdp.open(Ports.host(hosts.b()).stamps(StampMode.HARDWARE).build());
        AfXdpPort sender = xdp.open(Ports.host(hosts.a()).build());
        assertEquals(StampSources.Source.HARDWARE, receiver.info().stamps().receive());
        SinkNode sink = new SinkNode();
        Ports.send(sender, pool, UdpFrames.fromAToB(hosts), FRAMES, 1);
        Ports.receive(receiver, sender, sink, FRAMES);
        assertEquals(FRAMES, sink.lastMark());
        assertEquals(FRAMES, receiver.stampedCount() + receiver.unstampedCount());
        assertEquals(0, receiver.stampedCount(), "a veth had a stamp: believe it in StampPlan");
        sink.releaseAll();
    }

    @ParameterizedTest
    @EnumSource(
            value = XdpMode.class,
            names = {"NATIVE", "GENERIC"})
    void open_auto_framesBearTheTimeBeforeTheyWereFound(XdpMode mode) throws Exception {
        AfXdpPort receiver = xdp.open(Ports.host(hosts.b()).mode(mode).build());
        AfXdpPort sender = xdp.open(Ports.host(hosts.a()).build());
        SinkNode sink = new SinkNode();
        Ports.send(sender, pool, UdpFrames.fromAToB(hosts), FRAMES, 1);
        Ports.receive(receiver, sender, sink, FRAMES);
        assertEquals(FRAMES, sink.lastMark());
        assertEquals(FRAMES, receiver.stampedCount());
        assertEquals(0, receiver.unstampedCount());
        sink.releaseAll();
    }

    @Test
    void open_software_nothingIsStamped() throws Exception {
        AfXdpPort port =
                xdp.open(Ports.host(hosts.a()).stamps(StampMode.SOFTWARE).build());
        assertEquals("software asked for", port.info().stamps().reason());
        assertEquals(StampSources.Source.SOFTWARE, port.info().stamps().receive());
    }

    @Test
    void open_hardwareInGenericMode_isRefusedWithTheReason() {
        NicException e = assertThrows(
                NicException.class,
                () -> xdp.open(Ports.host(hosts.a())
                        .stamps(StampMode.HARDWARE)
                        .mode(XdpMode.GENERIC)
                        .build()));
        assertTrue(
                e.getMessage().contains("cannot stamp frames: receive: only programs in the driver"), e.getMessage());
    }

    @Test
    void open_switchPort_saysThatItMeasuresNothing() throws Exception {
        AfXdpPort port = xdp.open(Ports.switchPort(hosts.a()).build());
        assertEquals("a switch measures no delays", port.info().stamps().reason());
    }
}
