package io.weir.cli.perf;

import io.weir.transport.node.ConfigException;
import java.util.Locale;
import java.util.Map;

/** The octet of an IP header with DSCP and ECN, as iperf3's {@code -S} and {@code --dscp} say it. */
final class TrafficClassOption {
    private static final int OCTET_MAX = 255;
    private static final int DSCP_MAX = 63;
    private static final int DSCP_SHIFT = 2;
    /** The names of RFC 2474, 2597, 3246, 5865 and 8622. */
    private static final Map<String, Integer> NAMES = Map.ofEntries(
            Map.entry("cs0", 0),
            Map.entry("lephb", 1),
            Map.entry("cs1", 8),
            Map.entry("af11", 10),
            Map.entry("af12", 12),
            Map.entry("af13", 14),
            Map.entry("cs2", 16),
            Map.entry("af21", 18),
            Map.entry("af22", 20),
            Map.entry("af23", 22),
            Map.entry("cs3", 24),
            Map.entry("af31", 26),
            Map.entry("af32", 28),
            Map.entry("af33", 30),
            Map.entry("cs4", 32),
            Map.entry("af41", 34),
            Map.entry("af42", 36),
            Map.entry("af43", 38),
            Map.entry("cs5", 40),
            Map.entry("va", 44),
            Map.entry("ef", 46),
            Map.entry("cs6", 48),
            Map.entry("cs7", 56));

    private TrafficClassOption() {}

    /** {@return the octet that either of them says, 0 where both are null} */
    static int octet(String typeOfService, String dscp) {
        if (typeOfService != null && dscp != null) {
            throw new ConfigException("-S and --dscp contradict each other; leave one out");
        }
        if (dscp != null) {
            Integer named = NAMES.get(dscp.toLowerCase(Locale.ROOT));
            return (named != null ? named : number("--dscp", dscp, DSCP_MAX)) << DSCP_SHIFT;
        }
        return typeOfService == null ? 0 : number("-S", typeOfService, OCTET_MAX);
    }

    /** {@return the number, which may be hexadecimal or octal as in C} */
    private static int number(String option, String text, int max) {
        try {
            int value = Integer.decode(text);
            if (value >= 0 && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new ConfigException(
                    option + " " + text + " is no number; write one of 0.." + max + ", as in 52, 064 or" + " 0x34", e);
        }
        throw new ConfigException(option + " " + text + " is outside 0.." + max + "; give another");
    }
}
