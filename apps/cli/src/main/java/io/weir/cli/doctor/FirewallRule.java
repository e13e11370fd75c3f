package io.weir.cli.doctor;

import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * One rule of a packet filter.
 *
 * @param conditions what a frame must be like, all of it
 * @param action what then happens: {@code accept}, {@code drop}, {@code reject}, {@code return}, empty for nothing that
 *     decides, or a chain that goes on
 */
record FirewallRule(List<Condition> conditions, String action) {
    FirewallRule {
        conditions = List.copyOf(conditions);
    }

    /** Whether a frame is as a rule says. */
    enum Match {
        YES,
        NO,
        /** The rule asks for what is not known here. */
        PERHAPS
    }

    /** What a condition looks at. */
    enum Field {
        PROTOCOL,
        INTERFACE,
        STATE,
        /** Anything else. */
        OTHER
    }

    /**
     * One condition.
     *
     * @param field what it looks at
     * @param values what it may be
     * @param isNegated whether it must be none of them
     */
    record Condition(Field field, Set<String> values, boolean isNegated) {
        Condition {
            values = Set.copyOf(values);
        }

        /** {@return one that is not understood} */
        static Condition unknown() {
            return new Condition(Field.OTHER, Set.of(), false);
        }

        private Match match(Firewall.Packet packet) {
            return switch (field) {
                case PROTOCOL -> of(!Collections.disjoint(values, packet.protocols()));
                case STATE -> of(values.contains(packet.state()));
                case INTERFACE -> packet.interfaceName().isEmpty() ? Match.PERHAPS : of(isOf(packet.interfaceName()));
                case OTHER -> Match.PERHAPS;
            };
        }

        private Match of(boolean isMatch) {
            return isMatch != isNegated ? Match.YES : Match.NO;
        }

        /** A plus sign or an asterisk at the end stands for the rest of a name. */
        private boolean isOf(String interfaceName) {
            return values.stream()
                    .anyMatch(value -> (value.endsWith("+") || value.endsWith("*"))
                            ? interfaceName.startsWith(value.substring(0, value.length() - 1))
                            : interfaceName.equals(value));
        }
    }

    /** {@return whether a frame is as the rule says} */
    Match match(Firewall.Packet packet) {
        Match all = Match.YES;
        for (Condition condition : conditions) {
            Match match = condition.match(packet);
            if (match == Match.NO) {
                return Match.NO;
            }
            all = match == Match.PERHAPS ? Match.PERHAPS : all;
        }
        return all;
    }
}
