package io.weir.transport.host;

import io.weir.pacer.PauseBudget;
import io.weir.pacer.Slack;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.wire.ChecksumScope;
import io.weir.transport.wire.CreditHeader;
import io.weir.transport.wire.DataHeader;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import io.weir.transport.wire.Payload;
import io.weir.transport.wire.SharedHostMac;
import java.util.List;

/**
 * Everything that a host needs to know about itself.
 *
 * @param mac the port's Ethernet address
 * @param addresses the host's IP addresses
 * @param link the link of its port
 * @param memory the way to other processes of this host, through memory that both share: a link by itself, which takes
 *     nothing from the port's; null where none is reached so
 * @param slack how far coarse polling may shift departures; none in virtual time
 * @param pauses what it may do about time in which its driver did not run it
 * @param connectionsMax the most connections at once, the half-open ones among them
 * @param backlogMax the most half-open connections
 * @param peers what one peer address may have of the host
 * @param streams what each connection's streams need
 * @param timers when to give up waiting
 * @param liveness how peers that are gone are noticed
 * @param payload whether its frames have their payload with them
 * @param checksums which frames have checksums of IP and UDP; {@link ChecksumScope#NONE} where they have no payload
 * @param stamping what is done so that delays can be measured
 * @param creditFramesMax how many frames one credit may grant at most: 1 where meters stand on paths that do not say so
 * @param headroomBytes what stays free before a data frame, for ports whose device tells when it left
 * @param segmentBytesMax the most payload of a data frame, in both directions, or 0 for what the MTU lets through;
 *     never less than {@link #mtuBytesMin} leaves, which each peer may send
 * @param flowLabel the flow label of frames over IPv6 (RFC 6437), 20 bits; 0 for none
 */
public record HostConfig(
        long mac,
        List<IpAddress> addresses,
        HostLinkConfig link,
        HostLinkConfig memory,
        Slack slack,
        PauseBudget pauses,
        int connectionsMax,
        int backlogMax,
        Peers peers,
        StreamLimits streams,
        ConnectionTimers timers,
        Liveness liveness,
        Payload payload,
        ChecksumScope checksums,
        Stamping stamping,
        int creditFramesMax,
        int headroomBytes,
        int segmentBytesMax,
        int flowLabel) {

    /** The smallest MTU of a real port, and of any path over IPv6: IPv6's. */
    public static final int MTU_BYTES_MIN = 1280;
    /** The smallest MTU of a host with IPv4 addresses alone: what each such host takes (RFC 791). */
    public static final int MTU_BYTES_MIN_IPV4 = 576;
    /** The largest MTU: what fits a length of 16 bits. */
    public static final int MTU_BYTES_MAX = 65_535;

    /** Segments of a first window in memory: with fewer, the sender of a short stream would wait for each. */
    private static final int MEMORY_SEGMENTS_INITIAL = 4;

    /** The most connections, unless a configuration says otherwise. */
    public static final int CONNECTIONS_MAX_DEFAULT = 65_536;
    /** The most half-open connections, unless a configuration says otherwise. */
    public static final int BACKLOG_MAX_DEFAULT = 1_024;

    public HostConfig {
        requireGiven("addresses", addresses);
        requireGiven("link", link);
        requireGiven("slack", slack);
        requireGiven("pauses", pauses);
        requireGiven("streams", streams);
        requireGiven("timers", timers);
        requireGiven("payload", payload);
        requireGiven("checksums", checksums);
        if ((payload == Payload.ELIDED) != (checksums == ChecksumScope.NONE)) {
            throw new ConfigException("payload=" + payload + " does not go with checksums=" + checksums
                    + "; they would cover what is not there, and what is there needs them");
        }
        requireGiven("stamping", stamping);
        addresses = List.copyOf(addresses);
        requireLink(link, addresses, streams);
        if (memory != null) {
            requireLink(memory, addresses, streams);
        }
        requireConnections(connectionsMax, backlogMax);
        requireCreditFrames(creditFramesMax);
        requireSegment(segmentBytesMax);
        requireFlowLabel(flowLabel);
    }

    /** Refuses what a credit has no room for. */
    public static void requireCreditFrames(int creditFramesMax) {
        if (creditFramesMax < 1 || creditFramesMax > CreditHeader.FRAMES_MAX) {
            throw new ConfigException("creditFramesMax=" + creditFramesMax + " is outside 1.." + CreditHeader.FRAMES_MAX
                    + "; 1 is a credit per frame");
        }
    }

    /** Refuses a limit of the payload below what each peer may send. */
    public static void requireSegment(int segmentBytesMax) {
        int bytesMin = MTU_BYTES_MIN_IPV4 - headerBytes(false);
        if (segmentBytesMax != 0 && (segmentBytesMax < bytesMin || segmentBytesMax > MTU_BYTES_MAX)) {
            throw new ConfigException("segmentBytesMax=" + segmentBytesMax + " is outside " + bytesMin + ".."
                    + MTU_BYTES_MAX + "; 0 follows the interface's MTU");
        }
    }

    /** Refuses what is no flow label. */
    public static void requireFlowLabel(int flowLabel) {
        if (flowLabel < 0 || flowLabel > HeaderTemplate.FLOW_LABEL_MAX) {
            throw new ConfigException(
                    "flowLabel=" + flowLabel + " is outside 0 (none).." + HeaderTemplate.FLOW_LABEL_MAX);
        }
    }

    private static void requireLink(HostLinkConfig link, List<IpAddress> addresses, StreamLimits streams) {
        HostLinkConfig.requireMtu(link.mtuBytes(), addresses.stream().anyMatch(IpAddress::isV6));
        if (streams.receiveBufferBytes() < link.mtuBytes()) {
            throw new ConfigException("receiveBufferBytes=" + streams.receiveBufferBytes()
                    + " holds no segment of a packet of mtuBytes=" + link.mtuBytes()
                    + ", so that no credit could ever be sent; make it at least that");
        }
    }

    static void requireGiven(String name, Object value) {
        if (value == null) {
            throw new ConfigException(name + " is null; give one, or leave the default");
        }
    }

    /** Refuses limits that let no connection come. */
    public static void requireConnections(int connectionsMax, int backlogMax) {
        if (connectionsMax < 1 || backlogMax < 1) {
            throw new ConfigException(
                    "connectionsMax=" + connectionsMax + " and backlogMax=" + backlogMax + " must be at least 1");
        }
    }

    /** {@return which frames of this path have checksums: never {@link ChecksumScope#ALL_ON_WIRES}} */
    ChecksumScope checksumsOn(Path path) {
        if (checksums != ChecksumScope.ALL_ON_WIRES) {
            return checksums;
        }
        return SharedHostMac.isOn(path) ? ChecksumScope.NOT_ON_DATA : ChecksumScope.ALL;
    }

    /** {@return the headers of this path's frames} */
    HeaderTemplate headersOn(Path path) {
        return new HeaderTemplate(path, checksumsOn(path), flowLabel);
    }

    /** {@return what stands before the payload in a data packet over this version of IP} */
    static int headerBytes(boolean isV6) {
        return HeaderTemplate.bytes(isV6) - Ethernet.HEADER_BYTES + DataHeader.BYTES;
    }

    /** {@return the largest IP packet of this path where its link, or memory, carries so much} */
    int mtuBytesOn(Path path, int linkMtuBytes) {
        if (segmentBytesMax == 0) {
            return linkMtuBytes;
        }
        boolean isV6 = path.local().isV6();
        return Math.min(linkMtuBytes, Math.max(segmentBytesMax + headerBytes(isV6), mtuBytesMin(isV6)));
    }

    /** {@return whether frames of this path leave by {@link #memory}, and not by the port} */
    boolean isInMemory(Path path) {
        return memory != null && SharedHostMac.isOn(path);
    }

    /** {@return what the frames of this path leave by} */
    HostLinkConfig linkOf(Path path) {
        return isInMemory(path) ? memory : link;
    }

    /** {@return what the buffers of a connection by this path start with: a window must hold a segment} */
    int bufferBytesInitialOn(Path path) {
        int segments = isInMemory(path) ? MEMORY_SEGMENTS_INITIAL : 1;
        return Math.max(streams.bufferBytesInitial(), segments * linkOf(path).mtuBytes());
    }

    /** {@return the largest IP packet of all} */
    int mtuBytesMax() {
        return memory == null ? link.mtuBytes() : Math.max(link.mtuBytes(), memory.mtuBytes());
    }

    /** {@return the smallest MTU that a peer may have} */
    static int mtuBytesMin(boolean isV6) {
        return isV6 ? MTU_BYTES_MIN : MTU_BYTES_MIN_IPV4;
    }

    @Override
    public String toString() {
        return "HostConfig[mac=" + Ethernet.format(mac) + ", addresses=" + addresses + ", link=" + link
                + ", memory=" + memory + ", slack=" + slack + ", pauses=" + pauses
                + ", connectionsMax=" + connectionsMax + ", backlogMax=" + backlogMax + ", peers=" + peers
                + ", streams="
                + streams + ", timers=" + timers + ", liveness=" + liveness + ", payload=" + payload + ", checksums="
                + checksums + ", stamping=" + stamping + ", creditFramesMax="
                + creditFramesMax
                + ", headroomBytes=" + headroomBytes + ", segmentBytesMax=" + segmentBytesMax + ", flowLabel="
                + flowLabel
                + "]";
    }

    /**
     * What one peer address may have of a host, so that others are served whatever it does.
     *
     * @param creditedMax half-open connections that have credit state, so that credits come with the acceptance; of
     *     openings beyond them a record of at most 256 bytes is kept, and credits come when the peer has confirmed, one
     *     round trip later
     * @param halfOpenMax half-open connections, and never more than are left to others
     * @param connectionsMax connections; more are refused
     * @param memoryPercent share of the memory for buffers that the connections to the peer may hold together
     */
    public record Peers(int creditedMax, int halfOpenMax, int connectionsMax, int memoryPercent) {
        /** For real ports. */
        public static final Peers DEFAULT = new Peers(64, 512, 16_384, 50);

        /** Any peer may have everything: in virtual time, where hosts are each other's. */
        public static final Peers UNLIMITED = new Peers(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 100);

        public Peers {
            if (creditedMax < 0 || halfOpenMax < 1 || connectionsMax < 1) {
                throw new ConfigException("peers.creditedMax=" + creditedMax + " must be at least 0, halfOpenMax="
                        + halfOpenMax + " and connectionsMax=" + connectionsMax + " at least 1");
            }
            if (memoryPercent < 1 || memoryPercent > 100) {
                throw new ConfigException("peers.memoryPercent=" + memoryPercent + " is outside 1..100");
            }
        }

        /** {@return the same with another limit of half-open connections that have credit state} */
        public Peers withCreditedMax(int newCreditedMax) {
            return new Peers(newCreditedMax, halfOpenMax, connectionsMax, memoryPercent);
        }

        /** {@return the same with another limit of half-open connections} */
        public Peers withHalfOpenMax(int newHalfOpenMax) {
            return new Peers(creditedMax, newHalfOpenMax, connectionsMax, memoryPercent);
        }

        /** {@return the same with another limit of connections} */
        public Peers withConnectionsMax(int newConnectionsMax) {
            return new Peers(creditedMax, halfOpenMax, newConnectionsMax, memoryPercent);
        }

        /** {@return the same with another share of the memory} */
        public Peers withMemoryPercent(int newMemoryPercent) {
            return new Peers(creditedMax, halfOpenMax, connectionsMax, newMemoryPercent);
        }

        /** {@return what each of so many hosts may give a peer, so that together they give what one would} */
        public Peers shared(int hostCount) {
            return hostCount == 1
                    ? this
                    : withCreditedMax(creditedMax / hostCount)
                            .withHalfOpenMax(Math.max(1, halfOpenMax / hostCount))
                            .withConnectionsMax(Math.max(1, connectionsMax / hostCount));
        }

        boolean isUnlimited() {
            return halfOpenMax == Integer.MAX_VALUE;
        }
    }

    /**
     * How peers that are gone, or that know nothing of a connection any more, are noticed where no data is on its way.
     *
     * @param keepAliveNanos how long the peer of a connection that it opened may be silent until it is asked whether it
     *     is there; 0 for never. One that does not answer within the user time-out, asked four times, is given up
     * @param idleTimeoutNanos how long no byte of a connection may move until it is ended; 0 for any time
     * @param resetsPerSecondMax how many frames of connections that the host does not have it answers with a reset, per
     *     second
     */
    public record Liveness(long keepAliveNanos, long idleTimeoutNanos, int resetsPerSecondMax) {
        /** For real ports: peers that opened a connection are asked after 15 s of silence. */
        public static final Liveness DEFAULT = new Liveness(15_000_000_000L, 0, 100);

        /**
         * Questions that a peer may leave without an answer. The gap after the first is {@link #firstGapNanos}, and
         * each next one is twice as long.
         */
        public static final int PROBES = 4;

        /** Nobody is asked, and nothing is answered: in virtual time, where nobody is forgotten. */
        public static final Liveness NONE = new Liveness(0, 0, 0);

        private static final int RESETS_PER_SECOND_MAX = 1_000_000;

        public Liveness {
            requireTimeout("keepAliveNanos", keepAliveNanos);
            requireTimeout("idleTimeoutNanos", idleTimeoutNanos);
            if (resetsPerSecondMax < 0 || resetsPerSecondMax > RESETS_PER_SECOND_MAX) {
                throw new ConfigException(
                        "resetsPerSecondMax=" + resetsPerSecondMax + " is outside 0 (none).." + RESETS_PER_SECOND_MAX);
            }
        }

        /** {@return how long a peer has to answer the first question} */
        public static long firstGapNanos(long userTimeoutNanos) {
            return userTimeoutNanos >> 3;
        }

        private static void requireTimeout(String name, long nanos) {
            if (nanos < 0) {
                throw new ConfigException(name + "=" + nanos + " must not be negative; 0 turns it off");
            }
        }
    }

    /** {@return a builder for a host with this address on a link of this rate; the rest is the default} */
    public static Builder builder(long mac, List<IpAddress> addresses, long linkRateBps) {
        return new Builder(mac, addresses, linkRateBps);
    }

    /** Collects what differs from the default. */
    public static final class Builder {

        private final long mac;
        private final List<IpAddress> addresses;
        private final long linkRateBps;
        private int mtuBytes = 1500;
        private HostLinkConfig memory;
        private CreditPortConfig credits;
        private Slack slack = Slack.NONE;
        private PauseBudget pauses = PauseBudget.NONE;
        private int connectionsMax = CONNECTIONS_MAX_DEFAULT;
        private int backlogMax = BACKLOG_MAX_DEFAULT;
        private Peers peers = Peers.UNLIMITED;
        private StreamLimits streams = StreamLimits.DEFAULT;
        private ConnectionTimers timers = ConnectionTimers.DEFAULT;
        private Liveness liveness = Liveness.NONE;
        private Payload payload = Payload.CARRIED;
        private ChecksumScope checksums = ChecksumScope.ALL;
        private Stamping stamping = Stamping.CALIBRATED;
        private long portRateBps;
        private int creditFramesMax = 1;
        private int headroomBytes;
        private int segmentBytesMax;
        private int flowLabel;

        private Builder(long mac, List<IpAddress> addresses, long linkRateBps) {
            this.mac = mac;
            this.addresses = addresses;
            this.linkRateBps = linkRateBps;
        }

        /** Sets the largest IP packet of the link. */
        public Builder mtuBytes(int value) {
            mtuBytes = value;
            return this;
        }

        /** Sets the way to other processes of this host; without it, or with null, there is none but the link. */
        public Builder memory(HostLinkConfig value) {
            memory = value;
            return this;
        }

        /** Sets how the link limits credits; without it, exactly, with 1 % left to frames without a credit. */
        public Builder credits(CreditPortConfig value) {
            credits = value;
            return this;
        }

        /** Sets how far coarse polling may shift departures. */
        public Builder slack(Slack value) {
            slack = value;
            return this;
        }

        /** Sets what the host may do about pauses of its driver. */
        public Builder pauses(PauseBudget value) {
            pauses = value;
            return this;
        }

        /** Sets the most connections, and of those the most half-open ones. */
        public Builder connections(int max, int halfOpenMax) {
            connectionsMax = max;
            backlogMax = halfOpenMax;
            return this;
        }

        /** Sets what one peer address may have; without it, all. */
        public Builder peers(Peers value) {
            peers = value;
            return this;
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

        /** Sets how peers that are gone are noticed; without it, by what waits for them alone. */
        public Builder liveness(Liveness value) {
            liveness = value;
            return this;
        }

        /** Sets whether frames have their payload with them, and checksums of IP and UDP: all or none. */
        public Builder payload(Payload value) {
            payload = value;
            checksums = value == Payload.ELIDED ? ChecksumScope.NONE : ChecksumScope.ALL;
            return this;
        }

        /** Sets which frames have checksums of IP and UDP. */
        public Builder checksums(ChecksumScope value) {
            checksums = value;
            return this;
        }

        /** Sets what is done so that delays can be measured. */
        public Builder stamping(Stamping value) {
            stamping = value;
            return this;
        }

        /** Sets the rate of the port's device; without it, or with 0, it is the link's. */
        public Builder portRateBps(long value) {
            portRateBps = value;
            return this;
        }

        /** Sets how many frames one credit may grant at most; without it, 1. */
        public Builder creditFramesMax(int value) {
            creditFramesMax = value;
            return this;
        }

        /** Sets what stays free before a data frame. */
        public Builder headroomBytes(int value) {
            headroomBytes = value;
            return this;
        }

        /** Sets the most payload of a data frame; without it, or with 0, what the MTU lets through. */
        public Builder segmentBytesMax(int value) {
            segmentBytesMax = value;
            return this;
        }

        /** Sets the flow label of frames over IPv6; without it, 0. */
        public Builder flowLabel(int value) {
            flowLabel = value;
            return this;
        }

        /** {@return the configuration} */
        public HostConfig build() {
            return new HostConfig(
                    mac,
                    addresses,
                    link(),
                    memory,
                    slack,
                    pauses,
                    connectionsMax,
                    backlogMax,
                    peers,
                    streams,
                    timers,
                    liveness,
                    payload,
                    checksums,
                    stamping,
                    creditFramesMax,
                    headroomBytes,
                    segmentBytesMax,
                    flowLabel);
        }

        private HostLinkConfig link() {
            return new HostLinkConfig(
                    mtuBytes,
                    linkRateBps,
                    portRateBps == 0 ? linkRateBps : portRateBps,
                    credits == null ? HostLinkConfig.exactCredits(mtuBytes, linkRateBps) : credits);
        }
    }
}
