package io.weir.transport.socket;

import io.weir.pacer.CreditShape;
import io.weir.pacer.PauseBudget;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.HostLinkConfig;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.node.PortInfo;
import io.weir.transport.node.StampSources;
import io.weir.transport.protocol.ProtocolKind;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.runtime.NetInterface;
import io.weir.transport.wire.ChecksumScope;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.IpAddress;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** What a transport's hosts know of themselves: its configuration, with what the interface tells. */
final class HostSetup {
    /** What ports want before a frame whose departure the device is to tell: 24 bytes, and even addresses. */
    private static final int STAMP_BYTES = 32;

    /** The rate of memory that processes share: more than a core copies, so that the interface's does not limit it. */
    static final long MEMORY_RATE_BPS = 100_000_000_000L;

    private HostSetup() {}

    /** The configuration of a host that is one of so many: limits and memory are shared out evenly. */
    static HostConfig of(TransportConfig config, NetInterface netInterface, int loopCount) {
        PortInfo info = netInterface.port().info();
        long linkRateBps = config.linkRateBps() > 0
                ? config.linkRateBps()
                : info.linkRateBps() > 0 ? info.linkRateBps() : Transport.LINK_RATE_BPS_ASSUMED;
        List<IpAddress> addresses =
                netInterface.addresses().stream().map(IpAddress::of).toList();
        StreamLimits streams =
                config.streams().within(Runtime.getRuntime().maxMemory() / 2).shared(loopCount);
        boolean isStamped = info.stamps().transmit() == StampSources.Source.HARDWARE;
        return HostConfig.builder(info.macAddress(), addresses, linkRateBps)
                .mtuBytes(info.mtuBytes())
                .memory(memory(config, netInterface.memoryMtuBytes(), streams.receiveBufferBytes()))
                .credits(credits(config, info.mtuBytes(), linkRateBps))
                .slack(config.slack())
                .pauses(new PauseBudget(
                        config.pauses().bytes() / loopCount, config.pauses().peerNanosMax()))
                .connections(share(config.connectionsMax(), loopCount), share(config.backlogMax(), loopCount))
                .peers(config.peers().shared(loopCount))
                .streams(streams)
                .timers(config.timers())
                .liveness(config.liveness())
                .stamping(config.stamping())
                .checksums(checksums(config, info))
                .creditFramesMax(config.creditFramesMax())
                .portRateBps(info.linkRateBps())
                .segmentBytesMax(config.segmentBytesMax())
                .flowLabel(config.flowLabel())
                .headroomBytes(isStamped ? STAMP_BYTES : 0)
                .build();
    }

    /** {@return which frames get checksums by an interface that reports so} */
    static ChecksumScope checksums(TransportConfig config, PortInfo info) {
        if (config.udpChecksums()) {
            return ChecksumScope.ALL;
        }
        return info.needsDataChecksums() ? ChecksumScope.ALL_ON_WIRES : ChecksumScope.NOT_ON_DATA;
    }

    /** The way to other processes: frames are shorter where a receive buffer holds none that memory would take. */
    private static HostLinkConfig memory(TransportConfig config, int memoryMtuBytes, int receiveBufferBytes) {
        if (memoryMtuBytes == 0) {
            return null;
        }
        int mtuBytes = Math.min(memoryMtuBytes, receiveBufferBytes);
        CreditPortConfig credits = credits(config, mtuBytes, MEMORY_RATE_BPS);
        return new HostLinkConfig(mtuBytes, MEMORY_RATE_BPS, MEMORY_RATE_BPS, credits);
    }

    /** How a link of this MTU and rate limits credits. */
    static CreditPortConfig credits(TransportConfig config, int mtuBytes, long rateBps) {
        CreditShape shape = creditShape(config, mtuBytes + Ethernet.FRAMING_BYTES);
        return CreditPortConfig.exact(rateBps, shape, config.creditlessPpm(), CreditSettings.DEFAULT.burstCredits());
    }

    private static int share(int count, int loopCount) {
        return Math.max(1, count / loopCount);
    }

    /** The link meters credits of all flows, by the shape that the first protocol gives them that has one. */
    private static CreditShape creditShape(TransportConfig config, int dataWireBytesMax) {
        return Stream.concat(
                        config.protocols().stream(), Catalogue.KINDS.stream().map(ProtocolKind::usual))
                .map(protocol -> protocol.creditShape(dataWireBytesMax))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no protocol has credits"));
    }
}
