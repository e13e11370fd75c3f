package io.weir.cli.scenario;

import io.weir.cli.unit.Durations;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.scenario.Traffic.Times;
import java.util.List;

/** The times of many flows: one duration for all, or a block that sets them apart. */
final class TimeBlock {
    /** Its keys. */
    static final List<String> KEYS = List.of("at", "every", "spread");

    private TimeBlock() {}

    static Times read(YamlValue value) {
        if (value.isScalar()) {
            return new Times(value.parse(Durations::parse), 0, 0);
        }
        YamlMap block = value.map();
        block.allowOnly(KEYS);
        return new Times(
                block.get("at", TimeBlock::duration, 0L),
                block.get("every", TimeBlock::duration, 0L),
                block.get("spread", TimeBlock::duration, 0L));
    }

    /** {@return a duration} */
    static long duration(YamlValue value) {
        return value.parse(Durations::parse);
    }

    /** {@return a duration that is not nothing} */
    static long positive(YamlValue value) {
        long nanos = duration(value);
        if (nanos == 0) {
            throw value.refused("\"" + value.text() + "\" is no time at all; write more");
        }
        return nanos;
    }
}
