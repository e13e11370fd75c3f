package io.weir.nic.xdp;

import static io.weir.transport.time.Deadline.NO_DEADLINE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.host.PollWaiter;
import io.weir.nic.lab.Lab;
import io.weir.nic.lab.LabEnd;
import io.weir.nic.lab.LabLink;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.InterfaceFacts;
import io.weir.nic.net.Interfaces;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.Ports;
import io.weir.nic.testing.SinkNode;
import io.weir.nic.testing.Sleeps;
import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameOwner;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.PortEnd;
import io.weir.transport.runtime.XdpMode;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how {@link AfXdpPort} moves frames on real interfaces. */
@LiveTest
class AfXdpPortLiveTest {
    private static final String DELETED = PortEnd.INTERFACE_DELETED.sentenceOf("interface weir0");
    private static final RingSizes SMALL = RingSizes.ofAll(256);

    private final FramePool pool = new FramePool(2048, 2048, true);
    private final SinkNode sink = new SinkNode();

    @ParameterizedTest
    @EnumSource(
            value = XdpMode.class,
            names = {"AUTO", "NATIVE", "GENERIC"})
    void transmit_eachMode_framesArriveInOrderAndUnchanged(XdpMode mode) throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort a =
                    xdp.open(Ports.host(hosts.a()).mode(mode).ringSizes(SMALL).build());
            AfXdpPort b =
                    xdp.open(Ports.host(hosts.b()).mode(mode).ringSizes(SMALL).build());
            assertEquals(
                    mode == XdpMode.GENERIC ? "generic/copy" : "native/copy",
                    a.info().mode());
            for (int batch = 0; batch < 20; batch++) {
                Ports.send(a, pool, UdpFrames.fromAToB(hosts), 100, batch * 100L);
                Ports.receive(b, a, sink, (batch + 1) * 100L);
                for (int i = 0; i < 100; i++) {
                    Frame frame = sink.poll();
                    assertEquals(batch * 100 + i, UdpFrames.mark(frame));
                    assertEquals(UdpFrames.HEADER_BYTES + 100, frame.length());
                    assertEquals(256, frame.offset());
                    frame.release();
                }
            }
            assertEquals(XdpStatistics.NONE.receiveDropped(), b.statistics().receiveDropped());
        }
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void info_opened_tellsFactsAndReasons() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort a = xdp.open(Ports.host(hosts.a()).ringSizes(SMALL).build());
            AfXdpPort b = xdp.open(
                    Ports.host(hosts.b()).ringSizes(SMALL).forceCopy(true).build());
            InterfaceFacts facts = TwoHosts.facts(hosts.a());
            assertEquals("weir0", a.info().name());
            assertEquals("afxdp", a.info().backend());
            assertEquals(facts.macAddress(), a.info().macAddress());
            assertEquals(1500, a.info().mtuBytes());
            assertEquals(InterfaceFacts.VETH_RATE_BPS, a.info().linkRateBps());
            assertEquals(
                    "native tried first and accepted; zero-copy refused by driver veth: EOPNOTSUPP (operation not"
                            + " supported); busy polling while traffic is bulk",
                    a.info().modeReason());
            assertEquals(
                    "native tried first and accepted; copying asked for; busy polling while traffic is bulk",
                    b.info().modeReason());
            assertTrue(facts.xdpProgramId() > 0);
        }
    }

    @Test
    void open_mtuTooLargeForTheDriver_fallsBackToGenericSayingWhy() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(new FramePool(1024, AfXdpInterface.slotBytes(9000), true))) {
            addBridge(hosts);
            AfXdpPort bridge = xdp.open(AfXdpConfig.switchPort("bridge9")
                    .namespace(hosts.a().name())
                    .ringSizes(SMALL)
                    .build());
            assertEquals("generic/copy", bridge.info().mode());
            assertEquals(
                    "MTU 9000 of bridge9 exceeds 3498, the most that driver bridge can hand to an XDP program (it has no"
                            + " frames in several pieces); the generic path always copies",
                    bridge.info().modeReason());
        }
    }

    @Test
    void open_mtuTooLargeForTheDriverInNativeMode_isRefusedBeforeAnythingIsChanged() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(new FramePool(1024, AfXdpInterface.slotBytes(9000), true))) {
            addBridge(hosts);
            AfXdpConfig config = AfXdpConfig.switchPort("bridge9")
                    .namespace(hosts.a().name())
                    .mode(XdpMode.NATIVE)
                    .ringSizes(SMALL)
                    .build();
            NicException e = assertThrows(NicException.class, () -> xdp.open(config));
            assertEquals(
                    "MTU 9000 of bridge9 exceeds 3498, the most that driver bridge can hand to an XDP program (it has no"
                            + " frames in several pieces); use mode auto or generic, or lower it: ip link set bridge9 mtu"
                            + " 3498",
                    e.getMessage());
            assertEquals(1024, xdp.pool().available());
        }
    }

    /** An interface whose driver runs no XDP programs. */
    private static void addBridge(TwoHosts hosts) throws Exception {
        hosts.lab().run(hosts.a(), "ip", "link", "add", "bridge9", "mtu", "9000", "type", "bridge");
        hosts.lab().run(hosts.a(), "ip", "link", "set", "bridge9", "up");
    }

    @ParameterizedTest
    @EnumSource(
            value = XdpMode.class,
            names = {"AUTO", "NATIVE", "GENERIC"})
    void transmit_framesOfEverySizeUpTo9000_arriveInOrderAndUnchanged(XdpMode mode) throws Exception {
        FramePool large = new FramePool(1024, AfXdpInterface.slotBytes(9000), true);
        try (TwoHosts hosts = TwoHosts.create(link -> link.withMtuBytes(9000));
                AfXdp xdp = new AfXdp(large)) {
            AfXdpPort a =
                    xdp.open(Ports.host(hosts.a()).mode(mode).ringSizes(SMALL).build());
            AfXdpPort b =
                    xdp.open(Ports.host(hosts.b()).mode(mode).ringSizes(SMALL).build());
            assertEquals(
                    mode == XdpMode.GENERIC ? "generic/copy" : "native/copy",
                    a.info().mode());
            int count = 0;
            for (int payloadBytes = 8; payloadBytes <= 8972; payloadBytes += payloadBytes < 3700 ? 41 : 53) {
                // Pieces begin and end at every place of a chunk.
                int offset = count * 13 % 1024;
                Frame sent =
                        UdpFrames.fromAToB(hosts).write(large.allocate(), offset, payloadBytes, Ports.UDP_PORT, count);
                int length = sent.length();
                for (int i = UdpFrames.HEADER_BYTES + 8; i < length; i++) {
                    sent.buffer().putByte(offset + i, (byte) (i * 31 + count));
                }
                assertTrue(a.transmitCapacity() > 0);
                a.transmit(sent);
                a.flush();
                Ports.receive(b, a, sink, count + 1);
                Frame frame = sink.poll();
                assertEquals(count, UdpFrames.mark(frame));
                assertEquals(length, frame.length());
                for (int i = UdpFrames.HEADER_BYTES + 8; i < length; i++) {
                    assertEquals((byte) (i * 31 + count), frame.buffer().getByte(frame.offset() + i), "byte " + i);
                }
                frame.release();
                count++;
            }
            assertEquals(XdpStatistics.NONE.receiveDropped(), b.statistics().receiveDropped());
        }
        assertEquals(large.frameCount(), large.available());
    }

    @Test
    void open_peerEndWithALargerMtu_nativeAllTheSame() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            hosts.lab().run(hosts.b(), "ip", "link", "set", TwoHosts.INTERFACE, "mtu", "9000");
            AfXdpPort a = xdp.open(
                    Ports.host(hosts.a()).mode(XdpMode.NATIVE).ringSizes(SMALL).build());
            assertEquals("native/copy", a.info().mode());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1500, 3506, 3800})
    void transmit_largestFrame_arrives(int mtuBytes) throws Exception {
        FramePool large = new FramePool(1024, 4096, true);
        try (TwoHosts hosts = TwoHosts.create(link -> link.withMtuBytes(mtuBytes));
                AfXdp xdp = new AfXdp(large)) {
            AfXdpPort a = xdp.open(
                    Ports.host(hosts.a()).mode(XdpMode.NATIVE).ringSizes(SMALL).build());
            AfXdpPort b = xdp.open(
                    Ports.host(hosts.b()).mode(XdpMode.NATIVE).ringSizes(SMALL).build());
            a.transmit(UdpFrames.fromAToB(hosts).write(large.allocate(), 0, mtuBytes - 28, Ports.UDP_PORT, 5));
            a.flush();
            Ports.receive(b, a, sink, 1);
            Frame frame = sink.poll();
            assertEquals(mtuBytes + 14, frame.length());
            assertEquals(5, UdpFrames.mark(frame));
            frame.release();
        }
        assertEquals(large.frameCount(), large.available());
    }

    @Test
    void transmit_frameReceivedByAnotherPortOfThePool_leavesWithoutACopy() throws Exception {
        FramePool ends = new FramePool(1024, 2048, true);
        SinkNode arrived = new SinkNode();
        try (Lab lab = Lab.create();
                AfXdp hosts = new AfXdp(ends);
                AfXdp xdp = new AfXdp(pool)) {
            NetNamespace a = lab.namespace("a");
            NetNamespace b = lab.namespace("b");
            NetNamespace middle = lab.namespace("switch");
            lab.link(LabLink.between(new LabEnd(a, "weir0"), new LabEnd(middle, "p0")));
            lab.link(LabLink.between(new LabEnd(b, "weir0"), new LabEnd(middle, "p1")));
            AfXdpPort left = xdp.open(AfXdpConfig.switchPort("p0")
                    .namespace(middle.name())
                    .ringSizes(SMALL)
                    .build());
            AfXdpPort right = xdp.open(AfXdpConfig.switchPort("p1")
                    .namespace(middle.name())
                    .ringSizes(SMALL)
                    .build());
            AfXdpPort sender = hosts.open(Ports.switchPort(a).ringSizes(SMALL).build());
            AfXdpPort receiver = hosts.open(Ports.switchPort(b).ringSizes(SMALL).build());
            UdpFrames writer = new UdpFrames(1, "10.0.0.1", 2, "10.0.0.2");
            Ports.send(sender, ends, writer, 1, 4711);
            Ports.receive(left, sender, sink, 1);

            Frame received = sink.poll();
            assertEquals(0, received.ingressPort());
            int index = received.index();
            right.transmit(received);
            assertSame(received, pool.frame(index));
            assertEquals(FrameOwner.TRANSMIT, received.owner());
            right.flush();
            Ports.receive(receiver, right, arrived, 1);
            Frame last = arrived.poll();
            assertEquals(4711, UdpFrames.mark(last));
            last.release();
            Deadline.await("completion", () -> right.transmitCapacity() > 0 && received.owner() == FrameOwner.FREE);
        }
        assertEquals(pool.frameCount(), pool.available());
        assertEquals(ends.frameCount(), ends.available());
    }

    @Test
    void pollReceive_poolEmpty_countsItAndResumesWhenFramesComeBack() throws Exception {
        FramePool small = new FramePool(344, 2048, true);
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp senders = new AfXdp(pool);
                AfXdp xdp = new AfXdp(small)) {
            AfXdpPort a = senders.open(Ports.host(hosts.a()).ringSizes(SMALL).build());
            AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build());
            // The Node keeps everything: 344 frames can arrive at most, the rest finds the fill ring empty.
            for (int i = 0; i < 8; i++) {
                Ports.send(a, pool, UdpFrames.fromAToB(hosts), 64, i * 64L);
                b.pollReceive(sink, 0, 64, 1);
            }
            Deadline.await("starvation", () -> {
                a.flush();
                b.pollReceive(sink, 0, 64, 1);
                return sink.frameCount() == small.frameCount() && b.statistics().fillRingEmpty() > 0;
            });
            assertEquals(0, small.available());
            assertTrue(b.poolEmptyCount() > 0);
            assertNull(b.failure());

            sink.releaseAll();
            b.pollReceive(sink, 0, 64, 1);
            Ports.send(a, pool, UdpFrames.fromAToB(hosts), 10, 9_000);
            Ports.receive(b, a, sink, small.frameCount() + 10);
            sink.releaseAll();
        }
        assertEquals(small.frameCount(), small.available());
    }

    @Test
    void open_severalQueues_framesOfEachArrive() throws Exception {
        try (TwoHosts hosts = TwoHosts.create(link -> link.withQueues(2));
                AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build());
            assertEquals(512, pool.count(FrameOwner.FILL));
            // A frame keeps the queue number by which it was sent.
            for (int queue = 0; queue < 2; queue++) {
                try (AfXdpPort a = xdp.open(
                        Ports.host(hosts.a()).queues(queue).ringSizes(SMALL).build())) {
                    Ports.send(a, pool, UdpFrames.fromAToB(hosts), 10, queue);
                    Ports.receive(b, a, sink, 10L * (queue + 1));
                }
            }
            try (PollWaiter waiter = new PollWaiter(b.pollFileDescriptor())) {
                AfXdpPort a = xdp.open(
                        Ports.host(hosts.a()).queues(1).ringSizes(SMALL).build());
                Ports.send(a, pool, UdpFrames.fromAToB(hosts), 1, 0);
                Sleeps.requireCutShort(waiter);
                Ports.receive(b, a, sink, 21);
            }
            sink.releaseAll();
        }
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void open_withoutNeedWakeupAndWithBusyPolling_framesArrive() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort a = xdp.open(
                    Ports.host(hosts.a()).needWakeup(false).ringSizes(SMALL).build());
            AfXdpPort b = xdp.open(Ports.host(hosts.b())
                    .busyPoll(BusyPoll.always(20, 64))
                    .ringSizes(SMALL)
                    .build());
            Ports.send(a, pool, UdpFrames.fromAToB(hosts), 50, 0);
            Ports.receive(b, a, sink, 50);
            sink.releaseAll();
        }
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void flush_moreThanOneCallTakes_theNextFlushGoesOn() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort a = xdp.open(Ports.host(hosts.a())
                    .transmitBudgetFrames(32)
                    .ringSizes(SMALL)
                    .build());
            AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build());
            for (int i = 0; i < 100; i++) {
                a.transmit(UdpFrames.fromAToB(hosts).write(pool.allocate(), 128, 100, Ports.UDP_PORT, i));
            }
            for (int flush = 1; flush <= 4; flush++) {
                a.flush();
                assertEquals(flush, a.nativeCallCount());
                long framesSent = Math.min(100, flush * 32L);
                Deadline.await(framesSent + " frames", () -> {
                    b.pollReceive(sink, 0, 64, 1);
                    return sink.frameCount() == framesSent;
                });
            }
            a.flush();
            assertEquals(4, a.nativeCallCount(), "asked although everything had left");
            sink.releaseAll();
        }
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void flush_receivingSideFallsBehind_framesWaitInsteadOfGettingLost() throws Exception {
        long frames = 100_000;
        int burstFrames = 64;
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort a = xdp.open(Ports.host(hosts.a()).ringSizes(SMALL).build());
            AfXdpPort b = xdp.open(
                    Ports.host(hosts.b()).ringSizes(RingSizes.ofAll(1024)).build());
            // The kernel's receiving half becomes a separate thread that this one outruns.
            hosts.lab().run(hosts.b(), "sh", "-c", "echo 1 > /sys/class/net/weir0/threaded");
            UdpFrames writer = UdpFrames.fromAToB(hosts);
            long sent = 0;
            long flushes = 0;
            Deadline guard =
                    Deadline.of(frames + " frames", () -> sink.frameCount() + " have arrived, " + b.statistics());
            while (sink.frameCount() < frames) {
                guard.check();
                long burst = Math.min(burstFrames, frames - sent);
                boolean hasRoom = a.transmitCapacity() >= burst;
                for (int i = 0; hasRoom && i < burst; i++) {
                    a.transmit(writer.write(pool.allocate(), 128, 18, Ports.UDP_PORT, sent++));
                }
                a.flush();
                flushes++;
                b.pollReceive(sink, 0, 256, 1);
                sink.releaseAll();
            }
            assertEquals(frames, sink.frameCount(), b.statistics().toString());
            assertTrue(a.nativeCallCount() <= flushes, a.nativeCallCount() + " system calls in " + flushes);
            // A kernel that refuses is asked again after it has finished a batch, or at every 1024th flush.
            long callsMax = frames / 16 + flushes / 1_024;
            assertTrue(a.nativeCallCount() <= callsMax, a.nativeCallCount() + " system calls in " + flushes);
        }
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void flush_peerTakesNoLongFrames_theyDoNotHoldUpThoseBehindThem() throws Exception {
        int longFrames = 250;
        long cycleNanos = 200_000;
        // Each of them ends a call.
        long mostNanos = (longFrames + 5) * cycleNanos;
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort a = xdp.open(Ports.host(hosts.a()).ringSizes(SMALL).build());
            AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build());
            hosts.lab().run(hosts.b(), "ip", "link", "set", TwoHosts.INTERFACE, "mtu", "1300");
            UdpFrames writer = UdpFrames.fromAToB(hosts);
            for (int i = 0; i < longFrames; i++) {
                a.transmit(writer.write(pool.allocate(), 128, 1_400, Ports.UDP_PORT, i));
            }
            a.transmit(writer.write(pool.allocate(), 128, 100, Ports.UDP_PORT, longFrames));
            long nowNanos = 0;
            a.flush();
            while (a.nextFlushNanos() != NO_DEADLINE) {
                nowNanos += cycleNanos;
                assertTrue(a.nextFlushNanos() <= nowNanos, "asks for no flush");
                assertTrue(nowNanos <= mostNanos, "frames still wait");
                a.pollReceive(sink, 0, 64, nowNanos);
                a.flush();
            }
            assertTrue(nowNanos > 0);
            Deadline.await("the short frame", () -> b.pollReceive(sink, 0, 1, 1) > 0);
            assertEquals(longFrames, sink.lastMark());
            sink.releaseAll();
        }
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void flush_ownLinkDownAndUp_framesWaitAndThenLeave() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort a = xdp.open(Ports.host(hosts.a()).ringSizes(SMALL).build());
            AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build());
            hosts.lab().setUp(hosts.link().left(), false);
            for (int i = 0; i < 40; i++) {
                a.transmit(UdpFrames.fromAToB(hosts).write(pool.allocate(), 128, 100, Ports.UDP_PORT, i));
            }
            a.flush();
            a.flush();
            assertNull(a.failure());
            assertEquals(40, pool.count(FrameOwner.TRANSMIT));
            assertEquals(NO_DEADLINE, a.nextFlushNanos());

            hosts.lab().setUp(hosts.link().left(), true);
            Ports.receive(b, a, sink, 40);
            for (int i = 0; i < 40; i++) {
                Frame frame = sink.poll();
                assertEquals(i, UdpFrames.mark(frame));
                frame.release();
            }
        }
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void failure_interfaceDeleted_isNoticedByReceiverAndSenderAndNoFrameIsLost() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort a = xdp.open(Ports.host(hosts.a()).ringSizes(SMALL).build());
            AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build());
            b.pollReceive(sink, 0, 64, 0);
            hosts.lab().unlink(hosts.link());

            b.pollReceive(sink, 0, 64, TimeUnit.MILLISECONDS.toNanos(500));
            assertNull(b.failure(), "asked too often");
            b.pollReceive(sink, 0, 64, TimeUnit.MILLISECONDS.toNanos(1_000));
            assertEquals(DELETED, b.failure());
            assertEquals(0, b.pollReceive(sink, 0, 64, TimeUnit.SECONDS.toNanos(9)));

            a.transmit(new UdpFrames(1, "10.0.0.1", 2, "10.0.0.2").write(pool.allocate(), 128, 100, Ports.UDP_PORT, 1));
            a.flush();
            assertEquals(DELETED, a.failure());
            assertEquals(0, a.transmitCapacity());
            assertEquals(1, pool.count(FrameOwner.TRANSMIT));
            a.transmit(pool.allocate());
            assertEquals(1, pool.count(FrameOwner.TRANSMIT));

            // A port opened now cannot share memory with the dead ones, and needs not.
            NetNamespace c = hosts.lab().namespace("c");
            NetNamespace d = hosts.lab().namespace("d");
            hosts.lab().link(LabLink.between(new LabEnd(c, "weir0"), new LabEnd(d, "weir0")));
            AfXdpPort again = xdp.open(Ports.host(c).ringSizes(SMALL).build());
            AfXdpPort peer = xdp.open(Ports.host(d)
                    .addresses(List.of(InetAddress.getByName("10.0.0.2")))
                    .ringSizes(SMALL)
                    .build());
            Ports.send(again, pool, new UdpFrames(1, "10.0.0.1", 2, "10.0.0.2"), 5, 0);
            Ports.receive(peer, again, sink, 5);
            sink.releaseAll();
        }
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void close_framesInEveryRing_allComeBack() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort a = xdp.open(Ports.host(hosts.a()).ringSizes(SMALL).build());
            AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build());
            Ports.send(a, pool, UdpFrames.fromAToB(hosts), 50, 0);
            b.pollReceive(sink, 0, 8, 1);
            // Some held by the Node, some in the receive ring, some transmitted and not taken back, some not published.
            a.transmit(UdpFrames.fromAToB(hosts).write(pool.allocate(), 128, 100, Ports.UDP_PORT, 1));
            a.close();
            b.close();
            a.close();
            assertEquals(pool.frameCount(), pool.available() + pool.count(FrameOwner.HELD));
            assertEquals(-1, a.pollFileDescriptor());
            sink.releaseAll();
        }
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void close_thenOpenAgain_worksAtOnceEachTime() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort a = xdp.open(Ports.host(hosts.a()).ringSizes(SMALL).build());
            for (int i = 1; i <= 10; i++) {
                try (AfXdpPort b =
                        xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build())) {
                    Ports.send(a, pool, UdpFrames.fromAToB(hosts), 3, 0);
                    Ports.receive(b, a, sink, 3L * i);
                    sink.releaseAll();
                }
            }
        }
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void close_portThatOthersShareMemoryWith_leavesThemWorking() throws Exception {
        try (TwoHosts hosts = TwoHosts.create();
                AfXdp xdp = new AfXdp(pool)) {
            AfXdpPort first = xdp.open(Ports.host(hosts.a()).ringSizes(SMALL).build());
            AfXdpPort b = xdp.open(Ports.host(hosts.b()).ringSizes(SMALL).build());
            first.close();
            AfXdpPort a = xdp.open(Ports.host(hosts.a()).ringSizes(SMALL).build());
            Ports.send(a, pool, UdpFrames.fromAToB(hosts), 20, 0);
            Ports.receive(b, a, sink, 20);
            assertTrue(
                    Interfaces.names().stream().noneMatch(TwoHosts.INTERFACE::equals),
                    "the ports belong to other namespaces than this thread");
            sink.releaseAll();
        }
        assertEquals(pool.frameCount(), pool.available());
    }
}
