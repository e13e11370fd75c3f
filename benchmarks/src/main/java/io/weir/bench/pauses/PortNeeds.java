package io.weir.bench.pauses;

import io.weir.transport.protocol.PortPolicyConfig;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.peers.Ideal;
import io.weir.transport.protocol.peers.PhantomQueue;
import io.weir.transport.protocol.peers.RcpPort;
import io.weir.transport.protocol.tfc.TfcPort;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.switching.EcnConfig;

/**
 * What a protocol asks of the ports of its path: the marks and policies of its paper, by the rate of the link. Data
 * queues hold 250 of the largest frames for all.
 *
 * @param usual the protocol
 */
record PortNeeds(ProtocolConfig usual) {
    private static final long FRAME_BYTES = 1_538;
    private static final long GBPS = 1_000_000_000;

    static PortNeeds of(ProtocolConfig protocol) {
        return new PortNeeds(protocol);
    }

    /** {@return a link with such ports} */
    LinkTemplate link(long rateBps, long propagationNanos) {
        boolean isFast = rateBps > GBPS;
        PortSpec port = PortSpec.DEFAULT;
        port = switch (usual.id().name()) {
            // DCTCP, section 3.4: 20 packets at 1 Gbps, 65 at 10.
            case "dctcp" -> port.with(0, EcnConfig.step((isFast ? 65 : 20) * FRAME_BYTES));
            // DCQCN, section 4: the same shape at a tenth of its rate for a tenth of the queue.
            case "dcqcn" -> port.with(0, new EcnConfig(5_000, 200_000, 100_000));
            case "ccrp" -> port.with(0, new EcnConfig(5_000, 200_000, 10_000));
            // HULL, section 5: 1 KB per Gbps, and no less than two frames.
            case "hull" -> policy(port, phantom(isFast ? 15_000 : 2 * FRAME_BYTES));
            case "rcp" -> policy(port, RcpPort.PART.usual());
            case "tfc" -> policy(port, TfcPort.PART.usual());
            default -> port;
        };
        return new LinkTemplate(rateBps, propagationNanos, port);
    }

    private static PortPolicyConfig phantom(long thresholdBytes) {
        return PhantomQueue.PART.usual().with(PhantomQueue.THRESHOLD, thresholdBytes);
    }

    private static PortSpec policy(PortSpec port, PortPolicyConfig policy) {
        return port.withPolicies(policy);
    }

    /** {@return the protocol where the narrowest link has this rate, of which only an oracle knows} */
    ProtocolConfig protocol(long trunkBps) {
        return usual instanceof Settings settings && settings.kind() == Ideal.KIND
                ? settings.with(Ideal.TRUNK, trunkBps)
                : usual;
    }
}
