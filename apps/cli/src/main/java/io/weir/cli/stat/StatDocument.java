package io.weir.cli.stat;

import io.weir.transport.observation.CounterSnapshot;
import io.weir.transport.telemetry.FlowField;
import io.weir.transport.telemetry.FlowTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was seen, for programs: maps and lists that become one JSON object. */
final class StatDocument {
    private StatDocument() {}

    /**
     * {@return the command's result}
     *
     * @param before an earlier look whose changes are asked for, or null
     * @param hasFlows whether connections are asked for
     */
    static Map<String, Object> result(Survey survey, Survey before, boolean hasFlows) {
        List<Object> transports = new ArrayList<>();
        for (SeenTransport seen : survey.transports()) {
            Map<String, Object> transport = transport(seen);
            SeenTransport earlier = before == null ? null : before.find(seen);
            if (earlier != null) {
                transport.put("difference", difference(earlier, seen));
            }
            if (hasFlows) {
                transport.put("flows", flows(seen));
            }
            transports.add(transport);
        }
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("transports", transports);
        result.put("notes", survey.notes());
        return result;
    }

    private static Map<String, Object> transport(SeenTransport seen) {
        CounterSnapshot counts = seen.counts();
        Map<String, Object> transport = new LinkedHashMap<>();
        transport.put("file", seen.file().toString());
        transport.put("processId", counts.processId());
        transport.put("program", seen.program());
        transport.put("user", seen.user());
        transport.put("interface", counts.facts().interfaceName());
        transport.put("backend", counts.facts().backend());
        transport.put("mode", counts.facts().mode());
        transport.put("modeReason", counts.facts().modeReason());
        transport.put("protocols", seen.protocols());
        transport.put("openedMillis", counts.openedMillis());
        transport.put("dutyPpm", seen.dutyPpm());
        transport.put("drops", seen.drops());
        transport.put("pauseQueueBytes", seen.pauseQueueBytes());
        transport.put("counters", seen.counters());
        List<Object> loops = new ArrayList<>();
        long omitted = 0;
        for (CounterSnapshot.Loop loop : counts.loops()) {
            loops.add(loop.gauges());
            omitted += loop.omittedFlows();
        }
        transport.put("loops", loops);
        transport.put("omittedFlows", omitted);
        return transport;
    }

    private static Map<String, Object> difference(SeenTransport before, SeenTransport after) {
        Map<String, Long> earlier = before.counters();
        Map<String, Long> changes = new LinkedHashMap<>();
        after.counters().forEach((name, value) -> {
            long change = value - earlier.getOrDefault(name, 0L);
            if (change != 0) {
                changes.put(name, change);
            }
        });
        Map<String, Object> difference = new LinkedHashMap<>();
        difference.put("nanos", after.seenNanos() - before.seenNanos());
        difference.put("changes", changes);
        return difference;
    }

    private static List<Object> flows(SeenTransport seen) {
        List<Object> flows = new ArrayList<>();
        for (CounterSnapshot.Loop loop : seen.counts().loops()) {
            for (CounterSnapshot.Flow flow : loop.flows()) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("local", FlowAddresses.local(flow));
                row.put("remote", FlowAddresses.remote(flow));
                row.put("protocol", seen.protocolOf(flow.get(FlowField.PROTOCOL)));
                row.put("state", StatText.name(FlowTable.STATES, flow.get(FlowField.STATE)));
                row.put("way", StatText.name(FlowTable.WAYS, flow.get(FlowField.WAY)));
                for (FlowField field : FlowField.values()) {
                    if (field.compareTo(FlowField.REMOTE_PORT) > 0) {
                        row.put(field.name(), flow.get(field));
                    }
                }
                flows.add(row);
            }
        }
        return flows;
    }
}
