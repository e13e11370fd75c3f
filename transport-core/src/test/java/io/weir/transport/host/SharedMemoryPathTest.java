package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.CreditShape;
import io.weir.transport.frame.FramePool;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.SentFrame;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.AcceptHeader;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.SharedHostMac;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Plays hosts that reach some peers by a link, and others, processes of the same host, through memory that takes longer
 * packets.
 */
class SharedMemoryPathTest {
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final int MEMORY_MTU_BYTES = 9_000;
    private static final HostLinkConfig MEMORY = HostLinkConfig.of(MEMORY_MTU_BYTES, RATE_BPS);
    private static final int STREAM_BYTES = 3_000_000;
    /** IPv4, UDP and Weir's own header. */
    private static final int HEADERS_BYTES = 76;
    /** What fits the frames of {@link Script}. */
    private static final int SCRIPT_MTU_BYTES = 1_900;
    /** Memory of twice the rate of {@link Script}'s link. */
    private static final HostLinkConfig SCRIPT_MEMORY = new HostLinkConfig(
            SCRIPT_MTU_BYTES,
            2 * Script.LINK_RATE_BPS,
            2 * Script.LINK_RATE_BPS,
            CreditPortConfig.exact(2 * Script.LINK_RATE_BPS, CreditShape.permitting(1_938), 0, 2));

    private static final HostConfig.Peers NO_CREDITS = HostConfig.Peers.DEFAULT.withCreditedMax(0);

    private int hostsMade;

    private static TestNetwork network(long seed) {
        return new TestNetwork(seed, RATE_BPS, ExpressPass.weir(), new FramePool(6_000, 9_216, true));
    }

    /** Opens a connection through memory: the network carries it, and the hosts' addresses say what it is. */
    private static void connectByMemory(TestNetwork network, int from, int to, StreamProbe client, StreamProbe server) {
        Path path = Path.from(SharedHostMac.of(from), TestNetwork.address(from), 50_000)
                .to(SharedHostMac.of(to), TestNetwork.address(to), TestNetwork.PORT);
        network.stack(to).network().setMacs(SharedHostMac.of(to), Map.of());
        network.listen(to, TestNetwork.PORT, server);
        network.at(0, from, () -> client.writeEarly(network.stack(from).connect(path, client)));
    }

    private static void requireFrames(TestNetwork network, int host, int mtuBytes) {
        long frames = network.stack(host).counters().get(CounterId.DATA_FRAMES_RECEIVED);
        int segmentBytes = mtuBytes - HEADERS_BYTES;
        long framesMin = ((long) STREAM_BYTES + segmentBytes - 1) / segmentBytes;
        assertTrue(frames >= framesMin && frames <= framesMin + 3, frames + " frames, at least " + framesMin);
    }

    @Test
    void transfer_memoryAndLinkAtOnce_eachHasItsOwnMtu() {
        try (TestNetwork network = network(1)
                .hostOptions(builder -> builder.memory(MEMORY))
                .star(3, 5_000, builder -> builder.mtuBytes(MEMORY_MTU_BYTES))) {
            network.pipeline().addRoute(SharedHostMac.of(1), 0);
            network.pipeline().addRoute(SharedHostMac.of(2), 1);
            StreamProbe[] clients = {new StreamProbe(1, STREAM_BYTES, 2), new StreamProbe(3, STREAM_BYTES, 4)};
            StreamProbe[] servers = {new StreamProbe(2, 0, 1), new StreamProbe(4, 0, 3)};
            connectByMemory(network, 1, 2, clients[0], servers[0]);
            network.connect(0, 1, 3, clients[1], servers[1]);
            network.simulator().run(2 * SECOND);
            for (int i = 0; i < 2; i++) {
                assertEquals(STREAM_BYTES, servers[i].receivedBytes());
                assertEquals(-1, servers[i].firstMismatch());
                assertEquals(CloseReason.FINISHED, clients[i].closeReason());
            }
            requireFrames(network, 2, MEMORY_MTU_BYTES);
            requireFrames(network, 3, 1_500);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000_000_000L, 5_000_000_000L})
    void transfer_memoryAndLinkAtOnce_neitherTakesOfTheOther(long memoryRateBps) {
        HostLinkConfig memory = HostLinkConfig.of(MEMORY_MTU_BYTES, memoryRateBps);
        long[] aloneNanos = {tookNanos(memory, true, false)[0], tookNanos(memory, false, true)[1]};
        long[] togetherNanos = tookNanos(memory, true, true);
        for (int i = 0; i < 2; i++) {
            assertTrue(togetherNanos[i] <= aloneNanos[i] * 51 / 50, togetherNanos[i] + " ns, alone " + aloneNanos[i]);
        }
        long memoryNanos = STREAM_BYTES * 8L * SECOND / memoryRateBps;
        assertTrue(
                togetherNanos[1] >= memoryNanos && togetherNanos[1] <= memoryNanos * 5 / 4, togetherNanos[1] + " ns");
    }

    /** {@return how long a stream by the link takes, and one by memory; 0 for one that is not wanted} */
    private static long[] tookNanos(HostLinkConfig memory, boolean hasLink, boolean hasMemory) {
        // The links of the network carry both, and its switch leaves their credits to the hosts.
        try (TestNetwork network = new TestNetwork(
                        1, 4 * RATE_BPS, ExpressPass.weir(), new FramePool(6_000, 9_216, true))
                .hostOptions(builder -> builder.memory(memory))
                .star(3, 5_000, builder -> builder.mtuBytes(MEMORY_MTU_BYTES).unmetered())) {
            network.pipeline().addRoute(SharedHostMac.of(1), 0);
            network.pipeline().addRoute(SharedHostMac.of(2), 1);
            for (int host = 1; host <= 3; host++) {
                network.stack(host).network().setLinkShare(250_000, 250_000, 0);
            }
            StreamProbe byLink = new StreamProbe(4, 0, 3);
            StreamProbe byMemory = new StreamProbe(2, 0, 1);
            if (hasMemory) {
                connectByMemory(network, 1, 2, new StreamProbe(1, STREAM_BYTES, 2), byMemory);
            }
            if (hasLink) {
                network.connect(0, 1, 3, new StreamProbe(3, STREAM_BYTES, 4), byLink);
            }
            network.simulator().run(2 * SECOND);
            long[] nanos = new long[2];
            List<StreamProbe> ends = List.of(byLink, byMemory);
            for (int i = 0; i < 2; i++) {
                boolean isWanted = i == 0 ? hasLink : hasMemory;
                assertEquals(isWanted ? STREAM_BYTES : 0, ends.get(i).receivedBytes());
                nanos[i] = isWanted ? ends.get(i).endNanos() - ends.get(i).firstByteNanos() : 0;
            }
            return nanos;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void transfer_creditsForSeveralFrames_takeTheLinksTime(int creditFramesMax) {
        try (TestNetwork network = network(2)
                .hostOptions(builder -> builder.memory(MEMORY).creditFramesMax(creditFramesMax))
                .pair(1_000)) {
            StreamProbe server = transferByMemory(network);
            requireFrames(network, 2, MEMORY_MTU_BYTES);
            // Charged for shorter frames, the meter would let through so many credits that frames queue and wait.
            long linkNanos = STREAM_BYTES * 8L * SECOND / RATE_BPS;
            long tookNanos = server.endNanos() - server.firstByteNanos();
            assertTrue(tookNanos >= linkNanos && tookNanos <= linkNanos * 5 / 4, tookNanos + " ns");
        }
    }

    @ParameterizedTest
    @CsvSource({"9000, 1500", "1500, 9000", "9000, 4000"})
    void transfer_endsOfDifferentMtus_segmentsFitTheSmaller(int clientMtuBytes, int serverMtuBytes) {
        try (TestNetwork network = network(3)
                .hostOptions(builder ->
                        builder.memory(HostLinkConfig.of(hostsMade++ == 0 ? clientMtuBytes : serverMtuBytes, RATE_BPS)))
                .pair(1_000)) {
            transferByMemory(network);
            requireFrames(network, 2, Math.min(clientMtuBytes, serverMtuBytes));
        }
    }

    @Test
    void setMtu_linkLowered_memoryKeepsItsOwn() {
        try (TestNetwork network =
                network(4).hostOptions(builder -> builder.memory(MEMORY)).pair(1_000)) {
            network.at(500_000, 1, () -> network.stack(1).network().setMtu(1_300));
            transferByMemory(network);
            requireFrames(network, 2, MEMORY_MTU_BYTES);
        }
    }

    @Test
    void setMacs_connectionThroughMemory_isLeftAlone() {
        try (TestNetwork network =
                network(5).hostOptions(builder -> builder.memory(MEMORY)).pair(1_000)) {
            StreamProbe client = new StreamProbe(1, STREAM_BYTES, 2);
            StreamProbe server = new StreamProbe(2, 0, 1);
            connectByMemory(network, 1, 2, client, server);
            network.simulator().run(500_000);
            HostStack host = network.stack(1);
            assertEquals(Set.of(), host.network().remotes());
            // A frame of this connection is too long for the way that the network tells.
            host.network().setMacs(7, Map.of(TestNetwork.address(2), TestNetwork.mac(2)));
            assertEquals(SharedHostMac.of(2), client.connection().path().remoteMac());
            assertEquals(SharedHostMac.of(1), client.connection().path().localMac());
            assertEquals(0, host.counters().get(CounterId.PATHS_CHANGED));
        }
    }

    /** {@return the receiver of a stream through memory, all of which has arrived} */
    private static StreamProbe transferByMemory(TestNetwork network) {
        StreamProbe client = new StreamProbe(1, STREAM_BYTES, 2);
        StreamProbe server = new StreamProbe(2, 0, 1);
        connectByMemory(network, 1, 2, client, server);
        network.simulator().run(SECOND);
        assertEquals(STREAM_BYTES, server.receivedBytes());
        return server;
    }

    // ---- what handshakes and credits say

    private static Script scripted(HostConfig.Peers peers) {
        return new Script(builder -> builder.memory(SCRIPT_MEMORY).peers(peers).streams(StreamLimits.GROWING)).listen();
    }

    private static PeerFrames byMemory(PeerFrames peer) {
        Path path = peer.path();
        return peer.withPath(path.withMacs(SharedHostMac.of(2), path.remoteMac()));
    }

    private static SentFrame answer(Script script, boolean isByMemory, long backlogBytes, int peerMtuBytes) {
        int flags = OpenHeader.FLAG_COOKIE | (backlogBytes > 0 ? OpenHeader.FLAG_CREDIT_REQUEST : 0);
        script.receives(peer -> (isByMemory ? byMemory(peer) : peer).open(0, 0))
                .forgetSent()
                .after(1_000)
                .receives(peer -> (isByMemory ? byMemory(peer) : peer).open(flags, backlogBytes, 1, peerMtuBytes))
                .after(1_000);
        return script.takeSent().get(0);
    }

    @ParameterizedTest
    @CsvSource({"false, false, 1500, 16384", "true, false, 1900, 16384", "false, true, 1500, 16384"})
    void accept_byEachPath_offersItsMtu(boolean isByMemory, boolean isHalfOpen, int mtuBytes, long windowBytes) {
        try (Script script = scripted(isHalfOpen ? NO_CREDITS : HostConfig.Peers.UNLIMITED)) {
            SentFrame accept = answer(script, isByMemory, 0, SCRIPT_MTU_BYTES);
            assertEquals(mtuBytes, AcceptHeader.mtuBytes(accept.bytes(), HeaderTemplate.BYTES_V4));
            assertEquals(windowBytes, AcceptHeader.receiveWindowBytes(accept.bytes(), HeaderTemplate.BYTES_V4));
        }
    }

    @Test
    void accept_halfOpenByMemory_offersItsMtu() {
        try (Script script = scripted(NO_CREDITS)) {
            SentFrame accept = answer(script, true, 0, SCRIPT_MTU_BYTES);
            assertEquals(1, script.host().halfOpenCount());
            assertEquals(0, script.host().connectionCount());
            assertEquals(SCRIPT_MTU_BYTES, AcceptHeader.mtuBytes(accept.bytes(), HeaderTemplate.BYTES_V4));
        }
    }

    @Test
    void connect_byEachPath_offersItsMtu() {
        try (Script script = new Script(builder -> builder.memory(SCRIPT_MEMORY))) {
            script.connect(0);
            Path path = script.connection().path();
            Path memory = Path.from(path.localMac(), path.local(), path.localPort() + 1)
                    .to(SharedHostMac.of(2), path.remote(), path.remotePort());
            script.host().connect(memory, new StreamProbe(1, 0, 1));
            script.after(1_000);
            List<Integer> offered = script.takeSent().stream()
                    .map(frame -> OpenHeader.mtuBytes(frame.bytes(), HeaderTemplate.BYTES_V4))
                    .toList();
            assertEquals(List.of(1_500, SCRIPT_MTU_BYTES), offered);
        }
    }

    @ParameterizedTest
    @CsvSource({"false, 1900, 1622", "true, 1900, 1011", "true, 1500, 1011"})
    void credits_byEachPath_areAsFarApartAsItsFramesAreLong(boolean isByMemory, int peerMtuBytes, long gapNanos) {
        try (Script script = scripted(HostConfig.Peers.UNLIMITED)) {
            answer(script, isByMemory, 1_000_000, peerMtuBytes);
            script.after(100_000);
            List<Long> times = script.takeSent().stream()
                    .filter(frame -> frame.text().startsWith("CREDIT"))
                    .map(SentFrame::nanos)
                    .toList();
            assertTrue(times.size() >= 7, times.toString());
            // Those before pass by what the meter's bucket held.
            for (int i = 5; i < times.size(); i++) {
                assertEquals(gapNanos, times.get(i) - times.get(i - 1), times.toString());
            }
        }
    }
}
