package io.weir.transport.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.telemetry.CounterId;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests {@link PassingFrame} on frames that both ends check whole. */
class PassingFrameTest {
    private static final int PAYLOAD = 701;

    private final FramePool pool = new FramePool(4, 2048, true);
    private final SeededRandom random = new SeededRandom(7);
    private final Crc32c crc = new Crc32c();
    private final PassingFrame passing = new PassingFrame();
    private final Frame frame = pool.allocate();

    @AfterEach
    void release() {
        frame.release();
    }

    private static Path path(boolean isV6) {
        IpAddress local = isV6 ? IpAddress.v6(0xFD00_0000_0000_0000L, 1) : IpAddress.v4(0x0A00_0001);
        IpAddress remote = isV6 ? IpAddress.v6(0xFD00_0000_0000_0000L, 2) : IpAddress.v4(0x0A00_0002);
        return Path.from(1, local, 4720).to(2, remote, 4721);
    }

    private int data(boolean isV6, int window, int marks) {
        HeaderTemplate template = new HeaderTemplate(path(isV6));
        int at = template.begin(frame, 0);
        UnsafeBuffer buffer = frame.buffer();
        DataHeader.write(buffer, at, random.nextLong(), 0, 0, PAYLOAD);
        WeirHeader.packetNumber(buffer, at, 3);
        DataHeader.roundTripNanos(buffer, at, 51_000);
        DataHeader.t1(buffer, at, 9);
        for (int i = 0; i < PAYLOAD; i++) {
            buffer.putByte(at + DataHeader.BYTES + i, (byte) random.nextInt(256));
        }
        DataHeader.seal(buffer, at, crc);
        DataHeader.window(buffer, at, window, marks);
        template.finish(frame, DataHeader.BYTES + PAYLOAD, Dscp.DATA, Dscp.ECN_ECT0);
        return at;
    }

    private void requireIntact() {
        assertNull(new Datagram().parse(frame));
    }

    @Test
    void setWindow_anyValues_keepsChecksumAndCrcRight() {
        for (boolean isV6 : new boolean[] {false, true}) {
            for (int i = 0; i < 2_000; i++) {
                int at = data(isV6, (int) random.nextLong(), random.nextInt(256));
                int window = (int) random.nextLong();
                int marks = random.nextInt(256);
                passing.lookAt(frame).setWindow(window);
                passing.setMarks(marks);
                requireIntact();
                assertTrue(DataHeader.isIntact(frame.buffer(), at, crc));
                assertEquals(window, DataHeader.window(frame.buffer(), at));
                assertEquals(marks, DataHeader.marks(frame.buffer(), at));
            }
        }
    }

    @Test
    void setWindow_damagedFrame_staysDamaged() {
        int at = data(false, DataHeader.WINDOW_UNSET, Marks.RATE);
        int payloadAt = at + DataHeader.BYTES + 10;
        frame.buffer().putByte(payloadAt, (byte) (frame.buffer().getByte(payloadAt) + 1));
        passing.lookAt(frame).setWindow(1234);
        assertEquals(CounterId.DROP_CHECKSUM, new Datagram().parse(frame));
    }

    @Test
    void setWindow_noChecksum_makesNone() {
        int at = data(false, DataHeader.WINDOW_UNSET, Marks.RATE);
        frame.buffer().putShort(at - 2, (short) 0);
        passing.lookAt(frame).setWindow(1234);
        assertEquals(0, frame.buffer().getShort(at - 2));
        assertEquals(1234, DataHeader.window(frame.buffer(), at));
    }

    @Test
    void lookAt_data_readsItsFields() {
        data(false, 77, Marks.RATE);
        passing.lookAt(frame);
        assertTrue(passing.isData());
        assertEquals(77, passing.window());
        assertEquals(Marks.RATE, passing.marks());
        assertEquals(51_000, passing.roundTripNanos());
        assertEquals(frame.wireBytes(), passing.wireBytes());
    }

    @Test
    void lookAt_acknowledgement_changesItsFields() {
        HeaderTemplate template = new HeaderTemplate(path(false));
        int at = template.begin(frame, 0);
        AckHeader.write(frame.buffer(), at, 5, 1, 2, 3);
        AckHeader.addRange(frame.buffer(), at, 10, 20);
        AckHeader.seal(frame.buffer(), at, crc);
        template.finish(frame, AckHeader.length(frame.buffer(), at), Dscp.CONTROL, Dscp.ECN_NOT_ECT);
        passing.lookAt(frame).setWindow(99);
        passing.setMarks(Marks.ROUND_ACK);
        requireIntact();
        assertTrue(AckHeader.isIntact(frame.buffer(), at, crc));
        assertEquals(99, AckHeader.window(frame.buffer(), at));
        assertEquals(FrameType.ACK, passing.type());
        assertFalse(passing.isData());
        assertEquals(0, passing.roundTripNanos());
    }

    @Test
    void lookAt_anyBytes_readsOnlyWhatIsThere() {
        for (int i = 0; i < 20_000; i++) {
            int at = data(random.nextInt(2) == 0, 0, 0);
            for (int j = 0; j < 4; j++) {
                frame.buffer().putByte(random.nextInt(at + 2), (byte) random.nextInt(256));
            }
            frame.setExtent(0, random.nextInt(at + DataHeader.BYTES + 2));
            passing.lookAt(frame);
            assertTrue(!passing.hasWindow() || frame.length() >= at - 20 + DataHeader.BYTES, "fields beyond the end");
            if (passing.hasWindow()) {
                passing.setWindow(passing.window() + 1);
            }
            passing.markCongestion();
        }
    }

    @Test
    void markCongestion_onlyWhoUnderstands_isMarked() {
        data(false, 0, 0);
        assertTrue(passing.lookAt(frame).markCongestion());
        requireIntact();
        HeaderTemplate template = new HeaderTemplate(path(false));
        template.begin(frame, 0);
        template.finish(frame, DataHeader.BYTES, Dscp.DATA, Dscp.ECN_NOT_ECT);
        assertFalse(passing.lookAt(frame).markCongestion());
    }
}
