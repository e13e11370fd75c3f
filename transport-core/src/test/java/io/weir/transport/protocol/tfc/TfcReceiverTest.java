package io.weir.transport.protocol.tfc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Acks;
import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Marks;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link TfcReceiver} with frames of 1538 bytes that carry 1424. */
class TfcReceiverTest {
    private final TfcReceiver receiver = new TfcReceiver(Acks.context(1_000_000_000L), 2);
    private final UnsafeBuffer data = new UnsafeBuffer(ByteBuffer.allocateDirect(DataHeader.BYTES));
    private final UnsafeBuffer ack = new UnsafeBuffer(ByteBuffer.allocateDirect(AckHeader.BYTES));

    private void receive(int window, int marks) {
        DataHeader.write(data, 0, 1, 0, 0, 0);
        DataHeader.window(data, 0, window, marks);
        receiver.onData(data, 0, false, 0);
    }

    private int answer(long receiveWindowBytes) {
        AckHeader.write(ack, 0, 1, 0, receiveWindowBytes, 0);
        receiver.onAck(ack, 0, 0);
        return AckHeader.marks(ack, 0);
    }

    @Test
    void onData_roundMark_isAnsweredAtOnceAndOnce() {
        receive(9_000, Marks.ROUND | Marks.HELD);
        assertTrue(receiver.wantsAck());
        assertEquals(Marks.ROUND_ACK, answer(1 << 20));
        assertEquals(9_000, AckHeader.window(ack, 0));
        assertFalse(receiver.wantsAck());
        assertEquals(0, answer(1 << 20));
        assertEquals(DataHeader.WINDOW_UNSET, AckHeader.window(ack, 0));
    }

    @Test
    void onData_noMark_needsNoAnswer() {
        receive(9_000, Marks.RATE);
        assertFalse(receiver.wantsAck());
        assertEquals(0, answer(1 << 20));
        assertEquals(2, receiver.framesPerAck(16));
    }

    @ParameterizedTest
    @CsvSource({"9000, 2848, 3076", "9000, 1424, 1538", "9000, 0, 1538", "100, 0, 100", "-1, 14240, 15380"})
    void onAck_ownRoom_lowersTheWindowToNoLessThanAFrame(int window, long roomBytes, int answered) {
        receive(window, Marks.ROUND);
        answer(roomBytes);
        assertEquals(answered, AckHeader.window(ack, 0));
    }
}
