package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link Rehearsal}: it moves whole streams, without loss. */
class RehearsalTest {
    private static final int FRAMES = 5_000;
    private static final int SEGMENT_BYTES = 1_424;
    private static final int VISITS = 100;

    @ParameterizedTest
    @ValueSource(strings = {"expresspass", "dctcp", "newreno"})
    void carry_anyProtocol_movesFullFramesAndLosesNone(String name) {
        ProtocolConfig protocol = Catalogue.find(name).orElseThrow();
        try (Rehearsal rehearsal = new Rehearsal(TransportConfig.DEFAULT, protocol, 3)) {
            rehearsal.carry(FRAMES);
            long bytesBefore = rehearsal.receivedBytes();
            long framesBefore = rehearsal.dataFrames();
            long returnedBefore = rehearsal.returnedFrames();
            rehearsal.carry(FRAMES);
            long frames = rehearsal.dataFrames() - framesBefore;
            double bytesPerFrame = (double) (rehearsal.receivedBytes() - bytesBefore) / frames;
            // Segments that end a write of the application are not full.
            assertTrue(bytesPerFrame > 0.99 * SEGMENT_BYTES, "bytes per frame: " + bytesPerFrame);
            assertTrue(rehearsal.returnedFrames() > returnedBefore);
            assertEquals(0, rehearsal.retransmittedBytes());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"expresspass", "dctcp", "tfc"})
    void finish_openConnections_endInOrderWithAllThatWasWritten(String name) {
        ProtocolConfig protocol = Catalogue.find(name).orElseThrow();
        try (Rehearsal rehearsal = Rehearsal.varied(TransportConfig.DEFAULT, protocol)) {
            rehearsal.carry(FRAMES);
            // Ends of visits wait for late frames.
            assertEquals(RehearsalEnd.KINDS + rehearsal.visits(), rehearsal.connectionCount());

            rehearsal.finish();

            assertEquals(0, rehearsal.connectionCount());
            assertEquals(rehearsal.writtenBytes(), rehearsal.receivedBytes());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"expresspass", "dctcp", "tfc"})
    void visit_nextToStreams_opensAndClosesAConnectionEachTime(String name) {
        ProtocolConfig protocol = Catalogue.find(name).orElseThrow();
        try (Rehearsal rehearsal = Rehearsal.varied(TransportConfig.DEFAULT, protocol)) {
            long framesBefore = rehearsal.dataFrames();
            int visitsBefore = rehearsal.visits();
            for (int i = 0; i < VISITS; i++) {
                rehearsal.visit();
            }
            assertEquals(VISITS, rehearsal.visits() - visitsBefore);
            assertTrue(rehearsal.dataFrames() - framesBefore > VISITS, "the streams stood still");
            assertEquals(0, rehearsal.retransmittedBytes());
        }
    }
}
