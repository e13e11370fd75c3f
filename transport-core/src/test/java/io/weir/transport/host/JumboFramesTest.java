package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.scenario.Fault;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Plays hosts whose links take IP packets of 9,000 bytes. */
class JumboFramesTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final int MTU_BYTES = 9_000;
    private static final int SLOT_BYTES = 9_216;
    private static final int STREAM_BYTES = 5_000_000;
    /** IPv4, UDP and Weir's own header. */
    private static final int HEADERS_V4_BYTES = 76;

    private static final int HEADERS_V6_BYTES = HEADERS_V4_BYTES + 20;

    private int hostsMade;

    private static TestNetwork network(long seed) {
        return new TestNetwork(seed, RATE_BPS, ExpressPass.weir(), new FramePool(6_000, SLOT_BYTES, true));
    }

    private static void transfer(TestNetwork network, int segmentBytes) {
        StreamProbe client = new StreamProbe(1, STREAM_BYTES, 2);
        StreamProbe server = new StreamProbe(2, 0, 1);
        network.connect(0, 1, 2, client, server);
        network.simulator().run(2 * SECOND);
        assertEquals(STREAM_BYTES, server.receivedBytes());
        assertEquals(CloseReason.FINISHED, client.closeReason());
        long frames = network.stack(2).counters().get(CounterId.DATA_FRAMES_RECEIVED);
        long framesMin = ((long) STREAM_BYTES + segmentBytes - 1) / segmentBytes;
        // The first may be short, and one at each end has no payload.
        assertTrue(frames >= framesMin && frames <= framesMin + 3, frames + " frames, at least " + framesMin);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void transfer_bothEnds9000_segmentsFillFrames(boolean isV6) {
        try (TestNetwork network = network(1)
                .ipv6(isV6)
                .hostOptions(builder -> builder.mtuBytes(MTU_BYTES))
                .pair(25_000)) {
            transfer(network, MTU_BYTES - (isV6 ? HEADERS_V6_BYTES : HEADERS_V4_BYTES));
        }
    }

    @ParameterizedTest
    @CsvSource({"9000, 1500", "1500, 9000", "9000, 4000"})
    void transfer_endsOfDifferentMtus_segmentsFitTheSmaller(int clientMtuBytes, int serverMtuBytes) {
        try (TestNetwork network = network(2)
                .hostOptions(builder -> builder.mtuBytes(hostsMade++ == 0 ? clientMtuBytes : serverMtuBytes))
                .pair(25_000)) {
            transfer(network, Math.min(clientMtuBytes, serverMtuBytes) - HEADERS_V4_BYTES);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void transfer_badLink_everythingArrives(long seed) {
        Fault.Impairment bad = Fault.Impairment.NONE
                .withLoss(30_000)
                .withDuplicates(10_000)
                .withReordering(20_000, 50_000)
                .withCorruption(10_000);
        try (TestNetwork network = network(seed)
                .impaired(bad, Long.MAX_VALUE)
                .hostOptions(builder -> builder.mtuBytes(MTU_BYTES))
                .pair(25_000)) {
            StreamProbe client = new StreamProbe(1, STREAM_BYTES, 2);
            StreamProbe server = new StreamProbe(2, 0, 1);
            network.connect(0, 1, 2, client, server);
            network.simulator().run(20 * SECOND);
            assertEquals(STREAM_BYTES, server.receivedBytes(), "seed " + seed);
        }
    }

    /** As a measurement does: much one way, and then a report the other way, which is one frame that is too long. */
    @ParameterizedTest
    @ValueSource(ints = {1_500, 3_000, 8_924, 20_000})
    void star_switchOfALesserMtu_loneMessageArrivesBehindMuchData(int reportBytes) {
        try (TestNetwork network = network(7)
                .hostOptions(builder -> builder.mtuBytes(MTU_BYTES))
                .star(2, 5_000, builder -> builder.mtuBytes(1_500))) {
            StreamProbe client = new StreamProbe(1, 1_000_000, 2);
            StreamProbe server = new StreamProbe(2, reportBytes, 1);
            network.connect(0, 1, 2, client, server);
            network.simulator().run(5 * SECOND);
            assertEquals(1_000_000, server.receivedBytes());
            assertEquals(reportBytes, client.receivedBytes());
            assertEquals(CloseReason.FINISHED, client.closeReason());
            assertEquals(CloseReason.FINISHED, server.closeReason());
            assertEquals(1, network.stack(1).counters().get(CounterId.BLACK_HOLES_FOUND));
        }
    }

    @Test
    void star_manyToOne_metersGoByTheLargestFrameAndNoneIsLost() {
        int senders = 4;
        try (TestNetwork network = network(6)
                .hostOptions(builder -> builder.mtuBytes(MTU_BYTES))
                .star(senders + 1, 5_000, builder -> builder.mtuBytes(MTU_BYTES))) {
            StreamProbe[] servers = new StreamProbe[senders];
            for (int i = 0; i < senders; i++) {
                servers[i] = new StreamProbe(10 + i, 0, 1);
                network.connect(0, i + 1, senders + 1, new StreamProbe(i, STREAM_BYTES, 10 + i), servers[i]);
            }
            long nanos = 8L * senders * STREAM_BYTES;
            // The share of the link that the paper's meters leave to data is 9038/(9038 + 84) here.
            network.simulator().run(nanos * 8 / 10 + SECOND / 100);
            for (StreamProbe server : servers) {
                assertEquals(STREAM_BYTES, server.receivedBytes());
            }
            for (int port = 0; port <= senders; port++) {
                assertEquals(0, network.pipeline().port(port).counters().get(CounterId.DROP_DATA_QUEUE));
                assertEquals(0, network.pipeline().port(port).counters().get(CounterId.DROP_TOO_LONG));
            }
        }
    }
}
