package io.weir.transport.telemetry;

import java.util.Locale;

/**
 * What a gauge is called where metrics are collected, in the base units that Prometheus's conventions demand: seconds,
 * bytes, ratios.
 *
 * @param words its words, such as {@code pause_max}
 * @param unit its unit, such as {@code seconds}, or an empty text for a number of things
 * @param isGrowing whether it only grows: a counter there
 * @param perUnit how many of the gauge's own units are one of these
 */
public record MetricName(String words, String unit, boolean isGrowing, double perUnit) {
    private static final double NANOS_OF_A_SECOND = 1e9;
    private static final double MILLIS_OF_A_SECOND = 1e3;
    private static final double PARTS_OF_ONE = 1e6;
    private static final String MAX = "_MAX";

    /** {@return what a gauge of this name is called; also one that this build does not know} */
    public static MetricName of(String gauge) {
        boolean isMost = gauge.endsWith(MAX);
        String name = isMost ? gauge.substring(0, gauge.length() - MAX.length()) : gauge;
        String unit = "";
        double perUnit = 1;
        int end = name.lastIndexOf('_');
        switch (end < 0 ? "" : name.substring(end + 1)) {
            case "NANOS" -> {
                unit = "seconds";
                perUnit = NANOS_OF_A_SECOND;
            }
            case "MILLIS" -> {
                unit = "seconds";
                perUnit = MILLIS_OF_A_SECOND;
            }
            case "BPS" -> {
                unit = "bytes_per_second";
                perUnit = Byte.SIZE;
            }
            case "BYTES" -> unit = "bytes";
            case "PPM" -> {
                unit = "ratio";
                perUnit = PARTS_OF_ONE;
            }
            default -> end = name.length();
        }
        String words = name.substring(0, end) + (isMost ? MAX : "");
        // Pauses that a host makes up for are counted too, by this name.
        words = words.equals("PAUSE_COUNT") ? "PAUSES_OF_THREAD" : words;
        return new MetricName(words.toLowerCase(Locale.ROOT), unit, isGrowing(gauge), perUnit);
    }

    private static boolean isGrowing(String gauge) {
        try {
            return GaugeId.valueOf(gauge).isGrowing();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** {@return a value in the unit} */
    public double inUnit(long value) {
        return value / perUnit;
    }

    /** {@return whether values have fractions in the unit} */
    public boolean hasFractions() {
        return perUnit != 1;
    }

    /** {@return the metric's name for Prometheus} */
    public String prometheus() {
        return "weir_" + words + (unit.isEmpty() ? "" : "_" + unit) + (isGrowing ? "_total" : "");
    }
}
