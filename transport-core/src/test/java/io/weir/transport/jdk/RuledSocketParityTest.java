package io.weir.transport.jdk;

import io.weir.transport.fallback.TestFallback;
import io.weir.transport.testing.AllowedDifferences;
import io.weir.transport.testing.AllowedDifferences.Difference;
import io.weir.transport.testing.ParityCase;
import io.weir.transport.testing.ParitySuite;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that sockets about which rules decide do what the Java runtime's do, whichever way they go: the cases of {@link
 * SocketParityTest}, for a program's own sockets and for those of channels.
 */
class RuledSocketParityTest {
    private static final String PROGRAMS = "a program's, ";
    private static final String CHANNELS = "a channel's, ";
    private static final Map<String, String> RULES = new LinkedHashMap<>();

    static {
        RULES.put("weir", "both 127.0.0.0/8 * weir interface=m");
        RULES.put("prefer", "both 127.0.0.0/8 * prefer interface=m");
        RULES.put("tcp", "both * * tcp");
    }

    private static final String HOSTS_ARE_NEAR = "hosts are in one data centre";

    private static final String PORT_AGAIN = "connect from a factory with a local port";
    private static final String KEPT = "what means nothing to Weir is kept and given back";

    /** By the kernel's channels it is a matter of time what a write throws whose output is shut meanwhile. */
    private static final Difference OF_SHUTDOWN = Difference.of(
            "shutdown of output while writing", "a write whose output is shut", "a matter of time", "write");

    /** In addition to those of sockets, for those of channels. */
    private static final List<Difference> OF_CHANNELS = List.of(
            OF_SHUTDOWN,
            Difference.of(
                    "close with bytes unread",
                    "the peer of a close with bytes unread",
                    "Weir's stream ends in order",
                    "end there"),
            Difference.of(
                    "options",
                    "`IP_TOS` and `TCP_KEEPIDLE` after they are set",
                    KEPT,
                    "IP_TOS after 1",
                    "IP_TOS after 127",
                    "IP_TOS after 255",
                    "TCP_KEEPIDLE after 0",
                    "TCP_KEEPINTERVAL after 0",
                    "TCP_KEEPCOUNT after 0",
                    "TCP_QUICKACK at first"));

    private static final List<Difference> OF_WEIR = List.of(
            Difference.of(
                    "options of listeners",
                    "what a listener's connections begin with",
                    "those of Weir's begin with what Weir does",
                    "of the accepted",
                    "SO_REUSEADDR of the accepted"),
            Difference.of(
                    PORT_AGAIN,
                    "a second connection from the same local port",
                    "TCP still has the port where Weir has the first",
                    "another from it"),
            Difference.of("urgent data", "`sendUrgentData`", "a Weir stream has no urgent bytes", "send"),
            Difference.of(
                    "write to a peer that has closed",
                    "10,000 writes to a peer that has closed",
                    "a closed socket still takes bytes for up to 30 s",
                    "second write"),
            Difference.of("options", "`TCP_KEEPIDLE` at first", HOSTS_ARE_NEAR, "TCP_KEEPIDLE at first"),
            Difference.of("options", "`TCP_KEEPINTERVAL` at first", HOSTS_ARE_NEAR, "TCP_KEEPINTERVAL at first"),
            Difference.of("options", "`TCP_KEEPCOUNT` at first", HOSTS_ARE_NEAR, "TCP_KEEPCOUNT at first"));

    /** Weir's listeners on loopback are there for a process that talks to itself, and are at all of its addresses. */
    private static final Set<String> OF_ADDRESSES = Set.of(
            "listen at one address, connect to another",
            "listen at two addresses on one port",
            "listen everywhere, then at one address",
            "listen at one address, then everywhere");

    /** Played by a child, which has the factories' sockets alone. */
    private static final Set<String> OF_CHILDREN =
            Set.of("exit in the stream that is copied to, use in a hook", "exit while others wait, close in a hook");

    /** An interrupt closes a channel, so that a case about sockets cannot go on. */
    private static final Set<String> OF_INTERRUPTS = Set.of(
            "interrupt while reading",
            "interrupt while accepting",
            "interrupt while writing",
            "time-out of an interrupted thread");

    /**
     * Which of two classes, one the other's, the runtime's channels throw is a matter of who looks first, and where
     * they say no more than that it is an IOException, a SocketException is one.
     */
    private static String read(String outcome) {
        return outcome.replace("AsynchronousCloseException", "ClosedChannelException")
                .replaceAll("^SocketException$", "IOException");
    }

    private static final Map<String, ParitySuite<SocketKind>> SUITES = new LinkedHashMap<>();
    private static final List<SocketKind> KINDS = new ArrayList<>();

    @BeforeAll
    static void open() throws Exception {
        SocketKind kernels = kept(SocketKind.ofTheKernel());
        SocketKind kernelsChannels = kept(SocketKind.ofTheKernelsChannels());
        for (Map.Entry<String, String> rules : RULES.entrySet()) {
            List<Difference> differences = rules.getKey().equals("tcp") ? List.of() : OF_WEIR;
            List<Difference> ofChannels = new ArrayList<>(differences);
            ofChannels.addAll(rules.getKey().equals("tcp") ? List.of(OF_SHUTDOWN) : OF_CHANNELS);
            SocketKind programs = kept(SocketKind.ofPrograms(new TestFallback(rules.getValue())));
            SocketKind channels = kept(SocketKind.ofRules(new TestFallback(rules.getValue())));
            List<ParityCase<SocketKind>> cases = SocketParityTest.cases();
            SUITES.put(
                    PROGRAMS + rules.getKey(),
                    new ParitySuite<>(kernels, programs, cases, new AllowedDifferences(differences)));
            SUITES.put(
                    CHANNELS + rules.getKey(),
                    new ParitySuite<>(
                            kernelsChannels,
                            channels,
                            cases,
                            new AllowedDifferences(ofChannels, RuledSocketParityTest::read)));
        }
    }

    private static SocketKind kept(SocketKind kind) {
        KINDS.add(kind);
        return kind;
    }

    @AfterAll
    static void close() throws IOException {
        for (SocketKind kind : KINDS) {
            kind.close();
        }
    }

    static List<Arguments> cases() {
        List<Arguments> all = new ArrayList<>();
        for (String rules : RULES.keySet()) {
            for (ParityCase<SocketKind> parityCase : SocketParityTest.cases()) {
                boolean isAnothers = (!rules.equals("tcp") && OF_ADDRESSES.contains(parityCase.name()))
                        || OF_CHILDREN.contains(parityCase.name());
                if (!isAnothers) {
                    all.add(Arguments.of(PROGRAMS + rules, parityCase));
                }
                if (!isAnothers && !OF_INTERRUPTS.contains(parityCase.name())) {
                    all.add(Arguments.of(CHANNELS + rules, parityCase));
                }
            }
        }
        return all;
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("cases")
    void play_byRules_tellsTheSame(String sockets, ParityCase<SocketKind> parityCase) throws Exception {
        SUITES.get(sockets).requireTheSame(parityCase);
    }
}
