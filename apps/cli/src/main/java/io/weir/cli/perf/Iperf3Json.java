package io.weir.cli.perf;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.cli.environment.BuildInfo;
import io.weir.cli.environment.Fingerprint;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A test as iperf3's JSON has it: the parts of its document, which its stream sends one by one. What iperf3 calls
 * {@code retransmits} are data frames; {@code snd_cwnd} is what may be in flight, or is where there is no window.
 *
 * <p>Weir's streams are reliable, so the protocol is called TCP; its own name is {@code weir_protocol}.
 */
final class Iperf3Json {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long NANOS_PER_MICROSECOND = 1_000;
    private static final double PERCENT = 100;

    private final TestStart start;
    private final String host;
    private final int port;

    /**
     * Creates what makes the parts of one test.
     *
     * @param host the server as it was typed, or null at the server
     */
    Iperf3Json(TestStart start, String host, int port) {
        this.start = start;
        this.host = host;
        this.port = port;
    }

    private boolean isClient() {
        return start.role() == Role.CLIENT;
    }

    private boolean isEachWay() {
        return start.test().direction() == Direction.BOTH;
    }

    /** {@return what the test is} */
    ObjectNode start(int intervalSeconds) {
        ObjectNode node = NODES.objectNode();
        ArrayNode connected = node.putArray("connected");
        for (TestStart.Ends ends : start.connections()) {
            connected
                    .addObject()
                    .put("socket", ends.stream())
                    .put("local_host", StreamReport.host(ends.local()))
                    .put("local_port", StreamReport.port(ends.local()))
                    .put("remote_host", StreamReport.host(ends.remote()))
                    .put("remote_port", StreamReport.port(ends.remote()));
        }
        node.setAll(machine());
        if (isClient()) {
            node.putObject("connecting_to").put("host", host).put("port", port);
        } else {
            String remote = start.connections().get(0).remote();
            node.putObject("accepted_connection")
                    .put("host", StreamReport.host(remote))
                    .put("port", StreamReport.port(remote));
        }
        TestSpec test = start.test();
        TestDetails details = test.details();
        node.put("cookie", test.id());
        node.put("tcp_mss_default", start.connections().get(0).segmentBytes());
        node.put("target_bitrate", test.bitrateBps());
        node.put("sock_bufsize", details.windowBytes());
        node.put("sndbuf_actual", details.windowBytes());
        node.put("rcvbuf_actual", details.windowBytes());
        node.set("test_start", test(test, intervalSeconds));
        return node;
    }

    /** Adds what stands next to the parts. */
    static void putTexts(ObjectNode document, TestSpec test) {
        putText(document, "title", test.details().title());
        putText(document, "extra_data", test.details().extraData());
    }

    private static void putText(ObjectNode node, String name, String text) {
        if (text != null) {
            node.put(name, text);
        }
    }

    /** {@return what runs this, and when} */
    static ObjectNode machine() {
        Fingerprint environment = Fingerprint.take();
        ObjectNode node = NODES.objectNode();
        node.put("version", "weir " + BuildInfo.current().version());
        node.put(
                "system_info",
                "Linux " + environment.kernel() + " " + environment.architecture() + ", " + environment.os());
        Instant now = Instant.now();
        node.putObject("timestamp")
                .put("time", DateTimeFormatter.RFC_1123_DATE_TIME.format(now.atZone(ZoneOffset.UTC)))
                .put("timesecs", now.getEpochSecond());
        return node;
    }

    private static ObjectNode test(TestSpec test, int intervalSeconds) {
        TestDetails details = test.details();
        return NODES.objectNode()
                .put("protocol", "TCP")
                .put("num_streams", test.parallel())
                .put("blksize", test.lengthBytes())
                .put("omit", seconds(details.omitNanos()))
                .put("duration", seconds(test.timeNanos()))
                .put("bytes", test.totalBytes())
                .put("blocks", 0)
                .put("reverse", test.direction() == Direction.REVERSE ? 1 : 0)
                .put("tos", details.trafficClass())
                .put("target_bitrate", test.bitrateBps())
                .put("bidir", test.direction() == Direction.BOTH ? 1 : 0)
                .put("fqrate", 0)
                .put("interval", intervalSeconds);
    }

    private static int seconds(long nanos) {
        return (int) Math.round(nanos / NANOS_PER_SECOND);
    }

    /** {@return what happened between two moments} */
    ObjectNode interval(Interval interval) {
        ObjectNode node = NODES.objectNode();
        ArrayNode streams = node.putArray("streams");
        Span span = new Span(interval.startNanos(), interval.endNanos());
        for (Interval.StreamShare share : interval.streams()) {
            ObjectNode stream = streams.addObject().put("socket", share.stream());
            span.put(stream, share.bytes());
            if (share.sender()) {
                stream.put("retransmits", share.retransmittedFrames())
                        .put("snd_cwnd", share.windowBytes())
                        .put("snd_wnd", share.peerWindowBytes())
                        .put("rtt", share.rttNanos() / NANOS_PER_MICROSECOND)
                        .put("rttvar", share.rttVariationNanos() / NANOS_PER_MICROSECOND)
                        .put("pmtu", 0);
            }
            stream.put("omitted", interval.omitted()).put("sender", share.sender());
        }
        boolean isFirstSender = interval.streams().get(0).sender();
        node.set("sum", sum(interval, span, isFirstSender));
        if (isEachWay()) {
            node.set("sum_bidir_reverse", sum(interval, span, !isFirstSender));
        }
        return node;
    }

    private static ObjectNode sum(Interval interval, Span span, boolean isSender) {
        ObjectNode node = NODES.objectNode();
        span.put(node, isSender ? interval.sentBytes() : interval.receivedBytes());
        if (isSender) {
            node.put(
                    "retransmits",
                    interval.streams().stream()
                            .filter(Interval.StreamShare::sender)
                            .mapToLong(Interval.StreamShare::retransmittedFrames)
                            .sum());
        }
        return node.put("omitted", interval.omitted()).put("sender", isSender);
    }

    /** From when to when something was counted. */
    private record Span(long startNanos, long endNanos) {
        void put(ObjectNode node, long bytes) {
            double seconds = (endNanos - startNanos) / NANOS_PER_SECOND;
            node.put("start", startNanos / NANOS_PER_SECOND)
                    .put("end", endNanos / NANOS_PER_SECOND)
                    .put("seconds", seconds)
                    .put("bytes", bytes)
                    .put("bits_per_second", seconds <= 0 ? 0 : bytes * Byte.SIZE / seconds);
        }
    }

    /** {@return what both ends found, as far as this one knows it} */
    ObjectNode end(PerfResult result) {
        ObjectNode node = NODES.objectNode();
        ArrayNode streams = node.putArray("streams");
        int parallel = result.test().parallel();
        for (int i = 0; i < result.test().streamCount(); i++) {
            ObjectNode stream = streams.addObject();
            put(stream, "sender", report(result, List.of(i), true, true));
            put(stream, "receiver", report(result, List.of(i), false, true));
        }
        List<Integer> first = IntStream.range(0, parallel).boxed().toList();
        put(node, "sum_sent", report(result, first, true, false));
        put(node, "sum_received", report(result, first, false, false));
        if (isEachWay()) {
            List<Integer> second =
                    IntStream.range(parallel, 2 * parallel).boxed().toList();
            put(node, "sum_sent_bidir_reverse", report(result, second, true, false));
            put(node, "sum_received_bidir_reverse", report(result, second, false, false));
        }
        node.set("cpu_utilization_percent", cores(result));
        boolean isForward = result.test().isSender(Role.CLIENT, 0);
        putProtocol(node, "sender_tcp_congestion", isForward ? result.client() : result.server());
        putProtocol(node, "receiver_tcp_congestion", isForward ? result.server() : result.client());
        String own = result.local().streams().get(0).protocol();
        putText(node, "weir_protocol", own);
        return node;
    }

    private static void put(ObjectNode node, String name, ObjectNode part) {
        if (part != null) {
            node.set(name, part);
        }
    }

    private static void putProtocol(ObjectNode node, String name, SideReport side) {
        if (side != null) {
            putText(node, name, side.streams().get(0).preset());
        }
    }

    /** {@return what one end says of streams that go the same way, or null where it is not known} */
    private static ObjectNode report(PerfResult result, List<Integer> streams, boolean isSender, boolean isSingle) {
        boolean isClientSender = result.test().isSender(Role.CLIENT, streams.get(0));
        SideReport side = isClientSender == isSender ? result.client() : result.server();
        if (side == null) {
            return null;
        }
        List<StreamReport> reports =
                streams.stream().map(i -> side.streams().get(i)).toList();
        ObjectNode node = NODES.objectNode();
        if (isSingle) {
            node.put("socket", streams.get(0));
        }
        long nanos = reports.stream().mapToLong(StreamReport::nanos).max().orElse(0);
        new Span(0, nanos)
                .put(node, reports.stream().mapToLong(StreamReport::bytes).sum());
        if (isSender) {
            node.put(
                    "retransmits",
                    reports.stream()
                            .mapToLong(StreamReport::retransmittedFrames)
                            .sum());
            if (isSingle) {
                StreamReport one = reports.get(0);
                node.put("max_snd_cwnd", one.windowMaxBytes())
                        .put("max_snd_wnd", one.peerWindowMaxBytes())
                        .put("max_rtt", one.rttMaxNanos() / NANOS_PER_MICROSECOND)
                        .put("min_rtt", one.rttMinNanos() / NANOS_PER_MICROSECOND)
                        .put("mean_rtt", one.rttMeanNanos() / NANOS_PER_MICROSECOND);
            }
        }
        // iperf3 says with both whether the end that prints is the one that sends.
        return node.put("sender", isClientSender == (result.role() == Role.CLIENT));
    }

    private static ObjectNode cores(PerfResult result) {
        ObjectNode node = NODES.objectNode();
        SideReport remote = result.role() == Role.CLIENT ? result.server() : result.client();
        put(node, "host_", result.local().cpu());
        put(node, "remote_", remote == null ? new CpuUse(0, 0, 0) : remote.cpu());
        return node;
    }

    private static void put(ObjectNode node, String prefix, CpuUse use) {
        double nanos = Math.max(1, use.elapsedNanos());
        node.put(prefix + "total", PERCENT * (use.userNanos() + use.systemNanos()) / nanos)
                .put(prefix + "user", PERCENT * use.userNanos() / nanos)
                .put(prefix + "system", PERCENT * use.systemNanos() / nanos);
    }
}
