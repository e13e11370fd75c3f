package io.weir.transport.switching;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.FramePrinter;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Tests {@link SwitchPipeline}, {@link ForwardingTable} and {@link EcmpHash}. */
class SwitchPipelineTest {
    private static final long RATE_BPS = 10_000_000_000L;

    private final FramePool pool = new FramePool(256, 2048, true);
    private long nowNanos;

    private SwitchPipeline pipeline(int portCount) {
        List<SwitchPortConfig> ports = new ArrayList<>();
        for (int i = 0; i < portCount; i++) {
            ports.add(SwitchPortConfig.builder(RATE_BPS).build());
        }
        return new SwitchPipeline(ports, pool, 1);
    }

    private PeerFrames from(int from, int to) {
        Path path = Path.from(TestNetwork.mac(from), TestNetwork.address(from), 1)
                .to(TestNetwork.mac(to), TestNetwork.address(to), 2);
        return new PeerFrames(pool, path, 1, new UnsafeBuffer(ByteBuffer.allocateDirect(12)), 2);
    }

    /** {@return a bit for each port that a frame waits at, and takes those frames} */
    private int takeEverywhere(SwitchPipeline pipeline) {
        int ports = 0;
        nowNanos += 1_000_000;
        for (int i = 0; i < pipeline.portCount(); i++) {
            Frame frame = pipeline.egress(i).pollTransmit(nowNanos);
            if (frame != null) {
                ports |= 1 << i;
                frame.release();
            }
        }
        return ports;
    }

    @Test
    void onFrame_unknownDestination_isCopiedToEveryOtherPort() {
        SwitchPipeline pipeline = pipeline(4);
        for (int ingress = 0; ingress < 4; ingress++) {
            pipeline.onFrame(ingress, from(1, 99).data(1, 0, 100), 0);
            assertEquals(0b1111 & ~(1 << ingress), takeEverywhere(pipeline));
        }
        assertEquals(4, pipeline.counters().get(CounterId.FRAMES_FLOODED));
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void onFrame_anyFrame_isCountedAtThePortByWhichItCame() {
        SwitchPipeline pipeline = pipeline(3);
        pipeline.onFrame(1, from(1, 99).data(1, 0, 100), 0);
        assertEquals(1, pipeline.port(1).counters().get(CounterId.FRAMES_RECEIVED));
        assertEquals(0, pipeline.port(0).counters().get(CounterId.FRAMES_RECEIVED));
        Frame left = pipeline.egress(0).pollTransmit(0);
        assertEquals(left.wireBytes(), pipeline.port(1).counters().get(CounterId.WIRE_BYTES_RECEIVED));
        left.release();
        pipeline.close();
    }

    @Test
    void onFrame_flooded_copiesAreEqualAndIndependent() {
        SwitchPipeline pipeline = pipeline(3);
        Frame original = from(1, 99).data(1, 0, 100);
        pipeline.onFrame(0, original, 0);
        Frame first = pipeline.egress(1).pollTransmit(0);
        Frame second = pipeline.egress(2).pollTransmit(0);
        assertNotSame(first, second);
        assertEquals(first.length(), second.length());
        for (int i = 0; i < first.length(); i++) {
            int at = first.offset() + i;
            assertEquals(first.buffer().getByte(at), second.buffer().getByte(second.offset() + i));
        }
        first.release();
        second.release();
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void onFrame_broadcast_isFloodedEvenWhenLearned() {
        SwitchPipeline pipeline = pipeline(3);
        Frame frame = from(1, 2).data(1, 0, 100);
        Ethernet.write(frame.buffer(), frame.offset(), Ethernet.BROADCAST, Ethernet.BROADCAST, Ethernet.TYPE_IPV4);
        pipeline.onFrame(0, frame, 0);
        assertEquals(0b110, takeEverywhere(pipeline));
    }

    @Test
    void onFrame_floodWithoutFrames_leavesByOnePortAndCountsTheRest() {
        SwitchPipeline pipeline = pipeline(4);
        Frame frame = from(1, 99).data(1, 0, 100);
        List<Frame> taken = new ArrayList<>();
        for (Frame other = pool.allocate(); other != null; other = pool.allocate()) {
            taken.add(other);
        }
        pipeline.onFrame(0, frame, 0);
        assertEquals(2, pipeline.counters().get(CounterId.DROP_NO_FRAME));
        assertEquals(0b1000, takeEverywhere(pipeline));
        taken.forEach(Frame::release);
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void onFrame_onePort_hasNowhereToFlood() {
        SwitchPipeline pipeline = pipeline(1);
        pipeline.onFrame(0, from(1, 99).data(1, 0, 100), 0);
        assertEquals(1, pipeline.counters().get(CounterId.DROP_NO_ROUTE));
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void onFrame_sourceSeen_isLearnedAndFollowedWhenItMoves() {
        SwitchPipeline pipeline = pipeline(4);
        pipeline.onFrame(2, from(7, 99).data(1, 0, 100), 0);
        takeEverywhere(pipeline);
        pipeline.onFrame(0, from(1, 7).data(1, 0, 100), 0);
        assertEquals(0b0100, takeEverywhere(pipeline));
        pipeline.onFrame(3, from(7, 99).data(1, 0, 100), 0);
        takeEverywhere(pipeline);
        pipeline.onFrame(0, from(1, 7).data(1, 0, 100), 0);
        assertEquals(0b1000, takeEverywhere(pipeline));
    }

    @Test
    void onFrame_configuredRoute_isNotUnlearned() {
        SwitchPipeline pipeline = pipeline(4);
        pipeline.addRoute(TestNetwork.mac(7), 1);
        pipeline.onFrame(2, from(7, 99).data(1, 0, 100), 0);
        takeEverywhere(pipeline);
        pipeline.onFrame(0, from(1, 7).data(1, 0, 100), 0);
        assertEquals(0b0010, takeEverywhere(pipeline));
    }

    @Test
    void onFrame_afterStopFlooding_unknownDestinationsAndGroupsAreDropped() {
        SwitchPipeline pipeline = pipeline(3);
        pipeline.stopFlooding();
        pipeline.onFrame(0, from(1, 99).data(1, 0, 100), 0);
        assertEquals(0, takeEverywhere(pipeline));
        assertEquals(1, pipeline.counters().get(CounterId.DROP_NO_ROUTE));
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void onFrame_afterStopLearning_sourcesAreNotLearned() {
        SwitchPipeline pipeline = pipeline(3);
        pipeline.stopLearning();
        pipeline.onFrame(1, from(1, 99).data(1, 0, 100), 0);
        takeEverywhere(pipeline);
        pipeline.onFrame(2, from(2, 1).data(1, 0, 100), 0);
        assertEquals(0b011, takeEverywhere(pipeline));
    }

    @Test
    void forward_spraying_sendsTheFramesOfOneFlowOverAllPathsInTurn() {
        SwitchPipeline pipeline = pipeline(4);
        pipeline.addRoute(TestNetwork.mac(2), 1, 2, 3);
        pipeline.spray();
        for (int i = 0; i < 6; i++) {
            pipeline.onFrame(0, from(1, 2).data(1, 0, 100), nowNanos);
            assertEquals(0b10 << i % 3, takeEverywhere(pipeline));
        }
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void setEgressListener_anyFrame_hearsOfEveryPortThatItLeavesBy() {
        SwitchPipeline pipeline = pipeline(4);
        List<Integer> ready = new ArrayList<>();
        assertTrue(pipeline.setEgressListener(ready::add));
        pipeline.onFrame(1, from(1, 99).data(1, 0, 100), 0);
        assertEquals(List.of(0, 2, 3), ready);
        ready.clear();
        pipeline.onFrame(2, from(2, 1).data(1, 0, 100), 0);
        assertEquals(List.of(1), ready);
        pipeline.close();
    }

    @Test
    void onFrame_destinationBehindItsOwnPort_isDropped() {
        SwitchPipeline pipeline = pipeline(2);
        pipeline.addRoute(TestNetwork.mac(2), 1);
        pipeline.onFrame(1, from(1, 2).data(1, 0, 100), 0);
        assertEquals(1, pipeline.counters().get(CounterId.DROP_SAME_PORT));
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void onFrame_shorterThanAnEthernetHeader_isDropped() {
        SwitchPipeline pipeline = pipeline(2);
        Frame frame = pool.allocate();
        frame.setExtent(0, 13);
        pipeline.onFrame(0, frame, 0);
        assertEquals(1, pipeline.counters().get(CounterId.DROP_MALFORMED));
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void onTimeout_emulatedIngress_forwardsWhenTheFrameHasArrived() {
        SwitchPortConfig.LinkEmulation link = new SwitchPortConfig.LinkEmulation(true, 5_000, 50_000, 0);
        List<SwitchPortConfig> ports = List.of(
                SwitchPortConfig.builder(RATE_BPS).link(link).build(),
                SwitchPortConfig.builder(RATE_BPS).build());
        SwitchPipeline pipeline = new SwitchPipeline(ports, pool, 1);
        pipeline.addRoute(TestNetwork.mac(2), 1);
        Frame frame = from(1, 2).data(1, 0, 1424);
        pipeline.onFrame(0, frame, 0);
        long arrival = pipeline.nextTimeoutNanos();
        assertEquals(1230 + 5_000, arrival);
        pipeline.onTimeout(arrival - 1);
        assertNull(pipeline.egress(1).pollTransmit(arrival - 1));
        pipeline.onTimeout(arrival);
        assertEquals(frame, pipeline.egress(1).pollTransmit(arrival));
        frame.release();
        pipeline.onFrame(0, from(1, 2).data(1, 0, 100), arrival);
        pipeline.close();
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void learn_tableFull_floodsTheRest() {
        ForwardingTable table = new ForwardingTable(2);
        for (int i = 0; i < 65_536; i++) {
            table.learn(i, 1);
        }
        table.learn(1_000_000, 1);
        assertNull(table.pathsTo(1_000_000));
        table.learn(5, 0);
        assertEquals(0, table.pathsTo(5).port(0), "a known address may still move");
    }

    // ---- equal paths

    private static Path randomPath(SeededRandom random) {
        boolean isV6 = random.nextInt(2) == 0;
        return Path.from(
                        random.nextLong() & Ethernet.BROADCAST,
                        isV6
                                ? IpAddress.v6(0xFD00L << 48, random.nextInt(64))
                                : IpAddress.v4(0x0A00_0000 + random.nextInt(64)),
                        random.nextIntInclusive(1, 65_535))
                .to(
                        random.nextLong() & Ethernet.BROADCAST,
                        isV6
                                ? IpAddress.v6(0xFD00L << 48, random.nextInt(64))
                                : IpAddress.v4(0x0A00_0000 + random.nextInt(64)),
                        random.nextIntInclusive(1, 100));
    }

    @Test
    void choose_bothDirectionsOfRandomFlows_takeTheSamePathAndSpreadEvenly() {
        EcmpHash hash = new EcmpHash(0);
        for (int count = 2; count <= 8; count++) {
            SeededRandom random = new SeededRandom(count);
            int[] chosen = new int[count];
            Paths paths = new Paths(1, new int[count]);
            int flows = 20_000;
            for (int i = 0; i < flows; i++) {
                Path path = randomPath(random);
                Frame data = new PeerFrames(pool, path, 1, new UnsafeBuffer(ByteBuffer.allocateDirect(12)), 2)
                        .data(1, 0, 10);
                Frame credit = new PeerFrames(
                                pool, path.mirrored(), 1, new UnsafeBuffer(ByteBuffer.allocateDirect(12)), 2)
                        .credit(1);
                int there = hash.choose(data.buffer(), data.offset(), data.length(), paths);
                int back = hash.choose(credit.buffer(), credit.offset(), credit.length(), paths);
                assertEquals(there, back);
                chosen[there]++;
                data.release();
                credit.release();
            }
            for (int n : chosen) {
                assertEquals(flows / (double) count, n, 5 * Math.sqrt(flows / (double) count), "of " + count);
            }
        }
    }

    @Test
    void forward_parallelLinks_creditsAndDataOfAFlowShareOne() {
        SeededRandom random = new SeededRandom(4);
        for (int links = 2; links <= 4; links++) {
            SwitchPipeline left = pipeline(1 + links);
            SwitchPipeline right = pipeline(1 + links);
            int[] uplinks = new int[links];
            for (int i = 0; i < links; i++) {
                uplinks[i] = 1 + i;
            }
            left.addRoute(TestNetwork.mac(2), uplinks);
            right.addRoute(TestNetwork.mac(1), uplinks);
            int used = 0;
            for (int i = 0; i < 200; i++) {
                Path path = Path.from(TestNetwork.mac(1), TestNetwork.address(1), random.nextIntInclusive(1, 65_535))
                        .to(TestNetwork.mac(2), TestNetwork.address(2), 4720);
                left.onFrame(
                        0,
                        new PeerFrames(pool, path, 1, new UnsafeBuffer(ByteBuffer.allocateDirect(12)), 2)
                                .data(1, 0, 10),
                        0);
                int dataLink = takeEverywhere(left);
                Path back = path.mirrored();
                right.onFrame(
                        0,
                        new PeerFrames(pool, back, 1, new UnsafeBuffer(ByteBuffer.allocateDirect(12)), 2).credit(1),
                        0);
                assertEquals(dataLink, takeEverywhere(right));
                used |= dataLink;
            }
            assertEquals(links, Integer.bitCount(used), "every link is used");
            assertTrue(pool.available() == pool.frameCount());
        }
    }

    private String passing(SwitchPipeline pipeline, Frame frame) {
        pipeline.onFrame(0, frame, nowNanos);
        nowNanos += 1_000_000;
        Frame left = pipeline.egress(1).pollTransmit(nowNanos);
        String text = FramePrinter.print(left);
        left.release();
        return text;
    }

    private SwitchPipeline pair(SwitchPortConfig first, SwitchPortConfig second) {
        SwitchPipeline pipeline = new SwitchPipeline(List.of(first, second), pool, 1);
        pipeline.addRoute(TestNetwork.mac(2), 1);
        return pipeline;
    }

    @Test
    void onFrame_openingThroughAMeter_saysOneFramePerCredit() {
        SwitchPortConfig metered = SwitchPortConfig.builder(RATE_BPS).build();
        SwitchPortConfig plain = SwitchPortConfig.builder(RATE_BPS).unmetered().build();
        PeerFrames peer = from(1, 2).creditFrames(16);
        assertTrue(passing(pair(plain, plain), peer.open(0, 0)).endsWith(" frames=16"));
        for (SwitchPipeline pipeline : List.of(pair(metered, plain), pair(plain, metered), pair(metered, metered))) {
            assertEquals("OPEN backlog=0", passing(pipeline, peer.open(0, 0)), "with a good checksum");
            assertEquals("ACCEPT protocol=1 window=5 backlog=0", passing(pipeline, peer.accept(5, 0)));
            assertTrue(passing(pipeline, peer.ack(0, 5, 1)).endsWith(" frames=16"), "nothing else is changed");
        }
    }

    // ---- other ports while it forwards

    private static SwitchPortConfig rate(long rateBps) {
        return SwitchPortConfig.builder(rateBps).build();
    }

    @Test
    void setPorts_anotherRate_keepsQueueCountersAndWhatWasLearned() {
        SwitchPipeline pipeline = pipeline(3);
        pipeline.onFrame(1, from(2, 1).data(1, 0, 100), 0);
        takeEverywhere(pipeline);
        for (int i = 0; i < 3; i++) {
            pipeline.onFrame(0, from(1, 2).data(1 + i, 0, 1_400), nowNanos);
        }
        long queuedBytes = pipeline.port(1).dataQueueBytes();
        long receivedFrames = pipeline.port(0).counters().get(CounterId.FRAMES_RECEIVED);

        long slowBps = 1_000_000_000L;
        pipeline.setPorts(List.of(rate(RATE_BPS), rate(slowBps), rate(RATE_BPS)), new int[] {0, 1, 2}, nowNanos);

        assertEquals(queuedBytes, pipeline.port(1).dataQueueBytes());
        assertEquals(receivedFrames, pipeline.port(0).counters().get(CounterId.FRAMES_RECEIVED));
        Frame first = pipeline.egress(1).pollTransmit(nowNanos);
        long frameNanos = first.wireBytes() * 8_000_000_000L / slowBps;
        assertNull(pipeline.egress(1).pollTransmit(nowNanos + frameNanos / 2), "the link is slower now");
        first.release();
        nowNanos += frameNanos;
        assertEquals(0b010, takeEverywhere(pipeline));
        assertEquals(0b010, takeEverywhere(pipeline));
        pipeline.onFrame(0, from(1, 2).data(9, 0, 100), nowNanos);
        assertEquals(0b010, takeEverywhere(pipeline), "the address is still known behind port 1");
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void setPorts_oneFewerAndOneMore_forwardsByTheNewNumbersAndLosesNoFrameOfThePool() {
        SwitchPipeline pipeline = pipeline(3);
        pipeline.onFrame(1, from(2, 99).data(1, 0, 100), 0);
        pipeline.onFrame(2, from(3, 99).data(1, 0, 100), 0);
        // Port 0 goes with what waits at it; 1 and 2 become 0 and 1; 2 is new.
        SwitchPortConfig same = rate(RATE_BPS);
        pipeline.setPorts(List.of(same, same, same), new int[] {1, 2, -1}, nowNanos);
        while (takeEverywhere(pipeline) != 0) {
            // What had been flooded.
        }
        assertEquals(pool.frameCount(), pool.available());
        pipeline.onFrame(2, from(7, 2).data(1, 0, 100), nowNanos);
        assertEquals(0b001, takeEverywhere(pipeline), "learned behind port 1, which is 0 now");
        pipeline.onFrame(0, from(2, 3).data(1, 0, 100), nowNanos);
        assertEquals(0b010, takeEverywhere(pipeline));
        pipeline.onFrame(0, from(2, 7).data(1, 0, 100), nowNanos);
        assertEquals(0b100, takeEverywhere(pipeline));
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void setPorts_anotherMeter_dropsWaitingCreditsAndCountsThem() {
        SwitchPipeline pipeline = pipeline(2);
        pipeline.onFrame(1, from(2, 1).data(1, 0, 100), 0);
        takeEverywhere(pipeline);
        for (int i = 0; i < 6; i++) {
            pipeline.onFrame(0, from(1, 2).credit(i), nowNanos);
        }
        int waiting = pipeline.port(1).creditQueueFrames();
        assertTrue(waiting > 0);
        long before = pipeline.port(1).counters().get(CounterId.DROP_CREDIT_QUEUE);
        pipeline.setPorts(
                List.of(
                        rate(RATE_BPS),
                        SwitchPortConfig.builder(RATE_BPS).unmetered().build()),
                new int[] {0, 1},
                nowNanos);
        assertEquals(before + waiting, pipeline.port(1).counters().get(CounterId.DROP_CREDIT_QUEUE));
        assertEquals(0, pipeline.port(1).creditQueueFrames());
        pipeline.close();
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void setPorts_linkThatBeginsToBePlayed_isRefusedAndChangesNothing() {
        SwitchPipeline pipeline = pipeline(2);
        SwitchPortConfig emulated = SwitchPortConfig.builder(RATE_BPS)
                .link(new SwitchPortConfig.LinkEmulation(true, 1_000, 100_000, 0))
                .build();
        ConfigException refused = assertThrows(
                ConfigException.class,
                () -> pipeline.setPorts(List.of(rate(1_000_000), emulated), new int[] {0, 1}, nowNanos));
        assertTrue(refused.getMessage().contains("link.emulate=true"), refused.getMessage());
        assertEquals(RATE_BPS, pipeline.port(0).config().linkRateBps());
    }

    // ---- floods

    /** {@return a frame to everybody from a host} */
    private Frame broadcast(int from) {
        Frame frame = from(from, 99).data(1, 0, 1_000);
        Ethernet.write(frame.buffer(), frame.offset(), Ethernet.BROADCAST, TestNetwork.mac(from), Ethernet.TYPE_IPV4);
        return frame;
    }

    /** Sends a frame by each port at a rate, for a while, and takes what leaves. */
    private void storm(SwitchPipeline pipeline, IntFunction<Frame> frames, long gapNanos, long nanos) {
        for (long time = 0; time < nanos; time += gapNanos) {
            pipeline.onFrame(0, frames.apply(0), nowNanos + time);
            for (int i = 0; i < pipeline.portCount(); i++) {
                for (Frame left = poll(pipeline, i, time); left != null; left = poll(pipeline, i, time)) {
                    left.release();
                }
            }
        }
        nowNanos += nanos;
    }

    private Frame poll(SwitchPipeline pipeline, int port, long time) {
        return pipeline.egress(port).pollTransmit(nowNanos + time);
    }

    @Test
    void onFrame_stormOfBroadcasts_leavesAHundredthOfTheLinkAtEachPort() {
        SwitchPipeline pipeline = pipeline(3);
        storm(pipeline, any -> broadcast(1), 1_000, 10_000_000);
        long stormBytes = pipeline.port(0).counters().get(CounterId.WIRE_BYTES_RECEIVED);
        // 10 Gbps for 10 ms are 12.5 MB: a hundredth of them, and the burst of 16 longest frames.
        long allowedBytes = 125_000 + 16 * 1_538;
        for (int i = 1; i < 3; i++) {
            long sentBytes = pipeline.port(i).counters().get(CounterId.WIRE_BYTES_SENT);
            assertTrue(sentBytes <= allowedBytes, sentBytes + " of " + stormBytes);
            assertTrue(sentBytes >= allowedBytes - 2 * 1_538, sentBytes + " of " + stormBytes);
        }
        assertTrue(pipeline.port(0).counters().get(CounterId.DROP_FLOOD_LIMIT) > 0);
        assertEquals(0, pipeline.port(1).counters().get(CounterId.DROP_FLOOD_LIMIT));
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void onFrame_stormToUnknownAddresses_isLimitedToo() {
        SwitchPipeline pipeline = pipeline(3);
        storm(pipeline, any -> from(1, 99).data(1, 0, 1_000), 1_000, 1_000_000);
        assertTrue(pipeline.port(0).counters().get(CounterId.DROP_FLOOD_LIMIT) > 0);
    }

    @Test
    void onFrame_stormByOnePort_leavesTheFloodsOfAnotherAlone() {
        SwitchPipeline pipeline = pipeline(3);
        storm(pipeline, any -> broadcast(1), 1_000, 1_000_000);
        long before = pipeline.counters().get(CounterId.FRAMES_FLOODED);
        pipeline.onFrame(1, broadcast(2), nowNanos);
        assertEquals(before + 1, pipeline.counters().get(CounterId.FRAMES_FLOODED));
        pipeline.close();
    }

    @Test
    void onFrame_toAKnownAddressDuringAStorm_isForwarded() {
        SwitchPipeline pipeline = pipeline(3);
        pipeline.onFrame(2, broadcast(3), 0);
        storm(pipeline, any -> broadcast(1), 1_000, 1_000_000);
        pipeline.onFrame(0, from(1, 3).data(1, 0, 1_000), nowNanos);
        assertEquals(0b100, takeEverywhere(pipeline));
    }

    @Test
    void onFrame_floodRateOfTheLink_isNoLimit() {
        SwitchPortConfig port =
                SwitchPortConfig.builder(RATE_BPS).floodRateBps(RATE_BPS).build();
        SwitchPipeline pipeline = new SwitchPipeline(List.of(port, port, port), pool, 1);
        storm(pipeline, any -> broadcast(1), 1_000, 1_000_000);
        assertEquals(0, pipeline.port(0).counters().get(CounterId.DROP_FLOOD_LIMIT));
    }

    /** Credits of two hosts to a third one: the first floods with twenty times what its link can use. */
    @Test
    void onFrame_creditsOfOnePortFlood_theOtherPortsPassTheMeter() {
        SwitchPipeline pipeline = pipeline(3);
        pipeline.addRoute(TestNetwork.mac(3), 2);
        PeerFrames flooding = from(1, 3);
        PeerFrames honest = from(2, 3);
        int number = 0;
        long honestSent = 0;
        // A credit is 1.28 us of the meter; the honest host asks for a third of it.
        for (int i = 0; i < 20_000; i++) {
            nowNanos += 64;
            pipeline.onFrame(0, flooding.credit(++number), nowNanos);
            if (i % 60 == 0) {
                pipeline.onFrame(1, honest.credit(++number), nowNanos);
                honestSent++;
            }
            Frame left = pipeline.egress(2).pollTransmit(nowNanos);
            if (left != null) {
                left.release();
            }
        }
        long[] offered = pipeline.port(2).creditsOfferedByIngress();
        long[] dropped = pipeline.port(2).creditsDroppedByIngress();
        assertArrayEquals(new long[] {20_000, honestSent, 0}, offered);
        // Of nine credits where eight may wait one goes, at random, and the ninth where it is longer than the one that
        // was chosen. Without the limit three of five are dropped.
        assertTrue(dropped[1] <= honestSent / 3, dropped[1] + " of " + honestSent);
        assertTrue(dropped[0] > 18_000, dropped[0] + " of the flood");
        pipeline.close();
        assertEquals(pool.frameCount(), pool.available());
    }

    @Test
    void dataQueuedByIngress_framesOfTwoPorts_areCountedApart() {
        SwitchPortConfig port =
                SwitchPortConfig.builder(RATE_BPS).dataQueueBytesMax(3 * 1_538).build();
        SwitchPipeline pipeline = new SwitchPipeline(List.of(port, port, port), pool, 1);
        pipeline.addRoute(TestNetwork.mac(3), 2);
        pipeline.onFrame(1, from(2, 3).data(1, 0, 1_000), 0);
        for (int i = 0; i < 5; i++) {
            pipeline.onFrame(0, from(1, 3).data(1, 0, 1_400), 0);
        }
        assertArrayEquals(new long[] {2, 1, 0}, pipeline.port(2).dataQueuedByIngress());
        assertArrayEquals(new long[] {3, 0, 0}, pipeline.port(2).dataDroppedByIngress());
        pipeline.setPorts(List.of(port, port), new int[] {1, 2}, 0);
        assertArrayEquals(new long[] {1, 0}, pipeline.port(1).dataQueuedByIngress());
        assertArrayEquals(new long[] {0, 0}, pipeline.port(1).dataDroppedByIngress());
        pipeline.close();
    }
}
