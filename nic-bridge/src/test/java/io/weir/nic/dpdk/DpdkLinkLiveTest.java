package io.weir.nic.dpdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.testing.Deadline;
import io.weir.nic.testing.SinkNode;
import io.weir.nic.testing.UdpFrames;
import io.weir.transport.frame.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests {@link DpdkLink}: several ports of one device, on rings in memory that give back what they are given. */
@DpdkTest
class DpdkLinkLiveTest {
    private static final int FRAMES = 8192;
    private static final int BURST_FRAMES = 64;
    private static final int UDP_PORT = 9000;
    private static final long MAC = 0x02_00_00_00_00_01L;
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    /** Each time the link is asked for. */
    private static final long PROBE_NANOS = 100 * MILLI;

    private static final String EAL = ";eal=" + DpdkTest.EAL;

    private final UdpFrames writer = new UdpFrames(MAC, "10.94.0.1", MAC, "10.94.0.2");
    private final SinkNode sink = new SinkNode();
    private final List<DpdkPort> opened = new ArrayList<>();
    private long nowNanos;

    /** The process has one EAL: a device that a failed test leaves open would be in the way of every test after it. */
    @AfterEach
    void closeWhatIsOpen() {
        sink.releaseAll();
        opened.forEach(DpdkPort::close);
    }

    private List<DpdkPort> open(String device, int portCount) throws NicException {
        List<DpdkPort> ports = DpdkLink.open(DpdkConfig.parse(device), portCount, FRAMES, null);
        opened.addAll(ports);
        return ports;
    }

    /** What a port sends by its queue, the ring of that queue gives back. */
    private void send(DpdkPort port, int count) throws Exception {
        long before = sink.frameCount();
        for (int i = 0; i < count; i++) {
            Frame frame = port.pool().allocate();
            port.transmit(writer.write(frame, 0, 100, UDP_PORT, i));
        }
        await("the burst to come back", port, before + count);
        sink.releaseAll();
    }

    private void await(String what, DpdkPort port, long count) throws Exception {
        Deadline.await(what, () -> {
            port.flush();
            port.pollReceive(sink, 0, BURST_FRAMES, 1);
            return sink.frameCount() >= count;
        });
    }

    @Test
    void ports_ofOneDevice_haveTheirOwnQueuesAndFrames() throws Exception {
        List<DpdkPort> ports = open("device=net_ring0" + EAL, 3);
        for (DpdkPort port : ports) {
            for (int i = 0; i < BURST_FRAMES; i++) {
                port.transmit(writer.write(port.pool().allocate(), 0, 100, UDP_PORT, i));
            }
            port.flush();
        }
        for (DpdkPort port : ports) {
            long before = sink.frameCount();
            await("its own frames", port, before + BURST_FRAMES);
            assertEquals(0, port.pollReceive(sink, 0, BURST_FRAMES, 1), "frames of another port");
            // Not copied from another port's pool.
            assertEquals(0, port.statistics().copiedFrames());
            sink.releaseAll();
        }
        assertEquals("net_ring/3 queues", ports.get(0).info().mode());
        long received = ports.stream()
                .mapToLong(port -> port.statistics().receivedFrames())
                .sum();
        assertEquals(3 * BURST_FRAMES, received, "the sum over the ports is the device's count");
    }

    @Test
    void ports_moreQueuesThanPorts_everyQueueIsPolled() throws Exception {
        String socket = ",id=0,socket=weir-queues-" + ProcessHandle.current().pid();
        List<DpdkPort> two = open("device=net_memif0,role=server" + socket + ";queues=3" + EAL, 2);
        List<DpdkPort> three = open("device=net_memif1,role=client" + socket + EAL, 3);
        assertEquals("net_memif/3 queues", two.get(1).info().mode());
        awaitLink(two, three);
        for (int i = 0; i < 3; i++) {
            // The third queue is the first port's again.
            exchange(three.get(i), two.get(i % 2));
        }
        exchange(two.get(1), three.get(1));
    }

    @Test
    void close_firstPort_othersGoOnAndTheLastGivesTheDeviceBack() throws Exception {
        List<DpdkPort> ports = open("device=net_ring0" + EAL, 2);
        send(ports.get(0), BURST_FRAMES);
        ports.get(0).close();
        assertEquals(FRAMES, ports.get(0).pool().available());
        send(ports.get(1), BURST_FRAMES);
        ports.get(1).close();
        assertEquals(FRAMES, ports.get(1).pool().available());
        // Each start finds the device free, and the memory of both pools.
        for (int i = 0; i < 20; i++) {
            List<DpdkPort> again = open("device=net_ring0" + EAL, 2);
            send(again.get(1), BURST_FRAMES);
            again.forEach(DpdkPort::close);
        }
    }

    @Test
    void tend_peerIsMissing_deviceIsStartedAgainOnceEveryPortLeavesItAlone() throws Exception {
        String socket = ",id=0,socket=weir-link-" + ProcessHandle.current().pid() + EAL;
        List<DpdkPort> servers = open("device=net_memif0,role=server" + socket, 2);
        List<DpdkPort> clients = open("device=net_memif1,role=client" + socket, 2);
        awaitLink(servers, clients);
        servers.forEach(DpdkPort::close);
        Deadline.await("the link to go down", () -> {
            pollAt(clients.get(0), PROBE_NANOS);
            return clients.get(0).failure() != null;
        });
        assertTrue(
                clients.get(0).failure().contains("link of net_memif1 is down"),
                clients.get(0).failure());
        assertSame(clients.get(0).failure(), clients.get(1).failure());
        // The server is there again, and the second port is not polled: no start may come between its bursts.
        List<DpdkPort> again = open("device=net_memif0,role=server" + socket, 2);
        for (int i = 0; i < 100; i++) {
            pollAt(clients.get(0), PROBE_NANOS);
            again.forEach(port -> pollAt(port, 0));
            assertNotNull(clients.get(0).failure(), "the device was started without asking the second port");
        }
        awaitLink(again, clients);
        for (int i = 0; i < 2; i++) {
            exchange(clients.get(i), again.get(i));
            exchange(again.get(i), clients.get(i));
        }
    }

    private void awaitLink(List<DpdkPort> servers, List<DpdkPort> clients) throws Exception {
        Deadline.await("the link", () -> {
            servers.forEach(port -> pollAt(port, MILLI));
            clients.forEach(port -> pollAt(port, MILLI));
            return Stream.concat(servers.stream(), clients.stream()).allMatch(port -> port.failure() == null);
        });
        // A port that waited for the start goes on with its next poll.
        clients.forEach(port -> pollAt(port, 0));
    }

    /** Polls after so much of the time that is told. */
    private void pollAt(DpdkPort port, long nanos) {
        nowNanos += nanos;
        port.pollReceive(sink, 0, BURST_FRAMES, nowNanos);
    }

    private void exchange(DpdkPort from, DpdkPort to) throws Exception {
        long expected = sink.frameCount() + BURST_FRAMES;
        for (int i = 0; i < BURST_FRAMES; i++) {
            from.transmit(writer.write(from.pool().allocate(), 0, 100, UDP_PORT, i));
        }
        Deadline.await("the frames of a queue", () -> {
            from.flush();
            pollAt(to, 0);
            return sink.frameCount() >= expected;
        });
        sink.releaseAll();
    }

    @Test
    void open_deviceHasFewerQueuesThanPorts_saysTheNumberAndTheRemedy() {
        NicException refusal = assertThrows(NicException.class, () -> open("device=net_ring0" + EAL, 17));
        assertEquals(
                "queueCount=17 exceeds 16, the queues that net_ring has for net_ring0; ask for at most that many",
                refusal.getMessage());
        refusal = assertThrows(NicException.class, () -> open("device=net_af_packet0,iface=lo" + EAL, 2));
        assertEquals(
                "queueCount=2 exceeds 1, the queues that net_af_packet has for net_af_packet0; ask for at most that many,"
                        + " or add qpairs=2 to its arguments",
                refusal.getMessage());
        refusal = assertThrows(NicException.class, () -> open("device=net_ring0;queues=2" + EAL, 3));
        assertEquals(
                "queueCount=3 exceeds queues=2 of net_ring0, and each loop needs a queue; raise queues, or leave it out",
                refusal.getMessage());
    }
}
