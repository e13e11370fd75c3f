package io.weir.cli.scenario;

import io.weir.cli.unit.Durations;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.scenario.Measurement;
import java.util.List;

/** The measure block: what is measured, and how often. */
final class MeasureBlock {
    /** Its keys. */
    static final List<String> KEYS = List.of("interval", "warmUp", "perFlow", "perPort", "perWindow");

    private static final long INTERVALS_MAX = 1_000_000;

    private MeasureBlock() {}

    static Measurement read(YamlValue value, long durationNanos) {
        YamlMap block = value.map();
        block.allowOnly(KEYS);
        long intervalNanos = block.get("interval", interval -> interval(interval, durationNanos), 0L);
        long warmUpNanos = block.get("warmUp", TimeBlock::duration, 0L);
        if (warmUpNanos >= durationNanos) {
            throw block.require("warmUp")
                    .refused(Durations.print(warmUpNanos) + " leaves nothing to measure of "
                            + Durations.print(durationNanos) + "; make it shorter, or duration longer");
        }
        return new Measurement(
                intervalNanos,
                warmUpNanos,
                perWhat(block, "perFlow"),
                perWhat(block, "perPort"),
                perWhat(block, "perWindow"));
    }

    private static long interval(YamlValue value, long durationNanos) {
        long nanos = TimeBlock.positive(value);
        if (durationNanos / nanos > INTERVALS_MAX) {
            throw value.refused(Durations.print(nanos) + " makes more than " + INTERVALS_MAX + " intervals; write "
                    + Durations.print(durationNanos / INTERVALS_MAX + 1) + " or more");
        }
        return nanos;
    }

    private static boolean perWhat(YamlMap block, String key) {
        boolean isGiven = block.get(key, YamlValue::bool, false);
        if (isGiven && block.find("interval").isEmpty()) {
            throw block.require(key).refused("means nothing without intervals; add interval, as in interval: 1ms");
        }
        return isGiven;
    }
}
