package io.weir.transport.socket;

import io.weir.pacer.PauseBudget;
import io.weir.pacer.RateMath;
import io.weir.pacer.Slack;
import io.weir.transport.host.ConnectionTimers;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.Stamping;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.ProtocolId;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.runtime.FlowSteering;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.PortConfig;
import io.weir.transport.runtime.SchedulingConfig;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * How a transport is set up.
 *
 * @param backend what moves the frames, such as {@code afxdp}; or empty for what the property {@code weir.backend}
 *     names, or else for a broker that serves the interface, or else for the first that is on the class path
 * @param idleMode what the loop does when there is nothing to do
 * @param addresses addresses that are ours next to the interface's own, such as virtual ones
 * @param linkRateBps the rate of the interface's link, or 0 for what the device says
 * @param creditlessPpm the share of the link left to frames without a credit, in parts per million
 * @param slack how far the loop's coarse polling may shift departures
 * @param pauses what the host may do about time in which the loop lost its core
 * @param port the frames, rings and queues of the interface's port
 * @param connectionsMax the most connections at once, the half-open ones among them
 * @param backlogMax the most half-open connections
 * @param peers what one peer address may have
 * @param protocols what connections may be scheduled by, at most one configuration of each protocol, and the one that
 *     is preferred first
 * @param streams what each connection's streams need
 * @param timers when to give up waiting
 * @param liveness how peers that are gone are noticed
 * @param stamping what is done so that delays can be measured
 * @param drainNanosMax how long {@link Transport#close()} lets what was written be delivered, at most; 0 to reset every
 *     connection
 * @param creditFramesMax how many frames one credit may grant at most, where no meter on the path says 1: 1 where
 *     meters of other makers stand there
 * @param udpChecksums whether each frame has a UDP checksum; otherwise data frames over IPv4 have none where the
 *     interface has no wire, as on a veth
 * @param warmUpNanosMax how long the stack is played in memory before the port opens, once a process and protocol, so
 *     that it is compiled when the first frame comes; 0 not to
 * @param scheduling what the loop's own thread asks the machine's scheduler for
 * @param queueCount event loops, each with its own queues of the interface and connections; 1 takes all queues
 * @param segmentBytesMax the most payload of a data frame, in both directions, or 0 for what the MTU lets through;
 *     over IPv6 never less than the MTU of 1,280 B leaves, over IPv4 that of 576 B
 * @param flowLabel the flow label of frames over IPv6 (RFC 6437), 20 bits, by which switches choose ways; 0 for none
 * @param reopen whether an interface that was deleted, or whose broker ended, is opened again when it returns: its
 *     connections end with the reason, listeners and claimed ports stay
 */
public record TransportConfig(
        String backend,
        IdleMode idleMode,
        List<InetAddress> addresses,
        long linkRateBps,
        int creditlessPpm,
        Slack slack,
        PauseBudget pauses,
        PortConfig port,
        int connectionsMax,
        int backlogMax,
        HostConfig.Peers peers,
        List<ProtocolConfig> protocols,
        StreamLimits streams,
        ConnectionTimers timers,
        HostConfig.Liveness liveness,
        Stamping stamping,
        long drainNanosMax,
        int creditFramesMax,
        boolean udpChecksums,
        long warmUpNanosMax,
        SchedulingConfig scheduling,
        int queueCount,
        int segmentBytesMax,
        int flowLabel,
        boolean reopen) {
    /** The longest that closing may wait: an hour. */
    public static final long DRAIN_NANOS_MAX = 3_600_000_000_000L;
    /** Half of a data queue's usual bound (docs/adr/0015-credits-for-several-frames.md says why not more). */
    public static final int CREDIT_FRAMES_MAX_DEFAULT = 16;

    private static final long WARM_UP_NANOS_MAX = 10_000_000_000L;
    /** Below this the credits' share of the link would be less than a bit per second. */
    private static final long LINK_RATE_BPS_MIN = 10_000;

    private static final int CREDITLESS_PPM_MAX = 999_999;

    /** Everything as most users want it. */
    public static final TransportConfig DEFAULT = new Builder().build();

    /** Validates what can be validated before an interface is known. */
    public TransportConfig {
        requireGiven("backend", backend);
        requireGiven("idleMode", idleMode);
        requireGiven("slack", slack);
        requireGiven("pauses", pauses);
        requireGiven("port", port);
        requireGiven("streams", streams);
        requireGiven("timers", timers);
        requireGiven("stamping", stamping);
        requireGiven("scheduling", scheduling);
        if (linkRateBps != 0 && (linkRateBps < LINK_RATE_BPS_MIN || linkRateBps > RateMath.RATE_BPS_MAX)) {
            throw new ConfigException("linkRateBps=" + linkRateBps + " is outside " + LINK_RATE_BPS_MIN + ".."
                    + RateMath.RATE_BPS_MAX + "; give the link's rate in bits per second, or 0 to ask the device");
        }
        if (creditlessPpm < 0 || creditlessPpm > CREDITLESS_PPM_MAX) {
            throw new ConfigException("creditlessPpm=" + creditlessPpm + " is outside 0.." + CREDITLESS_PPM_MAX
                    + "; credits and their data need the rest of the link");
        }
        HostConfig.requireConnections(connectionsMax, backlogMax);
        if (drainNanosMax < 0 || drainNanosMax > DRAIN_NANOS_MAX) {
            throw new ConfigException("drainNanosMax=" + drainNanosMax + " is outside 0 (reset every connection).."
                    + DRAIN_NANOS_MAX + " (an hour)");
        }
        HostConfig.requireCreditFrames(creditFramesMax);
        if (warmUpNanosMax < 0 || warmUpNanosMax > WARM_UP_NANOS_MAX) {
            throw new ConfigException("warmUpNanosMax=" + warmUpNanosMax + " is outside 0 (open at once).."
                    + WARM_UP_NANOS_MAX + " (10 s)");
        }
        if (queueCount < 1 || queueCount > FlowSteering.LOOPS_MAX) {
            throw new ConfigException("queueCount=" + queueCount + " is outside 1.." + FlowSteering.LOOPS_MAX
                    + "; give as many as there are cores to spare");
        }
        HostConfig.requireSegment(segmentBytesMax);
        HostConfig.requireFlowLabel(flowLabel);
        requireGiven("addresses", addresses);
        addresses = List.copyOf(addresses);
        requireUnicast(addresses);
        protocols = copyOf(protocols);
        requireProtocols(protocols);
    }

    private static void requireGiven(String name, Object value) {
        if (value == null) {
            throw new ConfigException(name + " is null; give one, or leave the default");
        }
    }

    private static List<ProtocolConfig> copyOf(List<ProtocolConfig> protocols) {
        requireGiven("protocols", protocols);
        for (ProtocolConfig protocol : protocols) {
            requireGiven("a protocol of protocols", protocol);
        }
        return List.copyOf(protocols);
    }

    private static void requireUnicast(List<InetAddress> addresses) {
        for (InetAddress address : addresses) {
            if (address.isAnyLocalAddress() || address.isMulticastAddress() || address.isLoopbackAddress()) {
                throw new ConfigException("addresses has " + address.getHostAddress()
                        + ", which is not the address of one host; name unicast addresses");
            }
        }
    }

    private static void requireProtocols(List<ProtocolConfig> protocols) {
        if (protocols.isEmpty()) {
            throw new ConfigException("protocols is empty; name one, or leave the default");
        }
        Map<ProtocolId, String> presets = new HashMap<>();
        for (ProtocolConfig protocol : protocols) {
            String other = presets.put(protocol.id(), protocol.preset());
            if (other != null) {
                throw new ConfigException("protocols has " + protocol.id().name() + " as " + other + " and as "
                        + protocol.preset() + ", and connections name the protocol alone; leave one out");
            }
            if (!protocol.realPortObstacle().isEmpty()) {
                throw new ConfigException(protocol.preset() + " cannot run on real ports: "
                        + protocol.realPortObstacle() + "; run it in a simulation");
            }
        }
    }

    /**
     * {@return the parameters of a protocol that it has}
     *
     * @throws IllegalArgumentException if it has not
     */
    ProtocolConfig protocol(ProtocolId id) {
        Objects.requireNonNull(id, "protocol is null; name one of TransportConfig.protocols");
        for (ProtocolConfig protocol : protocols) {
            if (protocol.id().equals(id)) {
                return protocol;
            }
        }
        List<String> names =
                protocols.stream().map(protocol -> protocol.id().name()).toList();
        throw new IllegalArgumentException("this transport speaks " + String.join(", ", names) + " and not " + id.name()
                + "; add it to TransportConfig.protocols");
    }

    /**
     * {@return everything as most users want it, with so many event loops} As in {@code Transport.open("eth0",
     * queues(4))}.
     */
    public static TransportConfig queues(int count) {
        return builder().queueCount(count).build();
    }

    /** {@return a builder that starts from the default} */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects what differs from the default. */
    public static final class Builder {
        private String backend = "";
        private IdleMode idleMode = IdleMode.BACK_OFF;
        private List<InetAddress> addresses = List.of();
        private long linkRateBps;
        private int creditlessPpm = CreditSettings.DEFAULT.creditlessPpm();
        private Slack slack = Slack.LIVE;
        private PauseBudget pauses = PauseBudget.DEFAULT;
        private PortConfig port = PortConfig.DEFAULT;
        private int connectionsMax = HostConfig.CONNECTIONS_MAX_DEFAULT;
        private int backlogMax = HostConfig.BACKLOG_MAX_DEFAULT;
        private HostConfig.Peers peers = HostConfig.Peers.DEFAULT;
        private List<ProtocolConfig> protocols = Catalogue.forRealPorts();
        private StreamLimits streams = StreamLimits.GROWING;
        private ConnectionTimers timers = ConnectionTimers.DEFAULT;
        private HostConfig.Liveness liveness = HostConfig.Liveness.DEFAULT;
        private Stamping stamping = Stamping.CALIBRATED;
        private long drainNanosMax = 5_000_000_000L;
        private int creditFramesMax = CREDIT_FRAMES_MAX_DEFAULT;
        private boolean udpChecksums;
        private long warmUpNanosMax = 950_000_000L;
        private SchedulingConfig scheduling = SchedulingConfig.DEFAULT;

        private int queueCount = 1;
        private int segmentBytesMax;
        private int flowLabel;
        private boolean reopen;

        private Builder() {}

        /** Sets what moves the frames. */
        public Builder backend(String value) {
            backend = value;
            return this;
        }

        /** Sets what the loop does when there is nothing to do. */
        public Builder idleMode(IdleMode value) {
            idleMode = value;
            return this;
        }

        /** Sets addresses that are ours next to the interface's own, such as virtual ones. */
        public Builder addresses(List<InetAddress> value) {
            addresses = value;
            return this;
        }

        /** Sets the rate of the link, for devices that do not know it. */
        public Builder linkRateBps(long value) {
            linkRateBps = value;
            return this;
        }

        /** Sets the share of the link left to frames without a credit. */
        public Builder creditlessPpm(int value) {
            creditlessPpm = value;
            return this;
        }

        /** Sets how far the loop's coarse polling may shift departures. */
        public Builder slack(Slack value) {
            slack = value;
            return this;
        }

        /** Sets what the host may do about time in which the loop lost its core. */
        public Builder pauses(PauseBudget value) {
            pauses = value;
            return this;
        }

        /** Sets the frames in each loop's pool, or 0 for as many as its queues and rings need. */
        public Builder frameCount(int value) {
            return port(port.withFrameCount(value));
        }

        /** Sets the frames, rings and queues of the interface's port. */
        public Builder port(PortConfig value) {
            port = value;
            return this;
        }

        /** Sets the most connections, and of those the most half-open ones. */
        public Builder connections(int max, int halfOpenMax) {
            connectionsMax = max;
            backlogMax = halfOpenMax;
            return this;
        }

        /** Sets what one peer address may have. */
        public Builder peers(HostConfig.Peers value) {
            peers = value;
            return this;
        }

        /**
         * Sets what connections may be scheduled by, the preferred first; without it, ExpressPass is, and all protocols
         * of the catalogue that can run on real ports follow.
         */
        public Builder protocols(List<ProtocolConfig> value) {
            protocols = value;
            return this;
        }

        /** Puts a protocol first, in place of the configuration of the same protocol that is there. */
        public Builder prefer(ProtocolConfig value) {
            requireGiven("the protocol to prefer", value);
            List<ProtocolConfig> changed = new ArrayList<>(protocols);
            changed.removeIf(protocol -> protocol.id().equals(value.id()));
            changed.add(0, value);
            return protocols(changed);
        }

        /** Sets what each connection's streams need. */
        public Builder streams(StreamLimits value) {
            streams = value;
            return this;
        }

        /** Sets when to give up waiting. */
        public Builder timers(ConnectionTimers value) {
            timers = value;
            return this;
        }

        /** Sets how peers that are gone are noticed. */
        public Builder liveness(HostConfig.Liveness value) {
            liveness = value;
            return this;
        }

        /** Sets what is done so that delays can be measured; by default, everything. */
        public Builder stamping(Stamping value) {
            stamping = value;
            return this;
        }

        /** Sets how long closing lets what was written be delivered. */
        public Builder drainNanosMax(long value) {
            drainNanosMax = value;
            return this;
        }

        /** Sets how long the stack is played before the port opens. */
        public Builder warmUpNanosMax(long value) {
            warmUpNanosMax = value;
            return this;
        }

        /** Sets how many frames one credit may grant at most. */
        public Builder creditFramesMax(int value) {
            creditFramesMax = value;
            return this;
        }

        /** Sets whether each frame has a UDP checksum, whatever the interface is. */
        public Builder udpChecksums(boolean value) {
            udpChecksums = value;
            return this;
        }

        /** Sets what the loop's own thread asks the machine's scheduler for. */
        public Builder scheduling(SchedulingConfig value) {
            scheduling = value;
            return this;
        }

        /** Sets how many event loops share the interface's queues. */
        public Builder queueCount(int value) {
            queueCount = value;
            return this;
        }

        /** Sets the most payload of a data frame, in both directions. */
        public Builder segmentBytesMax(int value) {
            segmentBytesMax = value;
            return this;
        }

        /** Sets the flow label of frames over IPv6. */
        public Builder flowLabel(int value) {
            flowLabel = value;
            return this;
        }

        /** Sets whether the interface is opened again when it was gone and has returned. */
        public Builder reopen(boolean value) {
            reopen = value;
            return this;
        }

        /** {@return the configuration} */
        public TransportConfig build() {
            return new TransportConfig(
                    backend,
                    idleMode,
                    addresses,
                    linkRateBps,
                    creditlessPpm,
                    slack,
                    pauses,
                    port,
                    connectionsMax,
                    backlogMax,
                    peers,
                    protocols,
                    streams,
                    timers,
                    liveness,
                    stamping,
                    drainNanosMax,
                    creditFramesMax,
                    udpChecksums,
                    warmUpNanosMax,
                    scheduling,
                    queueCount,
                    segmentBytesMax,
                    flowLabel,
                    reopen);
        }
    }
}
