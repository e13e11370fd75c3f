package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.Ports;
import io.weir.nic.testing.SinkNode;
import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FrameOwner;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.Node;
import io.weir.transport.node.UntimedNode;
import io.weir.transport.wire.Datagram;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.WeirHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how a port does the receive work of a veth: the frames are real, the time that the port is told is not. */
@LiveTest
class BusyPollLiveTest {
    private static final int BURST_FRAMES = 32;
    /** Of each ring. */
    private static final int A_FRAMES = 512;

    private static final int B_FRAMES = 1_024;
    /** Between two bursts: 320 frames per millisecond are bulk. */
    private static final long STEP_NANOS = 100_000;

    private static final int ROUNDS_MAX = 200;

    private final FramePool pool = new FramePool(4096, 2048, true);
    private final SinkNode atA = new SinkNode();
    private final SinkNode atB = new SinkNode();
    private Node receiver = atB;
    private TwoHosts hosts;
    private AfXdp xdp;
    private AfXdpPort a;
    private AfXdpPort b;
    private UdpFrames writer;
    private long nowNanos = 1;
    private long sent;

    @BeforeEach
    void open() throws Exception {
        hosts = TwoHosts.createQuiet(1500);
        xdp = new AfXdp(pool);
        a = xdp.open(Ports.host(hosts.a())
                .udpPorts(UdpFrames.SOURCE_PORT)
                .ringSizes(RingSizes.ofAll(A_FRAMES))
                .build());
        b = xdp.open(Ports.host(hosts.b()).ringSizes(RingSizes.ofAll(B_FRAMES)).build());
        writer = UdpFrames.fromAToB(hosts);
    }

    @AfterEach
    void close() throws Exception {
        atA.releaseAll();
        atB.releaseAll();
        xdp.close();
        hosts.close();
        assertEquals(pool.frameCount(), pool.available());
    }

    /** One burst from A to B, received in one poll or several of one moment. */
    private void burst() throws Exception {
        burst(STEP_NANOS);
    }

    private void burst(long stepNanos) throws Exception {
        nowNanos += stepNanos;
        Ports.send(a, pool, writer, BURST_FRAMES, sent);
        sent += BURST_FRAMES;
        Deadline.await(sent + " frames", () -> {
            a.flush();
            b.pollReceive(receiver, 0, 64, nowNanos);
            b.flush();
            return atB.frameCount() >= sent;
        });
        atB.releaseAll();
    }

    /** {@return the opening by which B asks A, after bulk from A} */
    private Frame question() throws Exception {
        for (int i = 0; i < ROUNDS_MAX && atA.frameCount() == 0; i++) {
            burst();
            a.pollReceive(atA, 0, 64, nowNanos);
        }
        Deadline.await("B's question", () -> {
            b.flush();
            a.pollReceive(atA, 0, 64, nowNanos);
            return atA.frameCount() > 0;
        });
        return atA.poll();
    }

    private void answer(Frame question) throws Exception {
        Datagram datagram = new Datagram();
        assertEquals(null, datagram.parse(question));
        assertEquals(UdpFrames.SOURCE_PORT, datagram.destinationPort());
        assertEquals(FrameType.OPEN, WeirHeader.type(datagram.buffer(), datagram.weirAt()));
        assertEquals(OpenHeader.BYTES, datagram.weirBytes());
        a.transmit(writer.write(pool.allocate(), 128, 15, datagram.sourcePort(), 0));
        a.flush();
        question.release();
    }

    private void pollUntilBusy() throws Exception {
        for (int i = 0; i < ROUNDS_MAX && b.busyPollCount() == 0; i++) {
            burst();
        }
        assertTrue(b.busyPollCount() > 0, "B never polled");
    }

    @Test
    void info_nativeVeth_saysSo() {
        assertTrue(
                b.info().modeReason().endsWith("; busy polling while traffic is bulk"),
                b.info().modeReason());
    }

    @Test
    void pollReceive_bulkAndAPeerThatAnswers_receivesByPolls() throws Exception {
        answer(question());
        pollUntilBusy();
        long before = b.busyPollCount();
        for (int i = 0; i < 10; i++) {
            burst();
        }
        assertTrue(b.busyPollCount() - before >= 10, "without a poll nothing comes until the kernel's timer ends");
        assertEquals(0, a.busyPollCount());
    }

    @Test
    void pollReceive_quietAfterBulk_kernelDeliversAtOnce() throws Exception {
        answer(question());
        pollUntilBusy();
        nowNanos += STEP_NANOS;
        b.pollReceive(receiver, 0, 64, nowNanos);
        long before = b.busyPollCount();
        for (int i = 0; i < 10; i++) {
            nowNanos += 10 * STEP_NANOS;
            Ports.send(a, pool, writer, 1, sent++);
            Deadline.await(sent + " frames", () -> {
                a.flush();
                b.pollReceive(receiver, 0, 64, nowNanos);
                return atB.frameCount() >= sent;
            });
        }
        assertEquals(before, b.busyPollCount());
    }

    @Test
    void pollReceive_byPolls_keepsFewerFramesInTheFillRing() throws Exception {
        assertEquals(A_FRAMES + B_FRAMES, pool.count(FrameOwner.FILL));
        answer(question());
        pollUntilBusy();
        for (int i = 0; i < B_FRAMES / BURST_FRAMES; i++) {
            burst();
        }
        int fewer = pool.count(FrameOwner.FILL) - A_FRAMES;
        assertTrue(fewer > B_FRAMES / 8 && fewer <= B_FRAMES / 4, fewer + " of " + B_FRAMES);
        nowNanos += STEP_NANOS;
        b.pollReceive(receiver, 0, 64, nowNanos);
        b.pollReceive(receiver, 0, 64, nowNanos);
        int all = pool.count(FrameOwner.FILL) - A_FRAMES;
        assertTrue(all > B_FRAMES - BURST_FRAMES, all + " of " + B_FRAMES + " without polls");
    }

    @Test
    void pollReceive_peerThatDoesNotAnswer_isAskedAgainAfterASecond() throws Exception {
        question().release();
        long askedNanos = nowNanos;
        atA.releaseAll();
        long firstCount = atA.frameCount();
        for (int i = 0; i < 100 * ROUNDS_MAX && atA.frameCount() == firstCount; i++) {
            burst();
            a.pollReceive(atA, 0, 64, nowNanos);
        }
        assertTrue(atA.frameCount() > firstCount, "B did not ask again");
        assertTrue(nowNanos - askedNanos > 1_000_000_000, "asked again after " + (nowNanos - askedNanos) + " ns");
        assertEquals(0, b.busyPollCount());
    }

    @Test
    void pollReceive_nodeThatMeasuresDelays_isNeverPolledFor() throws Exception {
        UntimedNode measuring = new UntimedNode() {
            @Override
            public void onFrame(int portIndex, Frame frame, long nowNanos) {
                atB.onFrame(portIndex, frame, nowNanos);
            }

            @Override
            public boolean measuresDelay() {
                return true;
            }
        };
        answer(question());
        pollUntilBusy();
        receiver = measuring;
        for (int i = 0; i < 20; i++) {
            burst();
        }
        long before = b.busyPollCount();
        for (int i = 0; i < 20; i++) {
            burst();
        }
        assertEquals(before, b.busyPollCount());
    }

    @Test
    void pollReceive_coreIsShared_kernelHasTheWork() throws Exception {
        answer(question());
        pollUntilBusy();
        long polled = 0;
        for (long sharedNanos = nowNanos + 4 * PollGaps.LOST_NANOS_MAX; nowNanos < sharedNanos; ) {
            // The next poll, a burst later, comes late for one that has found nothing.
            nowNanos++;
            b.pollReceive(receiver, 0, 64, nowNanos);
            polled = b.busyPollCount();
            burst();
        }
        for (int i = 0; i < 20; i++) {
            burst();
        }
        assertEquals(polled, b.busyPollCount());
        keepCore(4 * PollGaps.LOST_NANOS_MAX + 20 * BulkDetector.WINDOW_NANOS);
        assertTrue(b.busyPollCount() > polled, "B polls no more");
    }

    /** Bursts for so long, each of them received by a poll that is in time. */
    private void keepCore(long nanos) throws Exception {
        for (long untilNanos = nowNanos + nanos; nowNanos < untilNanos; ) {
            burst();
        }
    }

    @Test
    void pollReceive_linkDownAndUp_asksAgainAndPollsAgain() throws Exception {
        answer(question());
        pollUntilBusy();
        hosts.lab().run(hosts.b(), "ip", "link", "set", TwoHosts.INTERFACE, "down");
        hosts.lab().run(hosts.b(), "ip", "link", "set", TwoHosts.INTERFACE, "up");
        atA.releaseAll();
        long firstCount = atA.frameCount();
        for (int i = 0; i < 100 * ROUNDS_MAX && atA.frameCount() == firstCount; i++) {
            burst();
            for (int j = 0; j < 8; j++) {
                // Nothing is left: B polls a NAPI that is gone.
                nowNanos++;
                b.pollReceive(receiver, 0, 64, nowNanos);
            }
            // In time for a thread that has its core.
            burst(PollGaps.IDLE_GAP_NANOS_MIN / 2);
            a.pollReceive(atA, 0, 64, nowNanos);
        }
        answer(atA.poll());
        long before = b.busyPollCount();
        for (int i = 0; i < ROUNDS_MAX && b.busyPollCount() == before; i++) {
            burst();
        }
        assertTrue(b.busyPollCount() > before, "B polls no more");
    }
}
