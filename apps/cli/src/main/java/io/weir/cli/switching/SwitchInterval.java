package io.weir.cli.switching;

import io.weir.cli.unit.QuantityPrinter;
import io.weir.nic.switching.IngressSample;
import io.weir.nic.switching.PortSample;
import io.weir.nic.switching.SwitchSample;
import io.weir.transport.telemetry.CounterId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a switch did between two moments.
 *
 * @param ports what its ports are
 * @param before the first moment
 * @param after the second
 */
record SwitchInterval(List<PortPlan> ports, SwitchSample before, SwitchSample after) {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOBITS_PER_BYTE = 8e9;

    /** {@return how much a count of a port grew} */
    long count(int port, CounterId id) {
        return after.ports().get(port).count(id) - before.ports().get(port).count(id);
    }

    /** {@return how long it was} */
    double seconds() {
        return nanos() / NANOS_PER_SECOND;
    }

    private double nanos() {
        return after.nowNanos() - before.nowNanos();
    }

    /** {@return the rate at which a count of bytes grew} */
    double rateBps(int port, CounterId bytes) {
        return nanos() > 0 ? count(port, bytes) * NANOBITS_PER_BYTE / nanos() : 0;
    }

    /** {@return that rate as a share of the link's} */
    double utilization(int port, CounterId bytes) {
        return rateBps(port, bytes) / ports.get(port).config().linkRateBps();
    }

    /** {@return the share of the time for which the switch's thread was off its core} */
    double stallFraction() {
        return nanos() > 0 ? (after.stallNanos() - before.stallNanos()) / nanos() : 0;
    }

    /** {@return frames that ended at the port for any other reason than the limit of credits} */
    long dataDrops(int port) {
        long drops = 0;
        for (CounterId id : CounterId.values()) {
            if (id.isDrop() && id != CounterId.DROP_CREDIT_QUEUE) {
                drops += count(port, id);
            }
        }
        return drops;
    }

    /** {@return frames that were lost before the switch saw them} */
    long kernelDrops(int port) {
        return after.ports().get(port).lostFrames() - before.ports().get(port).lostFrames();
    }

    /** {@return the interval as results have it} */
    Map<String, Object> toDocument() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("startSeconds", before.nowNanos() / NANOS_PER_SECOND);
        document.put("seconds", seconds());
        Map<String, Object> loop = new LinkedHashMap<>();
        loop.put("stallFraction", stallFraction());
        loop.put("stallCount", after.stallCount() - before.stallCount());
        document.put("loop", loop);
        document.put("drops", drops(before.counts(), after.counts()));
        document.put(
                "framesFlooded",
                after.counts().get(CounterId.FRAMES_FLOODED) - before.counts().get(CounterId.FRAMES_FLOODED));
        List<Map<String, Object>> portDocuments = new ArrayList<>();
        for (int i = 0; i < ports.size(); i++) {
            portDocuments.add(portDocument(i));
        }
        document.put("ports", portDocuments);
        document.put("problems", problems());
        return document;
    }

    /** {@return what somebody has to look into: ports that sent more to everybody than they may} */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < ports.size(); i++) {
            long count = count(i, CounterId.DROP_FLOOD_LIMIT);
            if (count > 0) {
                problems.add(ports.get(i).name() + ": a storm came in by this port: " + count
                        + " frames to everybody or to unknown addresses beyond "
                        + QuantityPrinter.rate(ports.get(i).config().floodRateBps())
                        + " were dropped; find their sender, or raise floodRate");
            }
        }
        return problems;
    }

    /** {@return what each port's frames met at the queues of this one, of the ports that sent any} */
    private List<Map<String, Object>> byIngress(int port) {
        PortSample now = after.ports().get(port);
        PortSample then = before.ports().get(port);
        List<Map<String, Object>> all = new ArrayList<>();
        for (int i = 0; i < Math.min(ports.size(), now.ingress().size()); i++) {
            IngressSample counts = now.ingress().get(i).minus(then.ingressOr(i));
            if (!counts.isZero()) {
                Map<String, Object> document = new LinkedHashMap<>();
                document.put("port", ports.get(i).name());
                document.put("dataQueued", counts.dataQueued());
                document.put("dataDrops", counts.dataDropped());
                document.put("creditsOffered", counts.creditsOffered());
                document.put("creditDrops", counts.creditsDropped());
                all.add(document);
            }
        }
        return all;
    }

    private Map<String, Object> portDocument(int port) {
        PortSample now = after.ports().get(port);
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("port", ports.get(port).name());
        document.put("linkRateBps", ports.get(port).config().linkRateBps());
        document.put("framesReceived", count(port, CounterId.FRAMES_RECEIVED));
        document.put("wireBytesReceived", count(port, CounterId.WIRE_BYTES_RECEIVED));
        document.put("utilizationReceived", utilization(port, CounterId.WIRE_BYTES_RECEIVED));
        document.put("framesSent", count(port, CounterId.FRAMES_SENT));
        document.put("wireBytesSent", count(port, CounterId.WIRE_BYTES_SENT));
        document.put("utilization", utilization(port, CounterId.WIRE_BYTES_SENT));
        document.put("queueBytes", now.dataQueueBytes());
        document.put("queueBytesMax", now.dataQueueBytesMax());
        document.put("queueBytesWindowMax", now.dataQueueBytesWindowMax());
        document.put("dataDrops", dataDrops(port));
        document.put("drops", drops(before.ports().get(port).counts(), now.counts()));
        document.put("marks", count(port, CounterId.FRAMES_MARKED));
        document.put("creditsReceived", count(port, CounterId.CREDITS_RECEIVED));
        document.put("creditsSent", count(port, CounterId.CREDITS_SENT));
        document.put("creditDrops", count(port, CounterId.DROP_CREDIT_QUEUE));
        document.put("creditQueueFrames", now.creditQueueFrames());
        document.put("creditQueueFramesMax", now.creditQueueFramesMax());
        document.put("byIngress", byIngress(port));
        document.put("kernelDrops", kernelDrops(port));
        document.put("failure", now.failure());
        return document;
    }

    /** {@return how often each reason for which a frame was dropped came up, of those that did} */
    static Map<String, Long> drops(Map<CounterId, Long> before, Map<CounterId, Long> after) {
        Map<String, Long> drops = new LinkedHashMap<>();
        for (CounterId id : CounterId.values()) {
            long count = after.get(id) - before.get(id);
            if (id.isDrop() && count > 0) {
                drops.put(id.name().substring("DROP_".length()).toLowerCase(Locale.ROOT), count);
            }
        }
        return drops;
    }
}
