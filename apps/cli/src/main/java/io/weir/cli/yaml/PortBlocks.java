package io.weir.cli.yaml;

import io.weir.cli.unit.QuantityPrinter;
import io.weir.transport.protocol.PartSettings;
import io.weir.transport.protocol.PortPart;
import io.weir.transport.protocol.PortPolicyConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.switching.EcnConfig;
import io.weir.transport.switching.SwitchPortConfig;
import io.weir.transport.wire.Ethernet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What stands at the end of a link, and whether its parts fit each other. */
public final class PortBlocks {
    /** The link's rate. */
    public static final YamlKey<Long> RATE = new YamlKey<>("rate", Amounts::linkRate);
    /** The capacity of the data queue. */
    public static final YamlKey<Long> DATA_QUEUE = new YamlKey<>("dataQueue", Amounts::size);
    /** How credits are limited. */
    public static final YamlKey<CreditSettings> CREDITS =
            new YamlKey<>(CreditSettings.KEY, value -> ParameterBlock.readAlone(value, CreditSettings.DEFAULT));
    /** When packets are marked. */
    public static final YamlKey<Optional<EcnConfig>> ECN = new YamlKey<>("ecn", EcnBlock::read);

    /** What protocols ask of ports, in the order in which they see frames. */
    public static final List<YamlKey<Optional<PartSettings>>> PARTS =
            Catalogue.portParts().stream().map(PortBlocks::key).toList();

    private PortBlocks() {}

    /** {@return the keys of a list of keys, with those of protocols after its {@code ecn}} */
    public static List<YamlKey<?>> withParts(YamlKey<?>... keys) {
        List<YamlKey<?>> all = new ArrayList<>();
        for (YamlKey<?> key : keys) {
            all.add(key);
            if (key.equals(ECN)) {
                all.addAll(PARTS);
            }
        }
        return List.copyOf(all);
    }

    private static YamlKey<Optional<PartSettings>> key(PortPart part) {
        return new YamlKey<>(
                part.key(),
                value -> value.isScalar()
                        ? value.choice(List.of(Optional.<PartSettings>empty()), none -> EcnBlock.OFF)
                        : Optional.of(ParameterBlock.readAlone(value, part.usual())));
    }

    /** {@return the capacity of the data queue, by default 250 of the largest frames} */
    public static long dataQueueBytes(YamlLayer layer, int mtuBytes) {
        int frameBytes = mtuBytes + Ethernet.FRAMING_BYTES;
        long bytes = layer.get(DATA_QUEUE, SwitchPortConfig.usualDataQueueBytes(mtuBytes));
        layer.place(DATA_QUEUE).ifPresent(place -> requireFrame(place, bytes, frameBytes));
        return bytes;
    }

    /** Refuses a queue that holds no frame of {@code frameBytes}. */
    public static void requireFrame(YamlValue place, long bytes, int frameBytes) {
        if (bytes < frameBytes) {
            throw place.refused(QuantityPrinter.size(bytes) + " holds no frame of " + frameBytes
                    + " B, the MTU with all framing; make it at least that");
        }
    }

    /** {@return when packets are marked, or null for never} */
    public static EcnConfig ecn(YamlLayer layer, long dataQueueBytes) {
        EcnConfig ecn = layer.get(ECN, Optional.empty()).orElse(null);
        if (ecn != null && ecn.minBytes() > dataQueueBytes) {
            throw layer.place(ECN)
                    .orElseThrow()
                    .refused("marking begins at " + QuantityPrinter.size(ecn.minBytes()) + ", which the data queue of "
                            + QuantityPrinter.size(dataQueueBytes) + " never holds; lower it or raise dataQueue");
        }
        return ecn;
    }

    /** {@return what protocols ask of a port} */
    public static List<PortPolicyConfig> policies(YamlLayer layer) {
        List<PortPolicyConfig> policies = new ArrayList<>();
        PARTS.forEach(key -> layer.get(key, Optional.empty()).ifPresent(policies::add));
        return policies;
    }

    /** Writes what protocols ask of a port as the file has it. */
    public static void putPolicies(Map<String, Object> port, List<PortPolicyConfig> policies) {
        PARTS.forEach(key -> port.put(key.name(), EcnBlock.OFF));
        for (PortPolicyConfig policy : policies) {
            if (policy instanceof PartSettings settings) {
                port.put(settings.part().key(), ParameterBlock.toDocument(settings));
            }
        }
    }

    /** {@return how credits are limited at a link of this rate} */
    public static CreditSettings credits(YamlLayer layer, long rateBps) {
        CreditSettings credits = layer.get(CREDITS, CreditSettings.DEFAULT);
        if (credits.rateBps() > rateBps) {
            throw layer.place(CREDITS)
                    .orElseThrow()
                    .refused("the meter's rate, " + QuantityPrinter.rate(credits.rateBps()) + ", exceeds the link's, "
                            + QuantityPrinter.rate(rateBps));
        }
        return credits;
    }
}
