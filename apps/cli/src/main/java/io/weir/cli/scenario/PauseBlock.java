package io.weir.cli.scenario;

import io.weir.cli.yaml.Amounts;
import io.weir.cli.yaml.YamlFile;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.scenario.PauseTrace;
import io.weir.transport.scenario.PauseTraces;
import io.weir.transport.scenario.Pauses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads when a host or switch loses its core: a trace that comes with Weir or lies next to the scenario, and what goes
 * with it.
 */
final class PauseBlock {
    /** Its keys. */
    static final List<String> KEYS = List.of("trace", "ring", "work", "catchUp", "pauseBudget");

    private static final String OFF = "off";

    private static final FolderFiles.Kind KIND = new FolderFiles.Kind(
            "trace of pauses",
            PauseTraces.names(),
            name -> YamlFile.resource(PauseTraces.class, PauseTraces.resourceOf(name)),
            "pauses.csv",
            "record for a shorter time");

    private final FolderFiles files;
    private final Map<String, PauseTrace> traces = new HashMap<>();

    /** Creates a reader that finds traces by their paths from the scenario's folder. */
    PauseBlock(FolderFiles files) {
        this.files = files;
    }

    /** {@return the pauses that a value describes: a trace alone, {@code off}, or a block} */
    Pauses read(YamlValue value) {
        if (value.isScalar()) {
            return value.text().equals(OFF) ? Pauses.NONE : Pauses.of(trace(value));
        }
        YamlMap block = value.map();
        block.allowOnly(KEYS);
        Pauses usual = Pauses.of(trace(block.require("trace")));
        long ring = block.get("ring", at -> at.integer(1, Pauses.RING_FRAMES_MAX), (long) usual.ringFrames());
        long workNanos = block.get("work", Amounts::delay, usual.workNanos());
        long catchUpNanos = block.get("catchUp", Amounts::delay, usual.catchUpNanos());
        long budgetBytes = block.get("pauseBudget", Amounts::size, usual.budgetBytes());
        return value.locate(() -> usual.withRingFrames((int) ring)
                .withWorkNanos(workNanos)
                .withCatchUpNanos(catchUpNanos)
                .withBudgetBytes(budgetBytes));
    }

    private PauseTrace trace(YamlValue value) {
        String name = value.string();
        PauseTrace known = traces.get(name);
        if (known == null) {
            String text = files.read(value, KIND);
            known = value.locate(() -> PauseTraces.parse(name, text));
            traces.put(name, known);
        }
        return known;
    }
}
