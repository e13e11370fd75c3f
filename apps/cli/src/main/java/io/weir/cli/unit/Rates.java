package io.weir.cli.unit;

import io.weir.pacer.RateMath;
import io.weir.transport.node.ConfigException;
import java.util.List;
import picocli.CommandLine.ITypeConverter;

/** Rates, held as bits per second: {@code 500Mbps}, {@code 1Gbps}, {@code 40G}. Factors are powers of 1000. */
public final class Rates {
    private static final long KILO = 1_000;
    private static final long MEGA = 1_000_000;
    private static final long GIGA = 1_000_000_000;
    private static final long TERA = 1_000_000_000_000L;
    /** The units that are printed, each 1000 times the one before. */
    static final List<String> PRINTED = List.of("bps", "kbps", "Mbps", "Gbps", "Tbps");

    private static final Quantity UNITS = new Quantity(
                    "a rate", "write bits per second, as in 500Mbps, 1Gbps or 40G, of 1bps to 1Tbps")
            .suffix(1, "bps", "bit/s")
            .suffix(KILO, "k", "kbps", "kbit/s")
            .suffix(MEGA, "m", "mbps", "mbit/s")
            .suffix(GIGA, "g", "gbps", "gbit/s")
            .suffix(TERA, "t", "tbps", "tbit/s");

    private Rates() {}

    /** {@return the bits per second that {@code text} says} */
    public static long parse(String text) {
        long rateBps = UNITS.parse(text);
        if (rateBps < 1 || rateBps > RateMath.RATE_BPS_MAX) {
            throw new ConfigException("rate \"" + text + "\" is outside 1bps..1Tbps; write it as in 500Mbps or 1Gbps");
        }
        return rateBps;
    }

    /** {@return the same, where {@code mayBeNone} lets 0 say that there is no limit} */
    public static long parse(String text, boolean mayBeNone) {
        return mayBeNone && UNITS.parse(text) == 0 ? 0 : parse(text);
    }

    /** {@return the rate with its unit, four digits at most} */
    public static String print(long rateBps) {
        return print((double) rateBps);
    }

    /** {@return the rate with its unit, four digits at most} */
    public static String print(double rateBps) {
        return Quantity.print(rateBps, PRINTED);
    }

    /** {@return the rate of {@code bytes} over a time, 0 over none} */
    public static double bps(long bytes, long nanos) {
        return nanos <= 0 ? 0 : (double) bytes * RateMath.NANOBITS_PER_BYTE / nanos;
    }

    /** For options. */
    public static final class Converter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return parse(text);
        }
    }
}
