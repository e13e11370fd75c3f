package io.weir.agent.core;

import io.weir.transport.aio.SelectingProvider;
import io.weir.transport.fallback.Fallback;
import io.weir.transport.fallback.Preference;
import io.weir.transport.fallback.Rule;
import io.weir.transport.fallback.RuleException;
import io.weir.transport.fallback.Rules;
import io.weir.transport.jdk.DualSocketImpls;
import io.weir.transport.nio.DualSelectorProvider;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The agent: reads the rules, opens the transports, and makes what the Java runtime is to use. */
public final class AgentCore {
    /** What {@code -javaagent} takes as its argument, as a system property. */
    static final String RULES_PROPERTY = "weir.agent.rules";
    /** The same in the environment. */
    static final String RULES_VARIABLE = "WEIR_AGENT_RULES";
    /** Milliseconds that Weir has before TCP is tried too. */
    static final String HEAD_START_PROPERTY = "weir.agent.headStart";

    static final String HEAD_START_VARIABLE = "WEIR_AGENT_HEAD_START";
    private static final long HEAD_START_MILLIS_MAX = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(AgentCore.class);

    private AgentCore() {}

    /**
     * Begins.
     *
     * @return the provider of channels, the factory of sockets, that of sockets that listen, the provider of
     *     asynchronous channels, and what looks at the program's classes; nothing where all rules say TCP
     * @throws IllegalArgumentException if the rules are wrong; the message has the place and the remedy
     */
    public static Object[] begin(String argument) {
        String given = given(argument, RULES_PROPERTY, RULES_VARIABLE);
        if (given == null) {
            throw new IllegalArgumentException("needs an interface or a file of rules, as in "
                    + "-javaagent:weir-agent.jar=eth0; or give it by -D" + RULES_PROPERTY + " or " + RULES_VARIABLE);
        }
        Rules rules = rules(given);
        Duration headStart = headStart(given(null, HEAD_START_PROPERTY, HEAD_START_VARIABLE));
        if (rules.areAllTcp()) {
            LOG.info("all rules of {} say tcp: nothing goes over Weir", given);
            return new Object[0];
        }
        TransportConfig config = TransportConfig.builder().reopen(true).build();
        Fallback fallback = Fallback.open(rules, name -> Transport.open(name, config), headStart);
        Runtime.getRuntime().addShutdownHook(new Thread(fallback::close, "weir-agent-end"));
        Ways.register(fallback);
        LOG.info("by {}: {}", given, summary(rules, fallback));
        SelectorProvider channels = new DualSelectorProvider(kernelsProvider(), fallback);
        return new Object[] {
            channels,
            DualSocketImpls.ofSockets(fallback),
            DualSocketImpls.ofServerSockets(fallback),
            new SelectingProvider(channels),
            new NativeTransports()
        };
    }

    /** {@return what goes over Weir, for the first line of the log} */
    private static String summary(Rules rules, Fallback fallback) {
        List<String> parts = new ArrayList<>();
        for (Rule rule : rules.all()) {
            if (rule.preference() != Preference.TCP) {
                String ways =
                        !rule.listens() ? "connections" : rule.connects() ? "connections and listeners" : "listeners";
                String peers = rule.networks().isEmpty()
                        ? "all addresses"
                        : rule.networks().toString();
                String way = fallback.obstacles().containsKey(rule.interfaceName())
                        ? "over TCP, since " + rule.interfaceName() + " cannot be opened"
                        : rule.preference() == Preference.WEIR
                                ? "over Weir on " + rule.interfaceName()
                                : "over Weir on " + rule.interfaceName() + " where the peer has it, else over TCP";
                parts.add(ways + " (" + peers + ") go " + way);
            }
        }
        return String.join("; ", parts) + "; all else over TCP";
    }

    /** {@return the Java runtime's own provider} By its public name it would be ours, which is not made yet. */
    private static SelectorProvider kernelsProvider() {
        try {
            return (SelectorProvider) Class.forName("sun.nio.ch.DefaultSelectorProvider")
                    .getMethod("get")
                    .invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(
                    "this Java runtime, " + Runtime.version() + ", has no sun.nio.ch.DefaultSelectorProvider", e);
        }
    }

    private static String given(String argument, String property, String variable) {
        if (argument != null && !argument.isBlank()) {
            return argument.trim();
        }
        String value = System.getProperty(property, System.getenv(variable));
        return value == null || value.isBlank() ? null : value.trim();
    }

    private static Rules rules(String given) {
        if (given.indexOf('/') < 0) {
            return Rules.of(given);
        }
        try {
            return Rules.parse(given, Files.readString(Path.of(given)));
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read " + given + ": " + e, e);
        } catch (RuleException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static Duration headStart(String millis) {
        if (millis == null) {
            return Fallback.HEAD_START_DEFAULT;
        }
        try {
            long value = Long.parseLong(millis);
            if (value >= 0 && value <= HEAD_START_MILLIS_MAX) {
                return Duration.ofMillis(value);
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new IllegalArgumentException(String.format(
                Locale.ROOT,
                "%s=%s is no time; give milliseconds from 0 to %d",
                HEAD_START_PROPERTY,
                millis,
                HEAD_START_MILLIS_MAX));
    }
}
