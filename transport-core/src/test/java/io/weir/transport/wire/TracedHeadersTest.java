package io.weir.transport.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.TestNetwork;
import java.nio.ByteBuffer;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link TracedHeaders} and {@link FrameEnds}: headers are kept whole, payload is not. */
class TracedHeadersTest {
    private static final int BYTES_MAX = 176;
    private static final Path PATH =
            Path.from(1, TestNetwork.address(1), 40_000).to(2, TestNetwork.address(2), TestNetwork.PORT);

    private final FramePool pool = new FramePool(64, 2048);
    private final PeerFrames peer =
            new PeerFrames(pool, PATH, -1, new UnsafeBuffer(new byte[12]), 0x0102_0304_0506_0708L);

    private static int bytes(Frame frame) {
        return TracedHeaders.bytes(frame.buffer(), frame.offset(), frame.length(), BYTES_MAX);
    }

    /** {@return what a trace keeps, as its reader has it} */
    private static UnsafeBuffer kept(Frame frame) {
        UnsafeBuffer kept = new UnsafeBuffer(ByteBuffer.allocateDirect(4_096));
        kept.putBytes(0, frame.buffer(), frame.offset(), bytes(frame));
        return kept;
    }

    @Test
    void bytes_data_endsWhereThePayloadBegins() {
        for (Frame frame : List.of(
                peer.data(3, 1L << 40, 50, DataHeader.FLAG_FIN, 9),
                peer.dataWithAck(5, 100, 50, 1L << 40, 1),
                peer.dataWithAck(5, 100, 50, 1L << 40, 1, (1L << 40) + 5, (1L << 40) + 10),
                peer.dataWithCredit(6, 100, 50, 4_294_967_295L, 16))) {
            assertEquals(frame.length() - 50, bytes(frame), FramePrinter.print(frame));
            assertEquals(FramePrinter.print(frame), FramePrinter.printHeaders(kept(frame), 0, bytes(frame)));
        }
    }

    @Test
    void bytes_allOtherTypes_keepsThemWhole() {
        for (Frame frame : List.of(
                peer.open(7, 1L << 40),
                peer.challenge(),
                peer.accept(1_000, 5),
                peer.credit(4_294_967_295L, 7, 1),
                peer.ack(1L << 40, 20, 1, (1L << 40) + 5, (1L << 40) + 10, (1L << 40) + 20, (1L << 40) + 30),
                peer.request(8, 3),
                peer.stop(3),
                peer.reset(4))) {
            assertEquals(frame.length(), bytes(frame), FramePrinter.print(frame));
            assertEquals(FramePrinter.print(frame), FramePrinter.printHeaders(kept(frame), 0, bytes(frame)));
        }
    }

    @Test
    void bytes_foreignFrames_keepsTheirBeginning() {
        Frame frame = peer.data(3, 1, 500, 0, 9);
        frame.buffer().putByte(frame.offset() + HeaderTemplate.BYTES_V4, (byte) 0x52);
        assertEquals(TracedHeaders.FOREIGN_BYTES_MAX, bytes(frame));
        assertEquals("not Weir", FramePrinter.printHeaders(kept(frame), 0, bytes(frame)));
        for (int length = 0; length < frame.length(); length++) {
            int kept = TracedHeaders.bytes(frame.buffer(), frame.offset(), length, BYTES_MAX);
            assertTrue(kept <= length, () -> "more than there is");
        }
    }

    @Test
    void bytes_ridersThatCannotBe_staysWithinTheFrame() {
        Frame frame = peer.dataWithAck(5, 100, 50, 1L << 40, 1);
        int count = frame.offset() + HeaderTemplate.BYTES_V4 + DataHeader.BYTES + 34;
        for (int ranges = 0; ranges < 256; ranges++) {
            frame.buffer().putByte(count, (byte) ranges);
            int kept = bytes(frame);
            assertTrue(kept <= BYTES_MAX && kept <= frame.length(), () -> "kept " + kept);
            assertFalse(FramePrinter.printHeaders(kept(frame), 0, kept).isEmpty());
        }
    }

    @Test
    void ends_ofAFrame_areThoseOfItsPath() {
        Frame frame = peer.data(3, 1, 50, 0, 9);
        FrameEnds ends = FrameEnds.of(kept(frame), 0, bytes(frame));
        assertEquals(FrameType.DATA, ends.type());
        assertTrue(ends.isOn(PATH) && ends.isOn(PATH.mirrored()), ends.text());
        assertFalse(ends.isOn(PATH.withLocalPort(1)), ends.text());
    }

    @Test
    void hideSecrets_everyType_leavesNoByteOfATag() {
        for (Frame frame : List.of(
                peer.open(7, 1L << 40),
                peer.challenge(),
                peer.accept(1_000, 5),
                peer.credit(9, 7, 1),
                peer.data(3, 1, 50, 0, 9),
                peer.reset(4))) {
            UnsafeBuffer kept = kept(frame);
            TracedHeaders.hideSecrets(kept, 0, bytes(frame));
            FrameType type = FrameEnds.of(kept, 0, bytes(frame)).type();
            int weirAt = TracedHeaders.weirAt(kept, 0, bytes(frame));
            assertEquals(0, WeirHeader.tag(kept, weirAt), type.toString());
            if (type == FrameType.ACCEPT) {
                assertEquals(0, AcceptHeader.responderTag(kept, weirAt));
            }
        }
    }
}
