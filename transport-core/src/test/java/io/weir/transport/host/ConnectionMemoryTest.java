package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.testing.LiveHeap;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.SmallJvm;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.ChallengeHeader;
import io.weir.transport.wire.Cookie;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.Path;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Measures what connections cost, by the live heap of a virtual machine that has nothing else to do. */
class ConnectionMemoryTest {
    private static final int HALF_OPEN_BYTES_MAX = 256;
    private static final int IDLE_BYTES_MAX = 16_384;
    private static final long IDLE_NANOS = 10_000_000_000L;

    @Test
    void halfOpen_beyondTheShare_costsAtMost256Bytes() throws IOException, InterruptedException {
        long bytes = Long.parseLong(SmallJvm.run("-Xmx256m", HalfOpenings.class).strip());
        assertTrue(bytes <= HALF_OPEN_BYTES_MAX, bytes + " B per half-open connection");
    }

    @Test
    void idle_afterAMegabyteBothWays_costsAtMost16KibibytesPerEnd() throws IOException, InterruptedException {
        String output = SmallJvm.run("-Xmx512m", IdleConnections.class, "500", "1000000");
        long bytes = Long.parseLong(output.strip());
        assertTrue(bytes <= IDLE_BYTES_MAX, bytes + " B per connection");
        assertTrue(bytes <= ConnectionRegistry.CONNECTION_BYTES, bytes + " B, and the budget counts fewer");
    }

    /** Prints what each of 20,000 half-open connections of one peer costs. */
    static final class HalfOpenings {
        private static final int COUNT = 20_000;

        private HalfOpenings() {}

        public static void main(String[] arguments) {
            HostConfig config = HostConfig.builder(
                            TestNetwork.mac(1), List.of(TestNetwork.address(1)), 100_000_000_000L)
                    .connections(1 << 20, 1 << 20)
                    .peers(HostConfig.Peers.DEFAULT
                            .withCreditedMax(0)
                            .withHalfOpenMax(COUNT)
                            .withConnectionsMax(1 << 20))
                    .streams(StreamLimits.GROWING)
                    .build();
            SeededRandom random = new SeededRandom(1);
            FramePool pool = new FramePool(64, 2048);
            HostStack host = new HostStack(
                    config, pool, List.of(ExpressPass.weir().newFactory(random.split())), random::nextLong);
            host.listen(TestNetwork.PORT, incoming -> null);
            open(host, pool, 0, COUNT / 10);
            long before = LiveHeap.bytes();
            open(host, pool, COUNT / 10, COUNT);
            long bytes = LiveHeap.bytes() - before;
            if (host.halfOpenCount() != COUNT || host.connectionCount() != 0) {
                throw new AssertionError(host.halfOpenCount() + " are half-open\n" + host.counters());
            }
            System.out.println(bytes / (COUNT - COUNT / 10));
        }

        private static void open(HostStack host, FramePool pool, int from, int to) {
            IpAddress address = TestNetwork.address(2);
            for (int i = from; i < to; i++) {
                Path path = Path.from(TestNetwork.mac(2), address, 1 + i % 60_000)
                        .to(TestNetwork.mac(1), TestNetwork.address(1), TestNetwork.PORT);
                UnsafeBuffer cookie = new UnsafeBuffer(new byte[Cookie.BYTES]);
                PeerFrames peer = new PeerFrames(pool, path, i + 1, cookie, 0);
                host.onFrame(0, peer.open(0, 0), 0);
                Frame challenge = poll(host, i);
                int at = challenge.offset() + new HeaderTemplate(path).bytes();
                challenge.buffer().getBytes(ChallengeHeader.cookieAt(at), cookie, 0, Cookie.BYTES);
                challenge.release();
                host.onFrame(0, peer.open(OpenHeader.FLAG_COOKIE, 0), 0);
                poll(host, i).release();
            }
        }

        /** The link takes some nanoseconds per frame; nothing else depends on the time. */
        private static Frame poll(HostStack host, int index) {
            Frame frame = null;
            for (int tries = 0; frame == null; tries++) {
                frame = host.egress(0).pollTransmit(100L * index + tries);
            }
            return frame;
        }
    }

    /**
     * Prints what each end of so many connections costs that have carried so many bytes both ways and were idle for 10
     * s.
     */
    static final class IdleConnections {
        private IdleConnections() {}

        public static void main(String[] arguments) {
            int count = Integer.parseInt(arguments[0]);
            long bytes = Long.parseLong(arguments[1]);
            try (TestNetwork network = new TestNetwork(1, 10_000_000_000L, ExpressPass.weir())
                    .hostOptions(
                            builder -> builder.streams(StreamLimits.GROWING).peers(HostConfig.Peers.DEFAULT))
                    .pair(5_000)) {
                carry(network, 1, bytes);
                long before = LiveHeap.bytes();
                List<StreamProbe> ends = carry(network, count, bytes);
                long after = LiveHeap.bytes();
                ends.forEach(end -> {
                    if (end.receivedBytes() != bytes || end.firstMismatch() >= 0) {
                        throw new AssertionError(end.receivedBytes() + " B came");
                    }
                });
                // The probes themselves have a chunk of 4 KiB each, which is not the connection's.
                System.out.println((after - before) / (2L * count) - 4_096);
            }
        }

        private static List<StreamProbe> carry(TestNetwork network, int count, long bytes) {
            List<StreamProbe> ends = new ArrayList<>();
            long startNanos = network.simulator().nowNanos();
            long gapNanos = 2_000_000;
            for (int i = 0; i < count; i++) {
                StreamProbe client = new StreamProbe(i, bytes, i + 7).keepOpen();
                StreamProbe server = new StreamProbe(i + 7, bytes, i).keepOpen();
                ends.add(client);
                ends.add(server);
                network.connect(startNanos + i * gapNanos, 1, 2, client, server);
            }
            network.simulator().run(startNanos + count * gapNanos + IDLE_NANOS);
            return ends;
        }
    }
}
