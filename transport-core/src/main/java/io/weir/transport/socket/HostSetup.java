package io.weir.transport.socket;

import io.weir.pacer.CreditShape;
import io.weir.pacer.PauseBudget;
import io.weir.transport.host.HostConfig;
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

    private HostSetup() {}

    /** What a host knows of itself that is one of so many: limits and memory are shared out evenly. */
    static HostConfig of(TransportConfig config, NetInterface netInterface, int loopCount) {
        PortInfo info = netInterface.port().info();
        long linkRateBps = config.linkRateBps() > 0
                ? config.linkRateBps()
                : info.linkRateBps() > 0 ? info.linkRateBps() : Transport.LINK_RATE_BPS_ASSUMED;
        CreditShape shape = creditsOf(config, info.mtuBytes() + Ethernet.FRAMING_BYTES);
        List<IpAddress> addresses =
                netInterface.addresses().stream().map(IpAddress::of).toList();
        HostConfig.Streams streams =
                config.streams().within(Runtime.getRuntime().maxMemory() / 2).shared(loopCount);
        boolean isStamped = info.stamps().transmit() == StampSources.Source.HARDWARE;
        return HostConfig.builder(info.macAddress(), addresses, linkRateBps)
                .mtuBytes(info.mtuBytes())
                .memoryMtuBytes(memoryMtuBytes(netInterface, streams.receiveBufferBytes()))
                .credits(CreditPortConfig.exact(
                        linkRateBps, shape, config.creditlessPpm(), CreditSettings.DEFAULT.burstCredits()))
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
                .headroomBytes(isStamped ? STAMP_BYTES : 0)
                .build();
    }

    /** {@return which frames get checksums by an interface that says so of itself} */
    static ChecksumScope checksums(TransportConfig config, PortInfo info) {
        if (config.udpChecksums()) {
            return ChecksumScope.ALL;
        }
        return info.needsDataChecksums() ? ChecksumScope.ALL_ON_WIRES : ChecksumScope.NOT_ON_DATA;
    }

    /** Where a receive buffer holds no frame that is as long as memory takes, frames are shorter. */
    private static int memoryMtuBytes(NetInterface netInterface, int receiveBufferBytes) {
        int portBytes = netInterface.port().info().mtuBytes();
        return Math.max(portBytes, Math.min(netInterface.memoryMtuBytes(), receiveBufferBytes));
    }

    private static int share(int count, int loopCount) {
        return Math.max(1, count / loopCount);
    }

    /** The link meters credits of all flows, by the shape that the first protocol gives them that has one. */
    static CreditShape creditsOf(TransportConfig config, int dataWireBytesMax) {
        return Stream.concat(
                        config.protocols().stream(), Catalogue.KINDS.stream().map(ProtocolKind::usual))
                .map(protocol -> protocol.creditShape(dataWireBytesMax))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no protocol has credits"));
    }
}
