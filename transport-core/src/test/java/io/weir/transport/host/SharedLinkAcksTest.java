package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ccrp.Ccrp;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what acknowledgements take of links that many flows share, and that no sender takes a late one for a loss. */
class SharedLinkAcksTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long MILLISECOND = 1_000_000;
    /** A flow has a frame in 190 us: so many that each frame comes alone within the delay of an acknowledgement. */
    private static final int FLOWS = 156;

    private static final long STREAM_BYTES = 1L << 40;
    private static final long BEGIN_NANOS = 10 * MILLISECOND;
    private static final long END_NANOS = 30 * MILLISECOND;
    /** What credit meters leave: CreditSettings.CREDITLESS. */
    private static final double CREDITLESS_FRACTION = 0.01;

    private static Stream<ProtocolConfig> protocols() {
        return Stream.of(ExpressPass.weir(), ExpressPass.paper(), Ccrp.KIND.usual());
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void acks_ofManyFlowsBothWays_keepToTheShareThatMetersLeave(ProtocolConfig protocol) {
        try (TestNetwork network = new TestNetwork(1, RATE_BPS, protocol).star(2, 4_000, builder -> builder)) {
            for (int i = 0; i < FLOWS; i++) {
                connect(network, 1, 2, i);
                connect(network, 2, 1, i);
            }
            network.simulator().run(BEGIN_NANOS);
            long bytesBefore = sent(network, CounterId.CREDITLESS_BYTES_SENT);
            long framesBefore = sent(network, CounterId.DATA_FRAMES_SENT);
            network.simulator().run(END_NANOS);
            long bytes = sent(network, CounterId.CREDITLESS_BYTES_SENT) - bytesBefore;
            long frames = sent(network, CounterId.DATA_FRAMES_SENT) - framesBefore;
            double linkBytes = (END_NANOS - BEGIN_NANOS) * 1e-9 * RATE_BPS / 8;
            assertTrue(frames > 0.9 * linkBytes / 1_538, frames + " frames");
            assertTrue(bytes < CREDITLESS_FRACTION * linkBytes, bytes / linkBytes + " of the link");
            assertEquals(0, sent(network, CounterId.RETRANSMISSION_TIMEOUTS));
            assertEquals(0, sent(network, CounterId.BYTES_RETRANSMITTED));
        }
    }

    private static void connect(TestNetwork network, int from, int to, int number) {
        network.connect(
                number * 5_000L, from, to, new StreamProbe(1, STREAM_BYTES, 2), new StreamProbe(2, 0, 1).keepOpen());
    }

    private static long sent(TestNetwork network, CounterId id) {
        return network.stack(1).counters().get(id);
    }
}
