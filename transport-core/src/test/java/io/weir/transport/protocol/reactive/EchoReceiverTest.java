package io.weir.transport.protocol.reactive;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.wire.AckHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Marks;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link EchoReceiver}. */
class EchoReceiverTest {
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(128));
    private final EchoReceiver receiver = new EchoReceiver(Marks.RATE, 4);

    private void receive(int window, int marks) {
        DataHeader.write(buffer, 0, 1, 0, 0, 0);
        DataHeader.window(buffer, 0, window, marks);
        receiver.onData(buffer, 0, false, 0);
    }

    private void acknowledge() {
        AckHeader.write(buffer, 0, 1, 0, 0, 0);
        receiver.onAck(buffer, 0, 0);
    }

    @Test
    void onAck_severalFrames_sendsTheLatestWindowBack() {
        receive(11, Marks.RATE);
        receive(12, Marks.RATE | Marks.ROUND);
        acknowledge();
        assertEquals(12, AckHeader.window(buffer, 0));
        assertEquals(Marks.RATE, AckHeader.marks(buffer, 0));
        assertEquals(4, receiver.framesPerAck(9));
    }

    @Test
    void onAck_frameWithoutTheMark_keepsTheWindowBefore() {
        receive(11, Marks.RATE);
        receive(99, 0);
        acknowledge();
        assertEquals(11, AckHeader.window(buffer, 0));
    }

    @Test
    void onAck_noMarkEver_leavesTheFieldUnset() {
        receive(99, 0);
        acknowledge();
        assertEquals(DataHeader.WINDOW_UNSET, AckHeader.window(buffer, 0));
        assertEquals(0, AckHeader.marks(buffer, 0));
    }
}
