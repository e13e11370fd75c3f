package io.weir.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which rule sets are said to drop what Weir's kernel side must hear, and that doubtful ones are not. */
class FirewallTest {
    private static final String ESTABLISHED = "-A INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT\n";

    private static List<String> iptables(Firewall.Probe probe, String policy, String rules) {
        Firewall firewall = new Firewall(IptablesRules.parse(
                "iptables", "*filter\n:INPUT " + policy + " [0:0]\n:OTHER - [0:0]\n" + rules + "COMMIT\n"));
        return firewall.dropsOf(probe, "eth0").stream().map(FirewallChain::name).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "-A INPUT -p icmp -j DROP, true",
        "-A INPUT -p icmp -j REJECT --reject-with icmp-port-unreachable, true",
        "-A INPUT -m conntrack --ctstate INVALID -j DROP, true",
        "-A INPUT -i eth+ -j DROP, true",
        "-A INPUT ! -i lo -p icmp -j DROP, true",
        "-A INPUT -m comment --comment \"a -j ACCEPT\" -p icmp -j DROP, true",
        "-A INPUT -j LOG --log-prefix \"x \", false",
        "-A INPUT -i eth1 -p icmp -j DROP, false",
        "-A INPUT -p udp -j DROP, false",
        "-A INPUT -p icmp -m icmp --icmp-type 8 -j DROP, false",
        "-A INPUT -s 10.0.0.0/8 -p icmp -j DROP, false",
        "-A INPUT ! -p icmp -j DROP, false"
    })
    void dropsOf_oneRule_isSaidWhereItIsSure(String rule, boolean drops) {
        assertEquals(
                drops ? List.of("iptables filter INPUT") : List.of(),
                iptables(Firewall.Probe.ICMP_ERROR, "ACCEPT", rule + "\n"));
    }

    @Test
    void dropsOf_usualPolicy_dropsErrorsAboutFramesThatTheKernelHasNotSent() {
        assertEquals(List.of("iptables filter INPUT"), iptables(Firewall.Probe.ICMP_ERROR, "DROP", ESTABLISHED));
        assertEquals(List.of(), iptables(Firewall.Probe.UDP_ANSWER, "DROP", ESTABLISHED));
        assertEquals(
                List.of(), iptables(Firewall.Probe.ICMP_ERROR, "DROP", ESTABLISHED + "-A INPUT -p icmp -j ACCEPT\n"));
    }

    @Test
    void dropsOf_doubtfulAcceptanceBefore_isNotSaid() {
        assertEquals(
                List.of(),
                iptables(Firewall.Probe.UDP_ANSWER, "DROP", "-A INPUT -p udp -m udp --dport 4720 -j ACCEPT\n"));
        assertEquals(List.of(), iptables(Firewall.Probe.UDP_ANSWER, "DROP", "-A INPUT -j KUBE-NODES\n"));
    }

    @Test
    void dropsOf_chains_followJumpsAndReturns() {
        String jump = "-A INPUT -p icmp -j OTHER\n";
        assertEquals(
                List.of("iptables filter INPUT"),
                iptables(Firewall.Probe.ICMP_ERROR, "ACCEPT", jump + "-A OTHER -j DROP\n"));
        assertEquals(
                List.of(),
                iptables(Firewall.Probe.ICMP_ERROR, "ACCEPT", jump + "-A OTHER -j RETURN\n-A OTHER -j DROP\n"));
        // Chains that jump to each other end the looking, not the command.
        assertEquals(List.of(), iptables(Firewall.Probe.ICMP_ERROR, "DROP", jump + "-A OTHER -j OTHER\n"));
    }

    private static List<String> nft(Firewall.Probe probe, String policy, String... expressions) {
        StringBuilder text = new StringBuilder("{\"nftables\":[{\"metainfo\":{}},{\"table\":{\"family\":\"inet\"}},");
        text.append("{\"chain\":{\"family\":\"inet\",\"table\":\"filter\",\"name\":\"input\",\"handle\":1,"
                        + "\"type\":\"filter\",\"hook\":\"input\",\"prio\":0,\"policy\":\"")
                .append(policy)
                .append("\"}}");
        for (String expression : expressions) {
            text.append(",{\"rule\":{\"family\":\"inet\",\"table\":\"filter\",\"chain\":\"input\",\"expr\":[")
                    .append(expression)
                    .append("]}}");
        }
        return new Firewall(NftRules.parse(text + "]}"))
                .dropsOf(probe, "eth0").stream().map(FirewallChain::name).toList();
    }

    @Test
    void dropsOf_rulesOfNft_areReadFromItsDocuments() {
        String isIcmp = "{\"match\":{\"op\":\"==\",\"left\":{\"meta\":{\"key\":\"l4proto\"}},\"right\":"
                + "{\"set\":[\"icmp\",\"ipv6-icmp\"]}}}";
        String isEstablished = "{\"match\":{\"op\":\"in\",\"left\":{\"ct\":{\"key\":\"state\"}},\"right\":"
                + "[\"established\",\"related\"]}}";
        String isPort = "{\"match\":{\"op\":\"==\",\"left\":{\"payload\":{\"protocol\":\"udp\",\"field\":\"dport\"}},"
                + "\"right\":53}}";
        String accept = "{\"accept\":null}";
        String drop = "{\"drop\":null}";
        List<String> input = List.of("nft inet filter input");
        assertEquals(input, nft(Firewall.Probe.ICMP_ERROR, "accept", isIcmp + ",{\"counter\":{}}," + drop));
        assertEquals(input, nft(Firewall.Probe.ICMP_ERROR, "drop", isEstablished + "," + accept));
        assertEquals(List.of(), nft(Firewall.Probe.UDP_ANSWER, "drop", isEstablished + "," + accept));
        assertEquals(List.of(), nft(Firewall.Probe.ICMP_ERROR, "drop", isIcmp + "," + accept));
        assertEquals(List.of(), nft(Firewall.Probe.UDP_ANSWER, "drop", isPort + "," + accept));
        assertEquals(input, nft(Firewall.Probe.UDP_ANSWER, "drop", isPort + "," + drop));
        assertEquals(List.of(), nft(Firewall.Probe.UDP_ANSWER, "drop", "{\"vmap\":{\"key\":{},\"data\":{}}}"));
        assertEquals(List.of(), nft(Firewall.Probe.UDP_ANSWER, "accept"));
    }

    @Test
    void parse_whatIsNoneOfTheTools_hasNoChains() {
        for (String text : List.of("", "Error: no such file", "{", "[]", "{\"nftables\":3}", "*filter\n-A X -j Y")) {
            assertEquals(List.of(), NftRules.parse(text));
            assertEquals(List.of(), IptablesRules.parse("iptables", text));
        }
    }
}
