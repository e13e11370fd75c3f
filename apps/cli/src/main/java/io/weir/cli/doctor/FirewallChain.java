package io.weir.cli.doctor;

import java.util.List;

/**
 * One chain of a packet filter.
 *
 * @param table the tool and the table, as in {@code nft inet filter}
 * @param chain its name
 * @param policy what happens to frames that no rule decides, in small letters; empty where it is only jumped to
 * @param isBegin whether incoming frames of this host begin here
 * @param versions the versions of IP whose frames it meets
 * @param rules its rules in order
 */
record FirewallChain(
        String table, String chain, String policy, boolean isBegin, List<Integer> versions, List<FirewallRule> rules) {
    FirewallChain {
        versions = List.copyOf(versions);
        rules = List.copyOf(rules);
    }

    /** {@return its name with its table's} */
    String name() {
        return table + " " + chain;
    }
}
