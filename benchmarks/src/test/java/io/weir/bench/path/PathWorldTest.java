package io.weir.bench.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link PathWorld}: what is measured is whole transfers, without loss. */
class PathWorldTest {
    private static final int FRAMES = 5_000;

    @ParameterizedTest
    @ValueSource(strings = {"expresspass", "dctcp", "newreno"})
    void carry_anyProtocol_movesFullFramesAndLosesNone(String name) {
        ProtocolConfig protocol = Catalogue.find(name).orElseThrow();
        try (PathWorld world = new PathWorld(protocol, 3)) {
            world.carry(FRAMES);
            long bytesBefore = world.receivedBytes();
            long framesBefore = world.dataFrames();
            long returnedBefore = world.returnedFrames();
            world.carry(FRAMES);
            long frames = world.dataFrames() - framesBefore;
            double bytesPerFrame = (double) (world.receivedBytes() - bytesBefore) / frames;
            // Segments that end a write of the application are not full.
            assertTrue(bytesPerFrame > 0.99 * Floor.PAYLOAD_BYTES, "bytes per frame: " + bytesPerFrame);
            assertTrue(world.returnedFrames() > returnedBefore);
            assertEquals(0, world.retransmittedBytes());
        }
    }
}
