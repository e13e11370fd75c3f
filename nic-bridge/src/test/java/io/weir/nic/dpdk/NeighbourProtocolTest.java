package io.weir.nic.dpdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.IpAddress;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests {@link NeighbourProtocol} and {@link NeighbourTable}: two hosts that ask each other. */
class NeighbourProtocolTest {
    private static final InetAddress A4 = address("10.0.0.1");
    private static final InetAddress B4 = address("10.0.0.2");
    private static final InetAddress A6 = address("fd00::1");
    private static final InetAddress B6 = address("fd00::12:3456");
    private static final long A_MAC = 0x02_00_00_00_00_0AL;
    private static final long B_MAC = 0x02_00_00_00_00_0BL;

    private final FramePool pool = new FramePool(4, 256);
    private final Frame frame = pool.allocate();
    private final NeighbourTable tableOfA = new NeighbourTable(Map.of());
    private final NeighbourTable tableOfB = new NeighbourTable(Map.of());
    private final NeighbourProtocol a = new NeighbourProtocol(A_MAC, List.of(A4, A6), tableOfA);
    private final NeighbourProtocol b = new NeighbourProtocol(B_MAC, List.of(B4, B6), tableOfB);

    @AfterEach
    void release() {
        frame.release();
    }

    @Test
    void question_ofEachFamily_isAnsweredAndTheAskerLearns() {
        for (InetAddress target : List.of(B4, B6)) {
            InetAddress ours = target.equals(B4) ? A4 : A6;
            tableOfA.ask(target);
            assertEquals(target, tableOfA.pollQuestion());
            a.writeQuestion(frame, ours, target);
            assertTrue(NeighbourProtocol.isOurs(frame));
            assertTrue(Ethernet.isGroup(Ethernet.destination(frame.buffer(), frame.offset())));
            assertTrue(b.onFrame(frame), "no answer");
            assertEquals(A_MAC, Ethernet.destination(frame.buffer(), frame.offset()));
            assertEquals(B_MAC, Ethernet.source(frame.buffer(), frame.offset()));
            assertTrue(NeighbourProtocol.isOurs(frame));
            assertFalse(a.onFrame(frame), "an answer was answered");
            assertEquals(B_MAC, tableOfA.find(target));
        }
    }

    @Test
    void question_forAnotherHost_isNotAnswered() {
        a.writeQuestion(frame, A4, address("10.0.0.3"));
        assertFalse(b.onFrame(frame));
        a.writeQuestion(frame, A6, address("fd00::3"));
        assertFalse(b.onFrame(frame));
    }

    @Test
    void question_fromAnAddressThatNobodyAskedFor_isAnsweredAndNotLearned() {
        a.writeQuestion(frame, A4, B4);
        assertTrue(b.onFrame(frame));
        assertNull(tableOfB.find(A4));
    }

    @Test
    void question_whetherAnAddressIsFree_isAnsweredToEverybody() {
        a.writeQuestion(frame, address("::"), B6);
        assertTrue(b.onFrame(frame));
        assertEquals(0x3333_0000_0001L, Ethernet.destination(frame.buffer(), frame.offset()));
        // ff02::1
        assertEquals(IpAddress.parse("ff02::1"), IpAddress.of(addressAt(frame.offset() + 14 + 24)));
    }

    @Test
    void answer_damagedOrFromAfar_isNotLearned() {
        tableOfA.ask(B6);
        a.writeQuestion(frame, A6, B6);
        b.onFrame(frame);
        int hopLimit = frame.offset() + 14 + 7;
        frame.buffer().putByte(hopLimit, (byte) 254);
        a.onFrame(frame);
        assertNull(tableOfA.find(B6));
        frame.buffer().putByte(hopLimit, (byte) 255);
        int mac = frame.offset() + 14 + 40 + 31;
        frame.buffer().putByte(mac, (byte) (frame.buffer().getByte(mac) + 1));
        a.onFrame(frame);
        assertNull(tableOfA.find(B6));
    }

    @Test
    void frame_cutAnywhere_isDropped() {
        for (InetAddress target : List.of(B4, B6)) {
            for (int length = 0; length < (target.equals(B4) ? 42 : NeighbourProtocol.FRAME_BYTES_MAX); length++) {
                a.writeQuestion(frame, target.equals(B4) ? A4 : A6, target);
                frame.setExtent(frame.offset(), length);
                assertFalse(NeighbourProtocol.isOurs(frame) && b.onFrame(frame), "answered " + length + " bytes");
            }
        }
    }

    @Test
    void learn_anotherAddress_tellsOfTheChange() {
        int[] changes = new int[1];
        tableOfA.setChangeListener(() -> changes[0]++);
        tableOfA.ask(B4);
        tableOfA.learn(B4, B_MAC);
        tableOfA.learn(B4, B_MAC);
        assertEquals(0, changes[0]);
        tableOfA.learn(B4, A_MAC);
        assertEquals(1, changes[0]);
        assertEquals(A_MAC, tableOfA.find(B4));
    }

    @Test
    void find_fixedNeighbour_isNotChangedByAnswers() {
        NeighbourTable table = new NeighbourTable(Map.of(B4, B_MAC));
        table.ask(B4);
        table.learn(B4, A_MAC);
        assertEquals(B_MAC, table.find(B4));
    }

    private InetAddress addressAt(int at) {
        byte[] bytes = new byte[16];
        frame.buffer().getBytes(at, bytes);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (java.net.UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static InetAddress address(String text) {
        return IpAddress.parse(text).toInetAddress();
    }
}
