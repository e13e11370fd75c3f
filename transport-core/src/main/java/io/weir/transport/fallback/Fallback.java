package io.weir.transport.fallback;

import io.weir.transport.node.ConfigException;
import io.weir.transport.observation.FlightEvents;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides for each connection and listener of a process whether it goes over Weir or the kernel's TCP, and has the
 * transports that Weir uses. Any thread.
 */
public final class Fallback implements AutoCloseable {
    /**
     * What Weir has before TCP is tried too: a round trip in a data centre takes less than a hundredth of it, and a
     * person does not notice it.
     */
    public static final Duration HEAD_START_DEFAULT = Duration.ofMillis(50);

    private static final Logger LOG = LoggerFactory.getLogger(Fallback.class);

    private final Rules rules;
    private final Map<String, Transport> transports;
    private final Map<String, String> obstacles;
    private final PeerMemory peers = new PeerMemory();
    private final HeadStart headStart;
    private final long headStartNanos;
    private final LongSupplier clock;
    private final Map<Outcome, LongAdder> counts = new EnumMap<>(Outcome.class);
    private volatile Consumer<Explanation> listener = explanation -> {};

    /** What opens a transport on an interface. */
    @FunctionalInterface
    public interface TransportOpener {
        /** {@return the transport, which the caller owns} */
        Transport open(String interfaceName) throws IOException;
    }

    Fallback(
            Rules rules,
            Map<String, Transport> transports,
            Map<String, String> obstacles,
            HeadStart headStart,
            Duration headStartTime,
            LongSupplier clock) {
        this.rules = rules;
        this.transports = Map.copyOf(transports);
        this.obstacles = Map.copyOf(obstacles);
        this.headStart = headStart;
        this.headStartNanos = headStartTime.toNanos();
        this.clock = clock;
        for (Outcome outcome : Outcome.values()) {
            counts.put(outcome, new LongAdder());
        }
    }

    /**
     * {@return what decides by these rules} The transports that they name are opened now. Where one cannot be opened,
     * its connections go over TCP, and the reason is logged once; those whose rule says {@code weir} fail with it.
     *
     * @param headStartTime what Weir has before TCP is tried too
     */
    public static Fallback open(Rules rules, TransportOpener opener, Duration headStartTime) {
        Objects.requireNonNull(rules, "rules is null; give Rules.of an interface, or parse some");
        if (headStartTime.isNegative()) {
            throw new IllegalArgumentException(
                    "headStartTime=" + headStartTime + " is negative; give zero to try both at once, or more");
        }
        Map<String, Transport> transports = new LinkedHashMap<>();
        Map<String, String> obstacles = new LinkedHashMap<>();
        for (String interfaceName : rules.interfaces()) {
            try {
                transports.put(interfaceName, opener.open(interfaceName));
            } catch (IOException | ConfigException | LinkageError e) {
                // A LinkageError: native code that this machine does not have.
                String reason = e.getMessage() == null ? e.toString() : e.getMessage();
                obstacles.put(interfaceName, reason);
                LOG.warn("interface={} connections go over TCP: {}", interfaceName, reason);
            }
        }
        return new Fallback(rules, transports, obstacles, newHeadStart(), headStartTime, System::nanoTime);
    }

    private static HeadStart newHeadStart() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "weir-fallback");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(1, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return (nanos, work) -> {
            Future<?> later = timer.schedule(work, nanos, TimeUnit.NANOSECONDS);
            return () -> later.cancel(false);
        };
    }

    /**
     * {@return the rule for a connection that goes, or may go, over Weir; null where it goes over TCP, which is counted
     * then}
     */
    public Rule ruleOfConnect(InetSocketAddress remote) {
        Rule rule = rules.ofConnect(remote);
        if (rule == null || rule.preference() == Preference.TCP) {
            counts.get(Outcome.TCP_BY_RULE).increment();
            return null;
        }
        return rule;
    }

    /**
     * Opens a connection.
     *
     * @param rule what {@link #ruleOfConnect} gave
     * @param local where it leaves from, or null for what the way there says
     * @param tcp TCP's half, which may be called before this returns
     */
    public Opening connect(InetSocketAddress remote, InetSocketAddress local, Rule rule, Opening.Tcp tcp) {
        return new Opening(this, remote, local, rule, tcp);
    }

    /** Begins an opening. Once, when its {@code tcp} can be called. */
    public void begin(Opening opening) {
        opening.begin();
    }

    /** {@return the rule for listening at an address over Weir, or null where that is TCP's alone} */
    public Rule ruleOfListen(InetSocketAddress local) {
        Rule rule = rules.ofListen(local);
        if (rule == null || rule.preference() == Preference.TCP) {
            return null;
        }
        InetAddress address = local.getAddress();
        Transport transport = transports.get(rule.interfaceName());
        boolean isOurs = address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || transport == null
                || transport.addresses().contains(address);
        return isOurs || rule.preference() == Preference.WEIR ? rule : null;
    }

    /**
     * {@return the transport of an interface that a rule names}
     *
     * @throws IOException if it could not be opened, with the reason
     */
    public Transport requireTransport(Rule rule) throws IOException {
        Transport transport = transports.get(rule.interfaceName());
        if (transport == null) {
            throw new IOException(obstacle(rule.interfaceName()));
        }
        return transport;
    }

    Transport transport(String interfaceName) {
        return transports.get(interfaceName);
    }

    String obstacle(String interfaceName) {
        return obstacles.getOrDefault(interfaceName, "no transport is open on " + interfaceName);
    }

    /** {@return why interfaces that rules name have no transport, by interface} */
    public Map<String, String> obstacles() {
        return obstacles;
    }

    /** {@return the transports that it has} */
    public Collection<Transport> transports() {
        return transports.values();
    }

    PeerMemory peers() {
        return peers;
    }

    HeadStart headStart() {
        return headStart;
    }

    long headStartNanos() {
        return headStartNanos;
    }

    long nowNanos() {
        return clock.getAsLong();
    }

    /** Sets who is told which way connections and listeners went, on any thread; it must not block. */
    public void setListener(Consumer<Explanation> newListener) {
        listener = Objects.requireNonNull(newListener, "newListener is null; give one that does nothing");
    }

    /** Counts and tells which way a connection or listener went. */
    public void tell(Explanation explanation) {
        counts.get(explanation.outcome()).increment();
        LOG.debug("{}", explanation);
        record(explanation);
        listener.accept(explanation);
    }

    private static void record(Explanation explanation) {
        FlightEvents.Fallback event = new FlightEvents.Fallback();
        if (explanation.outcome() != Outcome.WEIR && event.isEnabled()) {
            event.setExplanation(explanation.outcome().name(), explanation.address(), explanation.text());
            event.commit();
        }
    }

    /** A listener has taken a connection that its peer had reset before it was accepted, and gives it to nobody. */
    public void onPassedOver() {
        counts.get(Outcome.PASSED_OVER).increment();
    }

    /** {@return how often each way was taken and why; of all since the beginning} */
    public Map<Outcome, Long> counts() {
        Map<Outcome, Long> sums = new EnumMap<>(Outcome.class);
        counts.forEach((outcome, count) -> sums.put(outcome, count.sum()));
        return sums;
    }

    /** Closes its transports: what was written is still delivered, within the time of their configuration. */
    @Override
    public void close() {
        transports.values().forEach(Transport::close);
    }
}
