package io.weir.cli.perf;

import io.weir.cli.environment.Fingerprint;
import io.weir.cli.environment.PortFingerprint;
import io.weir.cli.environment.StopRequest;
import io.weir.cli.perf.carrier.WeirEndpoint;
import io.weir.transport.socket.TransportConfig;
import io.weir.transport.telemetry.CounterId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Measures what an interface reaches with a host where {@code weir perf -s} runs: frames of each size both ways, then a
 * stream in each direction. About ten seconds.
 */
public final class PeerProbe {
    /** The port of {@code weir perf -s}. */
    public static final int PORT_DEFAULT = 5201;

    private static final long SIZE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long RATE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long CONNECT_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(8);
    private static final int WRITE_BYTES = 128 << 10;
    private static final long SEED = 1;

    private final WeirEndpoint endpoint;
    private final InetSocketAddress peer;
    private final StopRequest stop;
    /** Of the peer; null before its first report. */
    private Fingerprint peerEnvironment;

    private PeerProbe(WeirEndpoint endpoint, InetSocketAddress peer, StopRequest stop) {
        this.endpoint = endpoint;
        this.peer = peer;
        this.stop = stop;
    }

    /**
     * {@return what an interface reaches with a peer}
     *
     * @throws IOException if the interface cannot be opened, or nobody serves there; the message has the remedy
     */
    public static PeerReport run(String interfaceName, InetSocketAddress peer, StopRequest stop) throws IOException {
        TransportConfig config = TransportConfig.builder()
                .timers(SessionConfig.timers(PATIENCE_NANOS, CONNECT_NANOS_MAX))
                .build();
        try (WeirEndpoint endpoint = WeirEndpoint.open(interfaceName, config)) {
            return new PeerProbe(endpoint, peer, stop).measure();
        }
    }

    private PeerReport measure() throws IOException {
        List<PeerReport.Size> sizes = new ArrayList<>();
        for (int bytes : sizes(endpoint.transport().portInfo().mtuBytes())) {
            if (!stop.isAsked()) {
                sizes.add(size(bytes));
            }
        }
        List<PeerReport.Rate> rates = new ArrayList<>();
        for (Direction direction : List.of(Direction.FORWARD, Direction.REVERSE)) {
            if (!stop.isAsked()) {
                rates.add(rate(direction));
            }
        }
        return new PeerReport(
                peer.getAddress().getHostAddress() + ":" + peer.getPort(),
                portOf(endpoint.fingerprint(null)),
                portOf(peerEnvironment),
                sizes,
                rates,
                endpoint.transport().counters().get(CounterId.BLACK_HOLES_FOUND));
    }

    /** {@return one byte, powers of two, and an MTU, whose first frame is full} */
    private static List<Integer> sizes(int mtuBytes) {
        List<Integer> sizes = new ArrayList<>(List.of(1));
        for (int bytes = 64; bytes < mtuBytes; bytes *= 2) {
            sizes.add(bytes);
        }
        sizes.add(mtuBytes);
        return sizes;
    }

    private static PortFingerprint portOf(Fingerprint environment) {
        return environment == null || environment.ports().isEmpty()
                ? null
                : environment.ports().get(0);
    }

    private PeerReport.Size size(int bytes) throws IOException {
        PerfResult result = test(Kind.REQUEST_RESPONSE, Direction.FORWARD, bytes, SIZE_NANOS, null);
        Latency latency = result.client() == null ? null : result.client().latency();
        return new PeerReport.Size(
                bytes,
                latency == null ? 0 : latency.count(),
                latency == null ? 0 : latency.p50Nanos(),
                latency == null ? 0 : latency.p99Nanos(),
                retransmittedFrames(result));
    }

    private PeerReport.Rate rate(Direction direction) throws IOException {
        PerfResult result = test(Kind.BULK, direction, WRITE_BYTES, RATE_NANOS, SEED);
        SideReport receiver = direction == Direction.FORWARD ? result.server() : result.client();
        SideReport sender = direction == Direction.FORWARD ? result.client() : result.server();
        return new PeerReport.Rate(
                direction.name().toLowerCase(Locale.ROOT),
                receiver == null ? 0 : receiver.goodputBps(false),
                sender == null || sender.streams().isEmpty()
                        ? 0
                        : sender.streams().get(0).rttNanos(),
                retransmittedFrames(result),
                result.sides().mapToLong(side -> side.counts().drops()).sum(),
                result.sides().mapToLong(side -> side.counts().pauses()).sum(),
                problem(result));
    }

    private static long retransmittedFrames(PerfResult result) {
        return result.sides()
                .mapToLong(side -> side.counts().retransmittedFrames())
                .sum();
    }

    private static String problem(PerfResult result) {
        if (result.ended() != null) {
            return result.ended();
        }
        List<StreamReport> streams =
                result.sides().flatMap(side -> side.streams().stream()).toList();
        for (StreamReport stream : streams) {
            if (stream.failure() != null) {
                return stream.failure();
            }
            if (stream.firstWrongOffset() != null) {
                return "byte " + stream.firstWrongOffset() + " is not what was sent";
            }
        }
        long digests = streams.stream()
                .map(StreamReport::sha256)
                .filter(Objects::nonNull)
                .distinct()
                .count();
        return digests == 1 ? null : "the ends have different digests of the same bytes";
    }

    private PerfResult test(Kind kind, Direction direction, int lengthBytes, long nanos, Long seed) throws IOException {
        TestSpec spec =
                new TestSpec(TestOptions.newId(), kind, direction, 1, lengthBytes, nanos, 0, 0, seed, TestDetails.NONE);
        SessionConfig session = SessionConfig.of(0, PATIENCE_NANOS, List.of(), stop);
        PerfResult result = new PerfClient(endpoint, peer, session, CONNECT_NANOS_MAX, 0).run(spec);
        if (result.server() != null) {
            peerEnvironment = result.server().environment();
        }
        return result;
    }
}
