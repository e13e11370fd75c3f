package io.weir.transport.switching;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.CreditShape;
import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.Egress;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.Counters;
import io.weir.transport.testing.FrameMutator;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.Path;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Bad input from the network: whatever comes, a {@link SwitchPipeline} does not throw, leak, or hold a frame forever.
 */
class BadInputTest {
    private static final int FRAMES = 120_000;
    private static final long RATE_BPS = 1_000_000_000L;
    private static final CreditShape SHAPE = CreditShape.permitting(1538).withWireBytes(84, 92);
    private static final long MILLISECOND = 1_000_000;

    private final SeededRandom random = new SeededRandom(42);
    private final FrameMutator mutator = new FrameMutator(random.split());
    private final FramePool pool = new FramePool(1024, 2048, true);
    private final SwitchPipeline pipeline = new SwitchPipeline(ports(), pool, 1);
    private final List<PeerFrames> hosts = hosts();
    private long nowNanos;
    private long leftCount;

    private static List<SwitchPortConfig> ports() {
        SwitchPortConfig.LinkEmulation link = new SwitchPortConfig.LinkEmulation(true, 10_000, 50_000, 0);
        return List.of(
                SwitchPortConfig.builder(RATE_BPS).build(),
                SwitchPortConfig.builder(RATE_BPS)
                        .credits(CreditPortConfig.paper(RATE_BPS, SHAPE))
                        .dataQueueBytesMax(5_000)
                        .build(),
                SwitchPortConfig.builder(RATE_BPS)
                        .credits(CreditPortConfig.authors(RATE_BPS, SHAPE).withDrop(CreditPortConfig.Drop.RANDOM))
                        .ecn(new EcnConfig(2_000, 10_000, 500_000))
                        .build(),
                SwitchPortConfig.builder(RATE_BPS)
                        .link(link)
                        .ecn(EcnConfig.step(3_000))
                        .build(),
                SwitchPortConfig.builder(RATE_BPS).unmetered().build());
    }

    private List<PeerFrames> hosts() {
        List<PeerFrames> all = new ArrayList<>();
        UnsafeBuffer cookie = new UnsafeBuffer(ByteBuffer.allocateDirect(12));
        for (int from = 1; from <= 5; from++) {
            int to = 1 + from % 5;
            Path path = Path.from(TestNetwork.mac(from), TestNetwork.address(from), 1_000 + from)
                    .to(TestNetwork.mac(to), TestNetwork.address(to), 2_000 + to);
            all.add(new PeerFrames(pool, path, from, cookie, to));
        }
        return all;
    }

    @Test
    void onFrame_mutatedFramesAndNoise_neverThrowsAndEverythingLeaves() {
        for (int host = 1; host <= 3; host++) {
            pipeline.addRoute(TestNetwork.mac(host), host - 1);
        }
        pipeline.addRoute(TestNetwork.mac(4), 2, 3);
        for (int i = 0; i < FRAMES; i++) {
            Frame frame = make(hosts.get(random.nextInt(hosts.size())));
            if (random.nextInt(20) == 0) {
                mutator.randomize(frame);
            } else {
                mutator.mutate(frame);
            }
            pipeline.onFrame(random.nextInt(pipeline.portCount()), frame, nowNanos);
            run(nowNanos + random.nextInt(20_000));
        }
        run(nowNanos + 100 * MILLISECOND);
        assertEquals(pool.frameCount(), pool.available(), "frames that never leave");
        Counters all = pipeline.counters();
        long drops = all.drops();
        for (int i = 0; i < pipeline.portCount(); i++) {
            drops += pipeline.port(i).counters().drops();
        }
        assertTrue(drops >= FRAMES - leftCount, "what did not leave was dropped for a reason that is counted");
        assertTrue(all.get(CounterId.FRAMES_RECEIVED) == FRAMES && leftCount > FRAMES / 2);
    }

    private Frame make(PeerFrames host) {
        return switch (random.nextInt(6)) {
            case 0, 1 -> host.credit(random.nextInt(1_000));
            case 2 -> host.request(1, 2);
            case 3 -> host.open(0, 0);
            default -> host.data(1, 0, random.nextInt(1_424));
        };
    }

    private void run(long untilNanos) {
        drain();
        for (long next = nextNanos(); next <= untilNanos; next = nextNanos()) {
            nowNanos = Math.max(next, nowNanos + 1);
            pipeline.onTimeout(nowNanos);
            drain();
        }
        nowNanos = Math.max(nowNanos, untilNanos);
    }

    private long nextNanos() {
        long next = pipeline.nextTimeoutNanos();
        for (int i = 0; i < pipeline.portCount(); i++) {
            next = Math.min(next, pipeline.egress(i).nextTransmitNanos(nowNanos));
        }
        return next == Deadline.NO_DEADLINE ? next : Math.max(next, nowNanos);
    }

    private void drain() {
        for (int i = 0; i < pipeline.portCount(); i++) {
            Egress egress = pipeline.egress(i);
            for (Frame frame = egress.pollTransmit(nowNanos); frame != null; frame = egress.pollTransmit(nowNanos)) {
                leftCount++;
                frame.release();
            }
        }
    }
}
