package io.weir.cli.switching;

import io.weir.cli.unit.Rates;
import io.weir.cli.yaml.Amounts;
import io.weir.cli.yaml.PortBlocks;
import io.weir.cli.yaml.YamlKey;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.nic.dpdk.DpdkBackend;
import io.weir.nic.packet.PacketBackend;
import io.weir.nic.xdp.AfXdpBackend;
import io.weir.nic.xdp.RingSizes;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.runtime.XdpMode;
import io.weir.transport.switching.EcnConfig;
import io.weir.transport.wire.Ethernet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The keys that describe a port, and how the value of each is read. */
final class PortKeys {
    static final YamlKey<String> INTERFACE = new YamlKey<>("interface", YamlValue::string);
    static final YamlKey<List<Long>> ADDRESSES = new YamlKey<>("addresses", PortKeys::addresses);
    static final YamlKey<String> NAMESPACE = new YamlKey<>("namespace", YamlValue::string);
    static final YamlKey<String> BACKEND =
            new YamlKey<>("backend", value -> value.choice(PortKeys.BACKENDS, name -> name));
    static final YamlKey<List<Integer>> QUEUES = new YamlKey<>("queues", PortKeys::queues);
    static final YamlKey<XdpMode> MODE =
            new YamlKey<>("mode", value -> value.choice(List.of(XdpMode.values()), PortKeys::modeName));
    static final YamlKey<Boolean> COPY = new YamlKey<>("copy", YamlValue::bool);
    static final YamlKey<Optional<RingSizes>> RINGS = new YamlKey<>("rings", PortKeys::rings);
    static final YamlKey<Long> RATE = PortBlocks.RATE;
    static final YamlKey<Integer> MTU =
            new YamlKey<>("mtu", value -> (int) value.integer(PortKeys.MTU_BYTES_MIN, PortKeys.MTU_BYTES_MAX));
    static final YamlKey<Long> DATA_QUEUE = PortBlocks.DATA_QUEUE;
    static final YamlKey<Long> FLOOD_RATE = new YamlKey<>("floodRate", value -> value.parse(Rates::parse));
    static final YamlKey<CreditSettings> CREDITS = PortBlocks.CREDITS;
    static final YamlKey<Optional<EcnConfig>> ECN = PortBlocks.ECN;
    static final YamlKey<LinkSettings> LINK = new YamlKey<>("link", PortKeys::link);

    /** The keys that {@code defaults} may have. */
    static final List<YamlKey<?>> SHARED = PortBlocks.withParts(
            NAMESPACE, BACKEND, QUEUES, MODE, COPY, RINGS, RATE, MTU, DATA_QUEUE, FLOOD_RATE, CREDITS, ECN, LINK);
    /** The keys that a port may have. */
    static final List<YamlKey<?>> ALL = concat(List.of(INTERFACE, ADDRESSES), SHARED);

    /** The keys of ports by AF_XDP alone. */
    static final List<YamlKey<?>> XDP_ONLY = List.of(QUEUES, MODE, COPY, RINGS);

    static final List<String> LINK_KEYS = List.of("emulate", "delay", "queue", "catchUp", "pauseBudget");

    static final int MTU_BYTES_MIN = 576;
    static final int MTU_BYTES_MAX = 9_000;

    private static final List<String> BACKENDS = List.of(AfXdpBackend.NAME, PacketBackend.NAME, DpdkBackend.NAME);
    private static final int QUEUE_INDEX_MAX = 1_023;
    private static final int RING_FRAMES_MAX = 32_768;

    private PortKeys() {}

    /** {@return what the file calls a constant} */
    static String modeName(XdpMode mode) {
        return nameOf(mode).replace('_', '-');
    }

    static String nameOf(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static List<YamlKey<?>> concat(List<YamlKey<?>> first, List<YamlKey<?>> second) {
        List<YamlKey<?>> all = new ArrayList<>(first);
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

    private static Optional<RingSizes> rings(YamlValue value) {
        if (value.text().equals(SwitchFile.AUTO)) {
            return Optional.empty();
        }
        int frames = (int) value.integer(1, RING_FRAMES_MAX);
        return Optional.of(value.parse(text -> RingSizes.ofAll(frames)));
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
                block.find("delay").map(Amounts::delay).orElse(0L),
                block.find("queue").map(Amounts::size).orElse(0L),
                block.find("catchUp").map(Amounts::delay).orElse(LinkSettings.DEFAULT.catchUpNanos()),
                block.find("pauseBudget").map(Amounts::size).orElse(LinkSettings.DEFAULT.pauseBudgetBytes()));
    }

    private static ConfigException refuseWithoutEmulation(YamlValue value) {
        throw value.refused("means nothing unless the port plays the link; add emulate: true");
    }
}
