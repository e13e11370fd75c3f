package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.weir.transport.frame.Frame;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.wire.ChecksumScope;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.HeaderTemplate;
import java.nio.ByteOrder;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link ChecksumScope}: a host whose data frames have no UDP checksum, and what a host takes of its peer. */
class ChecksumScopeTest {
    private static final int CHECKSUM_AT = HeaderTemplate.BYTES_V4 - 2;
    private static final int PAYLOAD_AT = HeaderTemplate.BYTES_V4 + DataHeader.BYTES;

    private static int checksum(SentFrame frame) {
        return frame.bytes().getShort(CHECKSUM_AT, ByteOrder.BIG_ENDIAN);
    }

    private static Function<PeerFrames, Frame> without(Function<PeerFrames, Frame> made) {
        return peer -> {
            Frame frame = made.apply(peer);
            frame.buffer().putShort(frame.offset() + CHECKSUM_AT, (short) 0);
            return frame;
        };
    }

    private static Function<PeerFrames, Frame> damaged(Function<PeerFrames, Frame> made, int at) {
        return peer -> {
            Frame frame = made.apply(peer);
            int index = frame.offset() + at;
            frame.buffer().putByte(index, (byte) (frame.buffer().getByte(index) ^ 1));
            return frame;
        };
    }

    /** {@return a host that has accepted a connection, taken a data frame without checksum, and sent another} */
    private static Script played(ChecksumScope scope) {
        Script script = new Script(builder -> builder.checksums(scope));
        script.app().takeAnything();
        script.establishFromPeer(20L * Script.SEGMENT_BYTES)
                .at(20_000)
                .receives(without(peer -> peer.data(1, 0, 100)))
                .after(10_000_000);
        UnsafeBuffer bytes = new UnsafeBuffer(new byte[Script.SEGMENT_BYTES]);
        assertEquals(bytes.capacity(), script.connection().write(bytes, 0, bytes.capacity()));
        return script.receives(peer -> peer.credit(1)).after(1_000_000);
    }

    @Test
    void notOnData_ofAWholeConversation_dataAloneHaveNone() {
        try (Script script = played(ChecksumScope.NOT_ON_DATA)) {
            long dataCount = 0;
            for (SentFrame frame : script.history()) {
                boolean isData = frame.text().startsWith("DATA");
                assertEquals(isData, checksum(frame) == 0, frame.text());
                dataCount += isData ? 1 : 0;
            }
            assertEquals(1, dataCount);
            assertEquals(100, script.app().receivedBytes());
        }
    }

    @Test
    void all_ofAWholeConversation_eachFrameHasOne() {
        try (Script script = played(ChecksumScope.ALL)) {
            script.history().forEach(frame -> assertNotEquals(0, checksum(frame), frame.text()));
            assertEquals(100, script.app().receivedBytes());
        }
    }

    @Test
    void onFrame_dataWithoutChecksum_areProtectedByTheirCrc() {
        try (Script script = played(ChecksumScope.ALL)) {
            script.receives(damaged(without(peer -> peer.data(2, 100, 100)), PAYLOAD_AT + 50))
                    .counts(CounterId.DROP_CRC, 1)
                    .counts(CounterId.DROP_CHECKSUM, 0);
            assertEquals(100, script.app().receivedBytes());
        }
    }

    @Test
    void onFrame_dataWithAWrongChecksum_isDroppedWhateverTheHostSends() {
        try (Script script = played(ChecksumScope.NOT_ON_DATA)) {
            script.receives(damaged(peer -> peer.data(2, 100, 100), CHECKSUM_AT))
                    .counts(CounterId.DROP_CHECKSUM, 1);
            assertEquals(100, script.app().receivedBytes());
        }
    }

    @Test
    void onFrame_anyOtherFrameWithoutChecksum_isDropped() {
        try (Script script = played(ChecksumScope.NOT_ON_DATA)) {
            long acknowledged = script.connection().acknowledgedBytes();
            script.receives(without(peer -> peer.ack(Script.SEGMENT_BYTES, PeerFrames.WINDOW_BYTES, 5)))
                    .receives(without(peer -> peer.credit(2)))
                    .receives(without(peer -> peer.open(0, 0)))
                    .counts(CounterId.DROP_CHECKSUM, 3);
            assertEquals(acknowledged, script.connection().acknowledgedBytes());
        }
    }
}
