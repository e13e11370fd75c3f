package io.weir.cli.yaml;

import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;

/** Quantities of a file, within the limits that hold in every file. */
public final class Amounts {
    private static final long RATE_BPS_MIN = 100_000;
    private static final long SIZE_BYTES_MAX = 1L << 30;
    private static final long DELAY_NANOS_MAX = 10_000_000_000L;

    private Amounts() {}

    /** {@return the rate of a link, in bits per second} */
    public static long linkRate(YamlValue value) {
        long rateBps = value.parse(Rates::parse);
        if (rateBps < RATE_BPS_MIN) {
            throw value.refused("\"" + value.text() + "\" is below 100kbps, the slowest link there is");
        }
        return rateBps;
    }

    /** {@return the size of something in memory, at most 1 GiB} */
    public static long size(YamlValue value) {
        return atMost(value, value.parse(Sizes::parse), SIZE_BYTES_MAX, "1GiB");
    }

    /** {@return the delay of a link or a host, at most 10 s} */
    public static long delay(YamlValue value) {
        return atMost(value, value.parse(Durations::parse), DELAY_NANOS_MAX, "10s");
    }

    private static long atMost(YamlValue value, long amount, long max, String maxText) {
        if (amount > max) {
            throw value.refused("\"" + value.text() + "\" exceeds " + maxText);
        }
        return amount;
    }
}
