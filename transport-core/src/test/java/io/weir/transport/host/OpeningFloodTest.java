package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.Frame;
import io.weir.transport.frame.FramePool;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.testing.LiveHeap;
import io.weir.transport.testing.PassiveHandler;
import io.weir.transport.testing.PeerFrames;
import io.weir.transport.testing.SmallJvm;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.AcceptHeader;
import io.weir.transport.wire.ChallengeHeader;
import io.weir.transport.wire.Cookie;
import io.weir.transport.wire.FrameType;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.ResetHeader;
import io.weir.transport.wire.WeirHeader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Floods a server that has a heap of 256 MiB with 20,000 openings per second for 30 s of virtual time, while honest
 * clients connect. What a server does with each address is its limits' business; here they work together.
 */
class OpeningFloodTest {
    private static final int HEAP_BYTES = 256 << 20;
    private static final int FLOOD_PER_SECOND = 20_000;
    private static final int SECONDS = 30;
    private static final int HONEST_PER_SECOND = 50;
    private static final long SECOND = 1_000_000_000L;

    @Test
    void flood_fromRealAndFalseAddresses_leavesAThirdOfHonestConnectsAndTheHeapAlone()
            throws IOException, InterruptedException {
        String[] found = SmallJvm.run("-Xmx256m", Flood.class).strip().split(" ", -1);
        int honest = Integer.parseInt(found[0]);
        int connected = Integer.parseInt(found[1]);
        long heapBytesMax = Long.parseLong(found[2]);
        long heapBytesAfter = Long.parseLong(found[3]);
        assertTrue(3 * connected >= honest, connected + " of " + honest + " honest openings were accepted at once");
        assertTrue(heapBytesMax < HEAP_BYTES * 3L / 4, heapBytesMax + " B of heap under the flood");
        assertTrue(heapBytesAfter < 16 << 20, heapBytesAfter + " B of heap a minute after the flood");
    }

    /**
     * Prints honest openings, how many of them were accepted at the first try, and the heap in use at the most and a
     * minute after.
     */
    static final class Flood {
        private static final int HOLDERS = 200;
        private static final int NEVER_CONFIRMING = 50;

        private final FramePool pool = new FramePool(1_024, 2048);
        private final SeededRandom random = new SeededRandom(11);
        private final List<PeerFrames> held = new ArrayList<>();
        private final UnsafeBuffer cookie = new UnsafeBuffer(new byte[Cookie.BYTES]);
        private final HostStack host;
        private int connectedCount;
        private long nowNanos;

        private Flood() {
            HostConfig config = HostConfig.builder(TestNetwork.mac(1), List.of(TestNetwork.address(1)), 10_000_000_000L)
                    .peers(HostConfig.Peers.DEFAULT)
                    .streams(StreamLimits.GROWING.within(HEAP_BYTES / 2))
                    .build();
            host = new HostStack(
                    config, pool, List.of(ExpressPass.weir().newFactory(random.split())), random::nextLong);
            host.listen(TestNetwork.PORT, incoming -> new Counting());
        }

        public static void main(String[] arguments) {
            new Flood().play();
        }

        private void play() {
            int honest = 0;
            int honestConnected = 0;
            long heapBytes = 0;
            int perHonest = FLOOD_PER_SECOND / HONEST_PER_SECOND;
            for (int i = 0; i < SECONDS * FLOOD_PER_SECOND; i++) {
                pass(SECOND / FLOOD_PER_SECOND);
                flood(i);
                if (i % perHonest == 0) {
                    honest++;
                    int before = connectedCount;
                    PeerFrames client =
                            open(IpAddress.v4(0x0A01_0000 + honest % 1_000), 30_000 + honest % 20_000, true);
                    honestConnected += connectedCount - before;
                    if (client != null) {
                        deliver(client.reset(ResetHeader.ABORTED));
                    }
                }
                if (i % (5 * FLOOD_PER_SECOND) == 0) {
                    heapBytes = Math.max(heapBytes, LiveHeap.bytes());
                }
            }
            heapBytes = Math.max(heapBytes, LiveHeap.bytes());
            held.forEach(peer -> deliver(peer.reset(ResetHeader.ABORTED)));
            held.clear();
            pass(60 * SECOND);
            if (host.connectionCount() + host.halfOpenCount() + host.peerCount() > 0) {
                throw new AssertionError(host.connectionCount() + " connections are left\n" + host.counters());
            }
            System.out.println(honest + " " + honestConnected + " " + heapBytes + " " + LiveHeap.bytes());
        }

        /**
         * One frame or handshake of the flood: half of them false addresses, the others real ones that do not, or do,
         * confirm.
         */
        private void flood(int index) {
            int port = 1 + random.nextInt(65_535);
            switch (index % 4) {
                case 0 -> open(IpAddress.v4(0x0B00_0000 + index % NEVER_CONFIRMING), port, false);
                case 1 -> {
                    PeerFrames peer = open(IpAddress.v4(0x0C00_0000 + index % HOLDERS), port, true);
                    if (peer != null) {
                        held.add(peer);
                    }
                }
                default ->
                    deliver(peer(IpAddress.v4((int) random.nextLong() | 1), port)
                            .open(0, 0));
            }
        }

        private PeerFrames peer(IpAddress address, int port) {
            Path path = Path.from(TestNetwork.mac(2), address, port)
                    .to(TestNetwork.mac(1), TestNetwork.address(1), TestNetwork.PORT);
            return new PeerFrames(pool, path, random.nextLong() | 1, cookie, 0);
        }

        /** {@return the peer with the tag of its connection, or null if it was not accepted} */
        private PeerFrames open(IpAddress address, int port, boolean confirms) {
            PeerFrames peer = peer(address, port);
            Frame challenge = deliverAndTake(peer.open(0, 0), FrameType.CHALLENGE);
            if (challenge == null) {
                return null;
            }
            int at = challenge.offset() + HeaderTemplate.BYTES_V4;
            challenge.buffer().getBytes(ChallengeHeader.cookieAt(at), cookie, 0, Cookie.BYTES);
            challenge.release();
            Frame accept = deliverAndTake(
                    peer.open(OpenHeader.FLAG_COOKIE | OpenHeader.FLAG_CREDIT_REQUEST, 1), FrameType.ACCEPT);
            if (accept == null) {
                return null;
            }
            PeerFrames accepted = peer.withTag(AcceptHeader.responderTag(accept.buffer(), at));
            accept.release();
            if (confirms) {
                deliver(accepted.ack(0, PeerFrames.WINDOW_BYTES, 0));
            }
            return accepted;
        }

        private void deliver(Frame frame) {
            Frame answer = deliverAndTake(frame, null);
            if (answer != null) {
                answer.release();
            }
        }

        /** {@return the frame of this type that leaves within a microsecond, or null} */
        private Frame deliverAndTake(Frame frame, FrameType type) {
            host.onFrame(0, frame, nowNanos);
            Frame wanted = null;
            for (int i = 0; i < 20; i++) {
                nowNanos += 100;
                for (Frame sent = host.egress(0).pollTransmit(nowNanos);
                        sent != null;
                        sent = host.egress(0).pollTransmit(nowNanos)) {
                    boolean isWanted = wanted == null
                            && WeirHeader.type(sent.buffer(), sent.offset() + HeaderTemplate.BYTES_V4) == type;
                    if (isWanted) {
                        wanted = sent;
                    } else {
                        sent.release();
                    }
                }
            }
            return wanted;
        }

        private void pass(long nanos) {
            long untilNanos = nowNanos + nanos;
            while (true) {
                long next = Math.min(host.nextTimeoutNanos(), host.egress(0).nextTransmitNanos(nowNanos));
                if (next > untilNanos) {
                    nowNanos = untilNanos;
                    return;
                }
                nowNanos = Math.max(nowNanos, next);
                host.onTimeout(nowNanos);
                for (Frame sent = host.egress(0).pollTransmit(nowNanos);
                        sent != null;
                        sent = host.egress(0).pollTransmit(nowNanos)) {
                    sent.release();
                }
            }
        }

        /** Counts the connections that the server's application is given. */
        private final class Counting extends PassiveHandler {
            @Override
            public void onConnected(Connection connection) {
                connectedCount++;
            }

            @Override
            public void onClosed(Connection connection, CloseReason reason) {}
        }
    }
}
