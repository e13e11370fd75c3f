package io.weir.cli.unit;

import java.util.List;
import picocli.CommandLine.ITypeConverter;

/** Durations, held as nanoseconds: {@code 500ns}, {@code 100us}, {@code 10ms}, {@code 2s}, {@code 1.5m}, {@code 1h}. */
public final class Durations {
    private static final long MICROSECOND = 1_000;
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final String HELP = "write it with a unit, as in 500ns, 100us, 10ms, 2s, 1m or 1h";
    /** The units that are printed, each 1000 times the one before. */
    static final List<String> PRINTED = List.of("ns", "us", "ms", "s");

    private static final Quantity UNITS = withUnits(new Quantity("a duration", HELP));
    private static final Quantity SECONDS = withUnits(new Quantity("a duration", HELP + "; a bare number is seconds"))
            .suffix(SECOND, "");
    private static final Quantity MILLIS = withUnits(
                    new Quantity("a duration", HELP + "; a bare number is milliseconds"))
            .suffix(MILLISECOND, "");

    private Durations() {}

    private static Quantity withUnits(Quantity quantity) {
        return quantity.suffix(1, "ns")
                .suffix(MICROSECOND, "us")
                .suffix(MILLISECOND, "ms")
                .suffix(SECOND, "s")
                .suffix(60 * SECOND, "m", "min")
                .suffix(3600 * SECOND, "h");
    }

    /** {@return the nanoseconds that {@code text} says} */
    public static long parse(String text) {
        return UNITS.parse(text);
    }

    /** {@return the nanoseconds that {@code text} says; a bare number is seconds, as iperf3's users write it} */
    public static long parseSeconds(String text) {
        return SECONDS.parse(text);
    }

    /** {@return the duration with its unit, four digits at most} */
    public static String print(long nanos) {
        return print((double) nanos);
    }

    /** {@return the duration with its unit, four digits at most} */
    public static String print(double nanos) {
        return Quantity.print(nanos, PRINTED);
    }

    /** For iperf3's options, where a bare number is milliseconds. */
    public static final class MillisConverter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return MILLIS.parse(text);
        }
    }

    /** For options that need a unit. */
    public static final class Converter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return parse(text);
        }
    }

    /** For iperf3's options, where a bare number is seconds. */
    public static final class SecondsConverter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return parseSeconds(text);
        }
    }
}
