package io.weir.cli.switching;

import io.weir.cli.unit.Durations;
import io.weir.cli.unit.Fractions;
import io.weir.cli.unit.Rates;
import io.weir.cli.unit.Sizes;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.nic.xdp.RingSizes;
import io.weir.nic.xdp.XdpMode;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.credit.CreditModel;
import io.weir.transport.protocol.credit.CreditPortConfig.Drop;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.switching.EcnConfig;
import io.weir.transport.wire.Ethernet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The keys that describe a port, and how the value of each is read. */
final class PortKeys {
    static final PortKey<String> INTERFACE = new PortKey<>("interface", YamlValue::string);
    static final PortKey<List<Long>> ADDRESSES = new PortKey<>("addresses", PortKeys::addresses);
    static final PortKey<String> NAMESPACE = new PortKey<>("namespace", YamlValue::string);
    static final PortKey<List<Integer>> QUEUES = new PortKey<>("queues", PortKeys::queues);
    static final PortKey<XdpMode> MODE =
            new PortKey<>("mode", value -> value.choice(List.of(XdpMode.values()), PortKeys::word));
    static final PortKey<RingSizes> RINGS = new PortKey<>("rings", PortKeys::rings);
    static final PortKey<Long> RATE = new PortKey<>("rate", PortKeys::rate);
    static final PortKey<Integer> MTU =
            new PortKey<>("mtu", value -> (int) value.integer(PortKeys.MTU_BYTES_MIN, PortKeys.MTU_BYTES_MAX));
    static final PortKey<Long> DATA_QUEUE = new PortKey<>("dataQueue", PortKeys::size);
    static final PortKey<CreditSettings> CREDITS = new PortKey<>("credits", PortKeys::credits);
    static final PortKey<Optional<EcnConfig>> ECN = new PortKey<>("ecn", PortKeys::ecn);
    static final PortKey<LinkSettings> LINK = new PortKey<>("link", PortKeys::link);

    /** The keys that {@code defaults} may have. */
    static final List<PortKey<?>> SHARED =
            List.of(NAMESPACE, QUEUES, MODE, RINGS, RATE, MTU, DATA_QUEUE, CREDITS, ECN, LINK);
    /** The keys that a port may have. */
    static final List<PortKey<?>> ALL = concat(List.of(INTERFACE, ADDRESSES), SHARED);

    static final List<String> CREDIT_KEYS =
            List.of("model", "creditless", "burst", "queue", "drop", "smallest", "largest", "rate");
    static final List<String> ECN_KEYS = List.of("threshold", "min", "max", "probability");
    static final List<String> LINK_KEYS = List.of("emulate", "delay", "queue", "catchUp");

    /** The word that stands for a block that is turned off. */
    static final String OFF = "off";

    static final int MTU_BYTES_MIN = 576;
    /** What fits the largest slot that the kernel takes, 4096 bytes, after its headroom, an Ethernet header and a VLAN tag. */
    static final int MTU_BYTES_MAX = 3_822;

    private static final long RATE_BPS_MIN = 100_000;
    private static final long METER_RATE_BPS_MIN = 1_000;
    private static final int QUEUE_INDEX_MAX = 1_023;
    private static final int RING_FRAMES_MAX = 32_768;
    private static final long SIZE_BYTES_MAX = 1L << 30;
    private static final int CREDIT_BYTES_MIN = 84;
    private static final int CREDIT_BYTES_MAX = 1_538;
    private static final int CREDITS_MAX = 10_000;
    private static final long DELAY_NANOS_MAX = 10_000_000_000L;

    private PortKeys() {}

    /** {@return what the file calls a constant} */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static List<PortKey<?>> concat(List<PortKey<?>> first, List<PortKey<?>> second) {
        List<PortKey<?>> all = new ArrayList<>(first);
        all.addAll(second);
        return List.copyOf(all);
    }

    private static List<Long> addresses(YamlValue value) {
        List<Long> addresses = new ArrayList<>();
        for (YamlValue element : value.list()) {
            long address = element.parse(Ethernet::parse);
            if (Ethernet.isGroup(address)) {
                throw element.refused(
                        "\"" + element.text() + "\" is a group address; frames to groups go to every port");
            }
            if (addresses.contains(address)) {
                throw element.refused("\"" + element.text() + "\" is named twice");
            }
            addresses.add(address);
        }
        return List.copyOf(addresses);
    }

    private static List<Integer> queues(YamlValue value) {
        List<Integer> queues = new ArrayList<>();
        for (YamlValue element : value.list()) {
            int queue = (int) element.integer(0, QUEUE_INDEX_MAX);
            if (queues.contains(queue)) {
                throw element.refused("queue " + queue + " is named twice");
            }
            queues.add(queue);
        }
        if (queues.isEmpty()) {
            throw value.refused("the list is empty; name a queue, or leave the key out to take all");
        }
        return List.copyOf(queues);
    }

    private static RingSizes rings(YamlValue value) {
        int frames = (int) value.integer(1, RING_FRAMES_MAX);
        return value.parse(text -> RingSizes.ofAll(frames));
    }

    private static long rate(YamlValue value) {
        long rateBps = value.parse(Rates::parse);
        if (rateBps < RATE_BPS_MIN) {
            throw value.refused("\"" + value.text() + "\" is below 100kbps, the slowest link there is");
        }
        return rateBps;
    }

    private static long size(YamlValue value) {
        return atMost(value, value.parse(Sizes::parse), SIZE_BYTES_MAX, "1GiB");
    }

    private static long delay(YamlValue value) {
        return atMost(value, value.parse(Durations::parse), DELAY_NANOS_MAX, "10s");
    }

    private static long atMost(YamlValue value, long amount, long max, String maxText) {
        if (amount > max) {
            throw value.refused("\"" + value.text() + "\" exceeds " + maxText);
        }
        return amount;
    }

    private static CreditSettings credits(YamlValue value) {
        YamlMap block = value.map();
        block.allowOnly(CREDIT_KEYS);
        CreditModel model = block.find("model")
                .map(model0 -> model0.choice(List.of(CreditModel.values()), CreditModel::word))
                .orElse(CreditModel.EXACT);
        for (String key : CREDIT_KEYS) {
            if (!model.uses(key)) {
                block.find(key).ifPresent(unused -> {
                    throw unused.refused("means nothing with model: " + model.word() + "; leave it out");
                });
            }
        }
        int smallest = creditBytes(block, "smallest", CREDIT_BYTES_MIN, CreditSettings.SMALLEST_BYTES);
        int largest = creditBytes(block, "largest", smallest, Math.max(smallest, CreditSettings.LARGEST_BYTES));
        return new CreditSettings(
                model,
                block.find("creditless").map(PortKeys::creditless).orElse(CreditSettings.CREDITLESS_PPM),
                block.find("burst")
                        .map(burst -> (int) burst.integer(1, CREDITS_MAX))
                        .orElse(CreditSettings.BURST_CREDITS),
                block.find("queue")
                        .map(queue -> queue(queue, smallest, largest))
                        .orElse(CreditSettings.QUEUE_CREDITS),
                block.find("drop")
                        .map(drop -> drop.choice(List.of(Drop.values()), PortKeys::word))
                        .orElse(model == CreditModel.EXACT ? Drop.RANDOM : Drop.TAIL),
                smallest,
                largest,
                block.find("rate").map(PortKeys::meterRate).orElse(0L));
    }

    private static int creditBytes(YamlMap block, String key, int min, int fallback) {
        Optional<YamlValue> value = block.find(key);
        if (value.isEmpty()) {
            return fallback;
        }
        long bytes = value.get().parse(Sizes::parse);
        if (bytes < min || bytes > CREDIT_BYTES_MAX) {
            throw value.get()
                    .refused("\"" + value.get().text() + "\" is outside " + min + ".." + CREDIT_BYTES_MAX
                            + " bytes on the wire");
        }
        return (int) bytes;
    }

    private static int creditless(YamlValue value) {
        int ppm = value.parse(Fractions::parsePpm);
        if (ppm == 1_000_000) {
            throw value.refused("\"" + value.text() + "\" leaves nothing to credits; write less than 100%");
        }
        return ppm;
    }

    private static int queue(YamlValue value, int smallest, int largest) {
        int needed = (largest + smallest - 1) / smallest;
        int credits = (int) value.integer(1, CREDITS_MAX);
        if (credits < needed) {
            throw value.refused(credits + " (of " + smallest + " B) holds no credit of " + largest + " B; write "
                    + needed + " or more");
        }
        return credits;
    }

    private static long meterRate(YamlValue value) {
        long rateBps = value.parse(Rates::parse);
        if (rateBps < METER_RATE_BPS_MIN) {
            throw value.refused("\"" + value.text() + "\" is below 1kbps");
        }
        return rateBps;
    }

    private static Optional<EcnConfig> ecn(YamlValue value) {
        if (value.isScalar()) {
            return value.choice(List.of(Optional.<EcnConfig>empty()), none -> OFF);
        }
        YamlMap block = value.map();
        block.allowOnly(ECN_KEYS);
        Optional<YamlValue> threshold = block.find("threshold");
        if (threshold.isPresent()) {
            for (String key : List.of("min", "max", "probability")) {
                block.find(key).ifPresent(other -> {
                    throw other.refused("means nothing beside threshold; give threshold, or min, max and probability");
                });
            }
            return Optional.of(EcnConfig.step(size(threshold.get())));
        }
        long min = size(block.require("min"));
        long max = size(block.require("max"));
        if (max < min) {
            throw block.require("max")
                    .refused("\"" + block.require("max").text() + "\" is below min, \""
                            + block.require("min").text() + "\"");
        }
        return Optional.of(new EcnConfig(min, max, block.require("probability").parse(Fractions::parsePpm)));
    }

    private static LinkSettings link(YamlValue value) {
        YamlMap block = value.map();
        block.allowOnly(LINK_KEYS);
        boolean isEmulated = block.find("emulate").map(YamlValue::bool).orElse(false);
        if (!isEmulated) {
            for (String key : List.of("delay", "queue")) {
                block.find(key).ifPresent(PortKeys::refuseWithoutEmulation);
            }
        }
        return new LinkSettings(
                isEmulated,
                block.find("delay").map(PortKeys::delay).orElse(0L),
                block.find("queue").map(PortKeys::size).orElse(0L),
                block.find("catchUp").map(PortKeys::delay).orElse(LinkSettings.DEFAULT.catchUpNanos()));
    }

    private static ConfigException refuseWithoutEmulation(YamlValue value) {
        throw value.refused("means nothing unless the port plays the link; add emulate: true");
    }
}
