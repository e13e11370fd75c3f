package io.weir.cli.scenario;

import io.weir.cli.yaml.Amounts;
import io.weir.cli.yaml.Nearest;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.scenario.PauseTrace;
import io.weir.transport.scenario.PauseTraces;
import io.weir.transport.scenario.Pauses;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
        return value.locate(() -> new Pauses(usual.trace(), (int) ring, workNanos, catchUpNanos, budgetBytes));
    }

    private PauseTrace trace(YamlValue value) {
        String name = value.string();
        PauseTrace known = traces.get(name);
        if (known == null) {
            known = load(value, name);
            traces.put(name, known);
        }
        return known;
    }

    private PauseTrace load(YamlValue value, String name) {
        if (PauseTraces.names().contains(name)) {
            return PauseTraces.parse(name, shipped(name));
        }
        if (!FolderFiles.isFile(name)) {
            throw value.refused("there is no trace of pauses \"" + name + "\"; "
                    + Nearest.to(name, PauseTraces.names())
                            .map(near -> "did you mean \"" + near + "\"?")
                            .orElse("there are " + String.join(", ", PauseTraces.names())
                                    + ", and files of your own, as in ./pauses.csv"));
        }
        String text = files.read(value, name, "record for a shorter time");
        return value.locate(() -> PauseTraces.parse(name, text));
    }

    private static String shipped(String name) {
        try (InputStream resource = PauseTraces.class.getResourceAsStream(PauseTraces.resourceOf(name))) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
