package io.weir.cli.stat;

import io.weir.transport.observation.CounterSnapshot;
import io.weir.transport.telemetry.FlowField;
import io.weir.transport.telemetry.FlowTable;
import io.weir.transport.telemetry.IngressField;
import io.weir.transport.telemetry.Subject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was seen, for programs: maps and lists that become one JSON object. */
final class StatDocument {
    /** What the parts of the result are called, each a list. */
    private static final Map<Subject, String> NAMES = Map.of(
            Subject.TRANSPORT, "transports",
            Subject.SWITCH, "switches",
            Subject.SWITCH_PORT, "switchPorts",
            Subject.BROKER, "brokers");

    private StatDocument() {}

    /**
     * What may be asked for.
     *
     * @param hasFlows connections
     * @param hasErrors what went wrong
     */
    record Details(boolean hasFlows, boolean hasErrors) {}

    /**
     * {@return the command's result}
     *
     * @param before an earlier look whose changes are asked for, or null
     * @param details what else is asked for
     */
    static Map<String, Object> result(Survey survey, Survey before, Details details) {
        Map<String, Object> result = new LinkedHashMap<>();
        for (Subject subject : Subject.values()) {
            List<Object> documents = new ArrayList<>();
            for (SeenTransport seen : survey.of(subject)) {
                Map<String, Object> document = document(seen, survey);
                SeenTransport earlier = before == null ? null : before.find(seen);
                if (earlier != null) {
                    document.put("difference", difference(earlier, seen));
                }
                if (details.hasFlows() && subject == Subject.TRANSPORT) {
                    document.put("flows", flows(seen));
                }
                if (details.hasErrors()) {
                    document.put("errors", errors(seen));
                }
                documents.add(document);
            }
            result.put(NAMES.get(subject), documents);
        }
        result.put("notes", survey.notes());
        return result;
    }

    private static List<Object> errors(SeenTransport seen) {
        List<Object> errors = new ArrayList<>();
        for (CounterSnapshot.ErrorRecord error : seen.counts().errors()) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("count", error.count());
            document.put("firstMillis", error.firstMillis());
            document.put("lastMillis", error.lastMillis());
            document.put("text", error.text());
            errors.add(document);
        }
        return errors;
    }

    private static Map<String, Object> document(SeenTransport seen, Survey survey) {
        Map<String, Object> document = transport(seen);
        if (!seen.is(Subject.TRANSPORT)) {
            List.of("protocols", "omittedFlows", "pauseQueueBytes").forEach(document::remove);
        }
        if (seen.is(Subject.SWITCH_PORT)) {
            document.put("ingress", ingress(seen, survey));
        }
        return document;
    }

    private static List<Object> ingress(SeenTransport port, Survey survey) {
        List<SeenTransport> ports = survey.of(Subject.SWITCH_PORT).stream()
                .filter(other -> other.counts().processId() == port.counts().processId())
                .toList();
        List<Object> documents = new ArrayList<>();
        List<CounterSnapshot.Flow> rows = port.counts().loops().get(0).flows();
        for (int i = 0; i < rows.size(); i++) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("by", SwitchStatText.nameOf(ports, i));
            for (IngressField field : IngressField.values()) {
                if (field != IngressField.IS_USED) {
                    row.put(field.name(), rows.get(i).get(field));
                }
            }
            documents.add(row);
        }
        return documents;
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
