package io.weir.transport.host;

import io.weir.pacer.PauseBudget;
import io.weir.pacer.Slack;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.wire.ChecksumScope;
import io.weir.transport.wire.CreditHeader;
import io.weir.transport.wire.Ethernet;
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
        Streams streams,
        Timers timers,
        Liveness liveness,
        Payload payload,
        ChecksumScope checksums,
        Stamping stamping,
        int creditFramesMax,
        int headroomBytes) {

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
    }

    /** Refuses what a credit has no room for. */
    public static void requireCreditFrames(int creditFramesMax) {
        if (creditFramesMax < 1 || creditFramesMax > CreditHeader.FRAMES_MAX) {
            throw new ConfigException("creditFramesMax=" + creditFramesMax + " is outside 1.." + CreditHeader.FRAMES_MAX
                    + "; 1 is a credit per frame");
        }
    }

    private static void requireLink(HostLinkConfig link, List<IpAddress> addresses, Streams streams) {
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
                + ", headroomBytes=" + headroomBytes + "]";
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
     * What each connection's streams need.
     *
     * @param sendBufferBytes the most bytes kept until they are acknowledged
     * @param receiveBufferBytes the most bytes kept until they are read: the largest receive window
     * @param bufferBytesInitial where both of these limits start; they grow to the most while they are what slows a
     *     stream. Where it is not less than the most, the limits are fixed
     * @param memoryBytesMax the most memory that the buffers of all connections of a host hold together
     * @param gapsMax gaps that a stream may have while frames are missing
     * @param framesInFlightMax the most data frames of one stream in flight
     * @param ackFrames data frames that one protected acknowledgement may cover
     */
    public record Streams(
            int sendBufferBytes,
            int receiveBufferBytes,
            int bufferBytesInitial,
            long memoryBytesMax,
            int gapsMax,
            int framesInFlightMax,
            int ackFrames) {
        /** The most memory for buffers, unless a configuration says otherwise: 256 MiB. */
        public static final long MEMORY_BYTES_MAX_DEFAULT = 1L << 28;

        private static final int BUFFER_BYTES_MIN = 4096;
        private static final int BUFFER_BYTES_MAX = 1 << 30;
        private static final long MEMORY_BYTES_MIN = 1L << 16;
        private static final long MEMORY_BYTES_MAX = 1L << 36;
        private static final int GAPS_MAX = 1 << 16;
        private static final int FRAMES_IN_FLIGHT_MAX = 1 << 20;
        private static final int ACK_FRAMES_MAX = 1 << 15;

        /** Buffers of 256 KiB that do not grow, acknowledgements each 16 frames. */
        public static final Streams DEFAULT = fixed(1 << 18, 1 << 18);

        /**
         * Buffers of 16 KiB that grow to 1 MiB, for real ports. 16 KiB are the ten segments that a sender may start
         * with (RFC 6928); 1 MiB is what 2 Gbps carry in 4 ms, while a host is off its core. More lets a receiver make
         * credits that expire.
         */
        public static final Streams GROWING =
                fixed(1 << 20, 1 << 20).withBufferBytesInitial(1 << 14).withGapsMax(256);

        public Streams {
            requireBuffer("sendBufferBytes", sendBufferBytes);
            requireBuffer("receiveBufferBytes", receiveBufferBytes);
            requireBuffer("bufferBytesInitial", bufferBytesInitial);
            if (memoryBytesMax < MEMORY_BYTES_MIN || memoryBytesMax > MEMORY_BYTES_MAX) {
                throw new ConfigException("memoryBytesMax=" + memoryBytesMax + " is outside " + MEMORY_BYTES_MIN + ".."
                        + MEMORY_BYTES_MAX);
            }
            requireCount("gapsMax", gapsMax, GAPS_MAX);
            requireCount("framesInFlightMax", framesInFlightMax, FRAMES_IN_FLIGHT_MAX);
            requireCount("ackFrames", ackFrames, ACK_FRAMES_MAX);
        }

        /** {@return buffers that do not grow, and the usual limits of all else} */
        public static Streams fixed(int sendBufferBytes, int receiveBufferBytes) {
            return new Streams(
                    sendBufferBytes,
                    receiveBufferBytes,
                    Math.max(sendBufferBytes, receiveBufferBytes),
                    MEMORY_BYTES_MAX_DEFAULT,
                    64,
                    4096,
                    16);
        }

        private static void requireCount(String name, int count, int countMax) {
            if (count < 1 || count > countMax) {
                throw new ConfigException(name + "=" + count + " is outside 1.." + countMax);
            }
        }

        /** {@return the same with other limits to start with} */
        public Streams withBufferBytesInitial(int newBufferBytesInitial) {
            return new Streams(
                    sendBufferBytes,
                    receiveBufferBytes,
                    newBufferBytesInitial,
                    memoryBytesMax,
                    gapsMax,
                    framesInFlightMax,
                    ackFrames);
        }

        /** {@return the same with room for another number of gaps} */
        public Streams withGapsMax(int newGapsMax) {
            return new Streams(
                    sendBufferBytes,
                    receiveBufferBytes,
                    bufferBytesInitial,
                    memoryBytesMax,
                    newGapsMax,
                    framesInFlightMax,
                    ackFrames);
        }

        /** {@return the same with another number of frames in flight at most} */
        public Streams withFramesInFlightMax(int newFramesInFlightMax) {
            return new Streams(
                    sendBufferBytes,
                    receiveBufferBytes,
                    bufferBytesInitial,
                    memoryBytesMax,
                    gapsMax,
                    newFramesInFlightMax,
                    ackFrames);
        }

        /** {@return the same with another number of frames for an acknowledgement at most} */
        public Streams withAckFrames(int newAckFrames) {
            return new Streams(
                    sendBufferBytes,
                    receiveBufferBytes,
                    bufferBytesInitial,
                    memoryBytesMax,
                    gapsMax,
                    framesInFlightMax,
                    newAckFrames);
        }

        /** {@return the same with another limit of the memory for the buffers of all connections} */
        public Streams withMemoryBytesMax(long newMemoryBytesMax) {
            return new Streams(
                    sendBufferBytes,
                    receiveBufferBytes,
                    bufferBytesInitial,
                    newMemoryBytesMax,
                    gapsMax,
                    framesInFlightMax,
                    ackFrames);
        }

        /** {@return the same with at most {@code bytesMax} of memory, or the least possible; never with more} */
        public Streams within(long bytesMax) {
            return withMemoryBytesMax(Math.max(MEMORY_BYTES_MIN, Math.min(memoryBytesMax, bytesMax)));
        }

        /** {@return the same with the part of the memory that one of so many hosts has} */
        public Streams shared(int hostCount) {
            return within(memoryBytesMax / hostCount);
        }

        private static void requireBuffer(String name, int bytes) {
            if (bytes < BUFFER_BYTES_MIN || bytes > BUFFER_BYTES_MAX) {
                throw new ConfigException(
                        name + "=" + bytes + " is outside " + BUFFER_BYTES_MIN + ".." + BUFFER_BYTES_MAX);
            }
        }
    }

    /**
     * When to give up waiting.
     *
     * @param ackDelayNanos how long an acknowledgement may be held back
     * @param retransmitNanosInitial the retransmission time-out before the first round-trip time is known
     * @param retransmitNanosMin its lower bound
     * @param retransmitNanosMax its upper bound
     * @param userTimeoutNanos how long a connection with something to do waits without a frame from its peer
     * @param lingerNanos how long a closed connection still answers repetitions
     */
    public record Timers(
            long ackDelayNanos,
            long retransmitNanosInitial,
            long retransmitNanosMin,
            long retransmitNanosMax,
            long userTimeoutNanos,
            long lingerNanos) {
        private static final long MILLISECOND = 1_000_000L;
        /** An hour: sums of several time-outs and the clock are far from overflowing. */
        private static final long NANOS_MAX = 3_600_000 * MILLISECOND;

        /** For links of up to a few milliseconds: a data centre's, with hosts that lose their core at times. */
        public static final Timers DEFAULT = new Timers(
                MILLISECOND / 5,
                20 * MILLISECOND,
                2 * MILLISECOND,
                1_000 * MILLISECOND,
                10_000 * MILLISECOND,
                50 * MILLISECOND);

        /** Validates the order of the bounds. */
        public Timers {
            if (ackDelayNanos <= 0 || retransmitNanosMin <= 0 || lingerNanos <= 0) {
                throw new ConfigException("ackDelayNanos, retransmitNanosMin and lingerNanos must be positive");
            }
            if (retransmitNanosMin > retransmitNanosInitial
                    || retransmitNanosInitial > retransmitNanosMax
                    || retransmitNanosMax > userTimeoutNanos) {
                throw new ConfigException("retransmitNanosMin=" + retransmitNanosMin + " <= retransmitNanosInitial="
                        + retransmitNanosInitial + " <= retransmitNanosMax=" + retransmitNanosMax
                        + " <= userTimeoutNanos=" + userTimeoutNanos + " does not hold");
            }
            if (ackDelayNanos > NANOS_MAX || userTimeoutNanos > NANOS_MAX || lingerNanos > NANOS_MAX) {
                throw new ConfigException("ackDelayNanos=" + ackDelayNanos + ", userTimeoutNanos=" + userTimeoutNanos
                        + " or lingerNanos=" + lingerNanos + " is more than " + NANOS_MAX + " (an hour); give less");
            }
        }

        /** {@return what makes others, with the values of {@link #DEFAULT} until they are set} */
        public static Builder builder() {
            return DEFAULT.toBuilder();
        }

        /** {@return what makes others, with these values until they are set} */
        public Builder toBuilder() {
            return new Builder(this);
        }

        /** Timers by name. Their bounds are those of each other, so only {@link #build} looks at them. */
        public static final class Builder {
            // In nanoseconds; each written by its setter.
            private long ackDelayNanos;
            private long retransmitNanosInitial;
            private long retransmitNanosMin;
            private long retransmitNanosMax;
            private long userTimeoutNanos;
            private long lingerNanos;

            private Builder(Timers from) {
                ackDelayNanos = from.ackDelayNanos;
                retransmitNanosInitial = from.retransmitNanosInitial;
                retransmitNanosMin = from.retransmitNanosMin;
                retransmitNanosMax = from.retransmitNanosMax;
                userTimeoutNanos = from.userTimeoutNanos;
                lingerNanos = from.lingerNanos;
            }

            /** Sets how long an acknowledgement may be held back. */
            public Builder ackDelayNanos(long value) {
                ackDelayNanos = value;
                return this;
            }

            /** Sets the retransmission time-out before the first round-trip time is known. */
            public Builder retransmitNanosInitial(long value) {
                retransmitNanosInitial = value;
                return this;
            }

            /** Sets the lower bound of the retransmission time-out. */
            public Builder retransmitNanosMin(long value) {
                retransmitNanosMin = value;
                return this;
            }

            /** Sets the upper bound of the retransmission time-out. */
            public Builder retransmitNanosMax(long value) {
                retransmitNanosMax = value;
                return this;
            }

            /** Sets how long a connection with something to do waits without a frame from its peer. */
            public Builder userTimeoutNanos(long value) {
                userTimeoutNanos = value;
                return this;
            }

            /** Sets how long a closed connection still answers repetitions. */
            public Builder lingerNanos(long value) {
                lingerNanos = value;
                return this;
            }

            /**
             * {@return the timers}
             *
             * @throws ConfigException if a value is out of its range, or the bounds are not in their order
             */
            public Timers build() {
                return new Timers(
                        ackDelayNanos,
                        retransmitNanosInitial,
                        retransmitNanosMin,
                        retransmitNanosMax,
                        userTimeoutNanos,
                        lingerNanos);
            }
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
        private Streams streams = Streams.DEFAULT;
        private Timers timers = Timers.DEFAULT;
        private Liveness liveness = Liveness.NONE;
        private Payload payload = Payload.CARRIED;
        private ChecksumScope checksums = ChecksumScope.ALL;
        private Stamping stamping = Stamping.CALIBRATED;
        private long portRateBps;
        private int creditFramesMax = 1;
        private int headroomBytes;

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
        public Builder streams(Streams value) {
            streams = value;
            return this;
        }

        /** Sets when to give up waiting. */
        public Builder timers(Timers value) {
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
                    headroomBytes);
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
