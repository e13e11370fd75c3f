package io.weir.cli.scenario;

import io.weir.cli.yaml.Amounts;
import io.weir.cli.yaml.PortBlocks;
import io.weir.cli.yaml.YamlKey;
import io.weir.cli.yaml.YamlLayer;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.scenario.PortSpec;
import io.weir.transport.scenario.topology.LinkTemplate;
import java.util.List;

/** The keys that describe a link and the ports at its ends. */
final class LinkKeys {
    static final YamlKey<Long> DELAY = new YamlKey<>("delay", Amounts::delay);
    static final YamlKey<Integer> MTU =
            new YamlKey<>("mtu", value -> (int) value.integer(LinkKeys.MTU_BYTES_MIN, LinkKeys.MTU_BYTES_MAX));

    /** The keys of a link. Those of a port are for both of its ends. */
    static final List<YamlKey<?>> LINK = PortBlocks.withParts(
            PortBlocks.RATE, DELAY, MTU, PortBlocks.DATA_QUEUE, PortBlocks.CREDITS, PortBlocks.ECN);
    /** The keys of one end of a link, at a switch. */
    static final List<YamlKey<?>> SWITCH_END =
            PortBlocks.withParts(PortBlocks.DATA_QUEUE, PortBlocks.CREDITS, PortBlocks.ECN);
    /** The keys of one end of a link, at a host: what it sends waits in its connections. */
    static final List<YamlKey<?>> HOST_END = List.of(PortBlocks.CREDITS);

    static final int MTU_BYTES_MIN = 576;
    static final int MTU_BYTES_MAX = 9_000;

    private static final long DELAY_NANOS = 1_000;

    private LinkKeys() {}

    /**
     * {@return the link that three layers describe: what is said of the link, and of each of its ends over that}
     *
     * @param place where a rate that is missing should be
     */
    static LinkTemplate template(YamlLayer link, YamlLayer lower, YamlLayer upper, YamlValue place) {
        if (link.place(PortBlocks.RATE).isEmpty()) {
            throw place.refused("the key \"rate\" is missing; give the rate of the links, as in rate: 10Gbps");
        }
        long rateBps = link.get(PortBlocks.RATE, 0L);
        int mtuBytes = link.get(MTU, LinkTemplate.MTU_BYTES);
        return new LinkTemplate(
                rateBps,
                link.get(DELAY, DELAY_NANOS),
                mtuBytes,
                port(lower, rateBps, mtuBytes),
                port(upper, rateBps, mtuBytes));
    }

    private static PortSpec port(YamlLayer layer, long rateBps, int mtuBytes) {
        long dataQueueBytes = PortBlocks.dataQueueBytes(layer, mtuBytes);
        CreditSettings credits = PortBlocks.credits(layer, rateBps);
        layer.place(PortBlocks.CREDITS).ifPresent(place -> place.locate(() -> credits.toConfig(rateBps, mtuBytes)));
        return new PortSpec(dataQueueBytes, credits, PortBlocks.ecn(layer, dataQueueBytes), PortBlocks.policies(layer));
    }
}
