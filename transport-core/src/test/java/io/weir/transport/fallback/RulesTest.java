package io.weir.transport.fallback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what rules say, and what is said about wrong ones. */
class RulesTest {
    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(address, port);
    }

    private static Preference ofConnect(Rules rules, String address, int port) {
        Rule rule = rules.ofConnect(at(address, port));
        return rule == null ? null : rule.preference();
    }

    @Test
    void ofConnect_severalMatch_takesTheFirst() throws RuleException {
        Rules rules = Rules.parse("f", """
                # comment
                connect 10.0.0.0/9   9092        weir   interface=eth0
                connect 10.0.0.0/8   9000-9010,80 prefer interface=eth1 protocol=dctcp  # to the end
                both    *            *           tcp
                """);
        assertEquals(Preference.WEIR, ofConnect(rules, "10.127.255.255", 9092));
        assertEquals(Preference.TCP, ofConnect(rules, "10.128.0.0", 9092));
        assertEquals(Preference.PREFER, ofConnect(rules, "10.1.0.0", 80));
        assertEquals(Preference.PREFER, ofConnect(rules, "10.255.0.0", 9010));
        assertEquals(Preference.TCP, ofConnect(rules, "10.255.0.0", 9011));
        assertEquals(
                "DCTCP", rules.ofConnect(at("10.1.0.0", 80)).protocol().name().toUpperCase(java.util.Locale.ROOT));
        assertEquals("f:3", rules.ofConnect(at("10.1.0.0", 80)).origin());
        assertEquals(Preference.TCP, rules.ofListen(at("10.1.0.0", 80)).preference());
        assertEquals(2, rules.interfaces().size());
    }

    @Test
    void ofConnect_noneMatches_isNull() throws RuleException {
        Rules rules = Rules.parse("f", "listen ::1/128 1 weir interface=eth0");
        assertNull(ofConnect(rules, "10.0.0.1", 1));
        assertNull(rules.ofListen(at("10.0.0.1", 1)));
        assertEquals(Preference.WEIR, rules.ofListen(at("::1", 1)).preference());
    }

    @Test
    void of_anInterface_prefersWeirButForLoopback() {
        Rules rules = Rules.of("eth0");
        assertEquals(Preference.TCP, ofConnect(rules, "127.0.0.1", 80));
        assertEquals(Preference.TCP, ofConnect(rules, "::1", 80));
        assertEquals(Preference.PREFER, ofConnect(rules, "10.0.0.1", 80));
        assertTrue(new Rules(rules.all().subList(0, 1)).areAllTcp());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sideways * * tcp | f:1:1: | connect, listen or both",
                "connect *        | f:1:10: | a rule has",
                "connect 10.0.0.0/33 * tcp | f:1:9: | 0 to 32 bits",
                "connect 10.0.0.0/x * tcp | f:1:9: | 0 to 32 bits",
                "connect /8 * tcp | f:1:9: | has no address",
                "connect no.such.name.invalid * tcp | f:1:9: | DNS",
                "connect * 65536 tcp | f:1:11: | is no port",
                "connect * 10-5 tcp | f:1:11: | wrong order",
                "connect * , tcp | f:1:11: | is no port",
                "connect * * maybe | f:1:13: | weir, prefer or tcp",
                "connect * * weir | f:1:17: | interface=eth0",
                "connect * * tcp interface=eth0 | f:1:17: | tcp is the kernel's",
                "connect * * weir interface= | f:1:18: | is unknown",
                "connect * * weir interface=a protocol=none | f:1:30: | give one of",
            })
    void parse_aWrongWord_saysWhereAndWhat(String line, String place, String remedy) {
        RuleException wrong = assertThrows(RuleException.class, () -> Rules.parse("f", line));
        assertTrue(wrong.getMessage().startsWith(place), wrong.getMessage());
        assertTrue(wrong.getMessage().contains(remedy), wrong.getMessage());
    }
}
