package io.weir.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The packet filter's rules for what comes in, from whichever tools the machine has. Weir's frames never meet them;
 * what the kernel is told about them by ICMP does, and one UDP answer.
 *
 * <p>A drop is only named where every rule before it is understood: a rule that is not understood may accept.
 *
 * @param chains the chains where filtering begins, and those that they jump to
 */
record Firewall(List<FirewallChain> chains) {
    /** A machine without rules. */
    static final Firewall NONE = new Firewall(List.of());

    private static final int IPV4 = 4;
    private static final int JUMPS_MAX = 16;

    Firewall {
        chains = List.copyOf(chains);
    }

    /** What a filter is asked about. */
    enum Probe {
        /** That nobody has a port. The kernel has seen no datagram to which it belongs, so its state is invalid. */
        ICMP_ERROR,
        /** The answer to a datagram that the kernel has sent. */
        UDP_ANSWER;

        /** {@return a frame of this kind that came by an interface, over IPv4 or IPv6} */
        private Packet packet(int version, String interfaceName) {
            if (this == UDP_ANSWER) {
                return new Packet(Set.of("udp", "17"), "established", interfaceName);
            }
            return version == IPV4
                    ? new Packet(Set.of("icmp", "1"), "invalid", interfaceName)
                    : new Packet(Set.of("icmpv6", "ipv6-icmp", "58"), "invalid", interfaceName);
        }
    }

    /**
     * A frame as rules see it.
     *
     * @param protocols the names and the number of its protocol
     * @param state what the kernel's connection tracking says of it
     * @param interfaceName the interface that it came by, or empty where none was named
     */
    record Packet(Set<String> protocols, String state, String interfaceName) {}

    /** What a chain does with a frame. */
    private enum Verdict {
        ACCEPT,
        DROP,
        /** The chain ends without a decision. */
        NONE,
        /** It depends on what is not understood. */
        UNKNOWN
    }

    /** {@return the rules of this network namespace, as far as its tools tell} */
    static Firewall live() {
        List<FirewallChain> chains = new ArrayList<>(NftRules.parse(ToolOutput.of("nft", "-j", "list", "ruleset")));
        // Where there is nft, it shows the rules of iptables, too, but not what they match.
        chains.addAll(IptablesRules.parse("iptables", ToolOutput.of("iptables-save")));
        chains.addAll(IptablesRules.parse("ip6tables", ToolOutput.of("ip6tables-save")));
        return new Firewall(chains);
    }

    /** {@return the chains that surely drop such a frame of the interface, whose name may be empty} */
    List<FirewallChain> dropsOf(Probe probe, String interfaceName) {
        return chains.stream()
                .filter(FirewallChain::isBegin)
                .filter(chain -> chain.versions().stream()
                        .anyMatch(version ->
                                verdict(chain, probe.packet(version, interfaceName), JUMPS_MAX) == Verdict.DROP))
                .toList();
    }

    private Verdict verdict(FirewallChain chain, Packet packet, int jumpsLeft) {
        for (FirewallRule rule : chain.rules()) {
            FirewallRule.Match match = rule.match(packet);
            Verdict verdict = match == FirewallRule.Match.NO ? Verdict.NONE : outcome(chain, rule, packet, jumpsLeft);
            boolean isReturn = match != FirewallRule.Match.NO && rule.action().equals("return");
            if (match == FirewallRule.Match.PERHAPS) {
                if (isReturn || verdict == Verdict.ACCEPT || verdict == Verdict.UNKNOWN) {
                    return Verdict.UNKNOWN;
                }
                // It drops some frames, perhaps not these.
                continue;
            }
            if (isReturn) {
                break;
            }
            if (verdict != Verdict.NONE) {
                return verdict;
            }
        }
        return chain.policy().equals("drop") ? Verdict.DROP : Verdict.NONE;
    }

    private Verdict outcome(FirewallChain chain, FirewallRule rule, Packet packet, int jumpsLeft) {
        return switch (rule.action()) {
            case "accept" -> Verdict.ACCEPT;
            case "drop", "reject" -> Verdict.DROP;
            case "", "return" -> Verdict.NONE;
            default -> {
                FirewallChain next = chains.stream()
                        .filter(other -> other.table().equals(chain.table())
                                && other.chain().equals(rule.action()))
                        .findFirst()
                        .orElse(null);
                yield next == null || jumpsLeft == 0 ? Verdict.UNKNOWN : verdict(next, packet, jumpsLeft - 1);
            }
        };
    }

    /** {@return the command that lets such frames through a chain} */
    static String acceptance(FirewallChain chain, Probe probe) {
        String[] words = chain.name().split(" ", -1);
        boolean isIcmp = probe == Probe.ICMP_ERROR;
        if (words[0].equals("nft")) {
            String match = isIcmp ? "meta l4proto { icmp, icmpv6 }" : "meta l4proto udp ct state established";
            return "nft insert rule " + ShellText.word(words[1]) + " " + ShellText.word(words[2]) + " "
                    + ShellText.word(words[3]) + " '" + match + " accept'";
        }
        String protocol = words[0].equals("ip6tables") ? "ipv6-icmp" : "icmp";
        return words[0] + " -t " + ShellText.word(words[1]) + " -I " + ShellText.word(words[2]) + " "
                + (isIcmp ? "-p " + protocol : "-p udp -m conntrack --ctstate ESTABLISHED") + " -j ACCEPT";
    }
}
