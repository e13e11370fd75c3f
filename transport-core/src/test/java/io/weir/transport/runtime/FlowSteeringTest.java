package io.weir.transport.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.wire.Dscp;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link FlowSteering}. */
class FlowSteeringTest {
    private static final int PORTS = 4_000;

    private static Path path(boolean isV6, int localPort) {
        IpAddress local = isV6 ? IpAddress.v6(0xFD77L << 48, 1) : IpAddress.v4(0x0A4D_0001);
        IpAddress remote = isV6 ? IpAddress.v6(0xFD77L << 48, 2) : IpAddress.v4(0xC0A8_0002);
        return Path.from(1, local, localPort).to(2, remote, 4720);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 64})
    void loopOf_manyPorts_areSpreadEvenly(int loopCount) {
        int[] counts = new int[loopCount];
        for (int port = 50_000; port < 50_000 + PORTS; port++) {
            counts[FlowSteering.loopOf(path(false, port), loopCount)]++;
        }
        int least = Arrays.stream(counts).min().orElseThrow();
        assertTrue(least > PORTS / loopCount / 2, Arrays.toString(counts));
    }

    @Test
    void loopOf_otherEnd_isTheSame() {
        for (int port = 50_000; port < 50_100; port++) {
            for (boolean isV6 : new boolean[] {false, true}) {
                Path path = path(isV6, port);
                assertEquals(FlowSteering.loopOf(path, 4), FlowSteering.loopOf(path.mirrored(), 4));
            }
        }
    }

    @Test
    void loopOf_frame_isThatOfItsPath() {
        FramePool pool = new FramePool(256, 2048);
        Frame frame = pool.allocate();
        for (int port = 50_000; port < 50_100; port++) {
            for (boolean isV6 : new boolean[] {false, true}) {
                Path path = path(isV6, port);
                HeaderTemplate template = new HeaderTemplate(path);
                template.begin(frame, 0);
                template.finish(frame, 20, Dscp.CONTROL, Dscp.ECN_NOT_ECT);
                assertEquals(FlowSteering.loopOf(path, 4), FlowSteering.loopOf(frame, 4));
            }
        }
        frame.release();
    }

    @Test
    void loopOf_frameThatIsNoUdpDatagram_isAny() {
        FramePool pool = new FramePool(256, 2048);
        Frame frame = pool.allocate();
        frame.buffer().setMemory(0, 100, (byte) 0);
        frame.setExtent(0, 100);
        assertEquals(FlowSteering.ANY_LOOP, FlowSteering.loopOf(frame, 4));
        frame.setExtent(0, 20);
        assertEquals(FlowSteering.ANY_LOOP, FlowSteering.loopOf(frame, 4));
        frame.release();
    }
}
