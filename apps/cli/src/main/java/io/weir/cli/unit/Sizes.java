package io.weir.cli.unit;

import java.util.List;
import picocli.CommandLine.ITypeConverter;

/**
 * Sizes, held as bytes: {@code 1538}, {@code 250KB} (1000), {@code 64KiB} (1024). A letter alone, as in {@code 128K},
 * is a power of 1024, as iperf3 has it.
 */
public final class Sizes {
    private static final long KILO = 1_000;
    private static final long MEGA = 1_000_000;
    private static final long GIGA = 1_000_000_000;
    /** The units that are printed, each 1000 times the one before. */
    static final List<String> PRINTED = List.of("B", "KB", "MB", "GB");

    private static final Quantity UNITS = new Quantity(
                    "a size", "write bytes, as in 1538, 250KB (1000), 64KiB (1024), 1MB or 2GiB")
            .suffix(1, "", "b")
            .suffix(KILO, "kb")
            .suffix(MEGA, "mb")
            .suffix(GIGA, "gb")
            .suffix(1L << 10, "k", "kib")
            .suffix(1L << 20, "m", "mib")
            .suffix(1L << 30, "g", "gib");

    private Sizes() {}

    /** {@return the bytes that {@code text} says} */
    public static long parse(String text) {
        return UNITS.parse(text);
    }

    /** {@return the size with its unit, four digits at most} */
    public static String print(long bytes) {
        return print((double) bytes);
    }

    /** {@return the size with its unit, four digits at most} */
    public static String print(double bytes) {
        return Quantity.print(bytes, PRINTED);
    }

    /** For options. */
    public static final class Converter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            return parse(text);
        }
    }
}
