package io.weir.cli.switching;

import io.weir.cli.unit.QuantityPrinter;
import io.weir.cli.yaml.PortBlocks;
import io.weir.cli.yaml.YamlFile;
import io.weir.cli.yaml.YamlKey;
import io.weir.cli.yaml.YamlLayer;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.nic.dpdk.DpdkBackend;
import io.weir.nic.packet.PacketBackend;
import io.weir.nic.switching.SwitchInterface;
import io.weir.nic.xdp.AfXdpBackend;
import io.weir.nic.xdp.AfXdpConfig;
import io.weir.nic.xdp.RingSizes;
import io.weir.pacer.PauseBudget;
import io.weir.transport.protocol.credit.CreditPortConfig;
import io.weir.transport.protocol.credit.CreditSettings;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.XdpMode;
import io.weir.transport.switching.EcnConfig;
import io.weir.transport.switching.SwitchPortConfig;
import io.weir.transport.wire.Ethernet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the file that describes a switch. Whatever is wrong is refused with its line, its key, the limit and the
 * remedy.
 */
final class SwitchFile {
    /** Lets the switch count the frames that it needs. */
    static final String AUTO = "auto";

    /** The keys of the file. */
    static final List<String> KEYS = List.of("ports", "defaults", "seed", "frames", "idle");

    private static final List<IdleMode> IDLE_MODES = List.of(IdleMode.BUSY_SPIN, IdleMode.BACK_OFF);
    private static final int PORTS_MIN = 2;
    private static final int PORTS_MAX = 64;
    private static final int FRAMES_MIN = 128;
    private static final int MTU_BYTES = 1_500;
    private static final long SEED = 1;

    private SwitchFile() {}

    /** {@return the switch that {@code file} describes} */
    static SwitchPlan read(Path file) {
        return plan(YamlFile.read(file));
    }

    /** {@return the switch that {@code text} describes; messages call it {@code name}} */
    static SwitchPlan parse(String name, String text) {
        return plan(YamlFile.parse(name, text));
    }

    /** {@return what the file calls an idle mode} */
    static String nameOf(IdleMode mode) {
        return mode == IdleMode.BUSY_SPIN ? "spin" : "backoff";
    }

    private static SwitchPlan plan(YamlMap file) {
        file.allowOnly(KEYS);
        YamlLayer defaults = file.get(
                "defaults", block -> new YamlLayer(block.map(), PortKeys.SHARED, YamlLayer.EMPTY), YamlLayer.EMPTY);
        List<PortPlan> ports = ports(file.require("ports"), defaults);
        SwitchPlan plan = new SwitchPlan(
                ports,
                file.get("seed", seed -> seed.integer(Long.MIN_VALUE, Long.MAX_VALUE), SEED),
                0,
                file.get("idle", idle -> idle.choice(IDLE_MODES, SwitchFile::nameOf), IdleMode.BACK_OFF));
        int frameCount = file.get("frames", frames -> frameCount(frames, plan.slotBytes()), 0);
        return new SwitchPlan(ports, plan.seed(), frameCount, plan.idleMode());
    }

    private static int frameCount(YamlValue value, int slotBytes) {
        return value.text().equals(AUTO) ? 0 : (int) value.integer(FRAMES_MIN, Integer.MAX_VALUE / slotBytes);
    }

    private static List<PortPlan> ports(YamlValue value, YamlLayer defaults) {
        List<YamlValue> elements = value.list();
        if (elements.size() < PORTS_MIN || elements.size() > PORTS_MAX) {
            throw value.refused(
                    "a switch has " + PORTS_MIN + " to " + PORTS_MAX + " ports; the list has " + elements.size());
        }
        List<PortPlan> plans = new ArrayList<>();
        Map<String, Integer> indexes = new HashMap<>();
        for (YamlValue element : elements) {
            YamlMap map = element.map();
            YamlLayer layer = new YamlLayer(map, PortKeys.ALL, defaults);
            YamlValue name = map.require(PortKeys.INTERFACE.name());
            refuseOfOtherBackends(map, layer.get(PortKeys.BACKEND, AfXdpBackend.NAME));
            PortPlan plan = port(name, layer, element);
            Integer earlier = indexes.put(plan.name(), plans.size());
            if (earlier != null) {
                throw name.refused(
                        "\"" + plan.name() + "\" is port " + earlier + " already; give each port another interface");
            }
            plans.add(plan);
        }
        return plans;
    }

    private static PortPlan port(YamlValue name, YamlLayer layer, YamlValue place) {
        SwitchInterface netPort = netPort(name, layer);
        if (layer.place(PortKeys.RATE).isEmpty()) {
            throw place.refused("the key \"rate\" is missing; give the port's link rate, as in rate: 1Gbps, here or in"
                    + " defaults");
        }
        long rateBps = layer.get(PortKeys.RATE, 0L);
        int mtuBytes = layer.get(PortKeys.MTU, MTU_BYTES);
        long dataQueueBytes = PortBlocks.dataQueueBytes(layer, mtuBytes);
        LinkSettings link = layer.get(PortKeys.LINK, LinkSettings.DEFAULT);
        if (link.queueBytes() > 0) {
            PortBlocks.requireFrame(
                    layer.place(PortKeys.LINK).orElseThrow(), link.queueBytes(), mtuBytes + Ethernet.FRAMING_BYTES);
        }
        EcnConfig ecn = PortBlocks.ecn(layer, dataQueueBytes);
        CreditSettings credits = PortBlocks.credits(layer, rateBps);
        CreditPortConfig meter = credits.toConfig(rateBps, mtuBytes);
        SwitchPortConfig config = new SwitchPortConfig(
                rateBps,
                mtuBytes,
                dataQueueBytes,
                meter,
                ecn,
                floodRateBps(layer, rateBps),
                PortBlocks.policies(layer),
                link.toConfig(dataQueueBytes),
                PauseBudget.DEFAULT.withBytes(link.pauseBudgetBytes()));
        return new PortPlan(netPort, config, credits, layer.get(PortKeys.ADDRESSES, List.of()));
    }

    private static long floodRateBps(YamlLayer layer, long rateBps) {
        long floodRateBps = layer.get(PortKeys.FLOOD_RATE, SwitchPortConfig.usualFloodRateBps(rateBps));
        if (floodRateBps > rateBps) {
            throw layer.place(PortKeys.FLOOD_RATE)
                    .orElseThrow()
                    .refused(QuantityPrinter.rate(floodRateBps) + " exceeds the link's rate, "
                            + QuantityPrinter.rate(rateBps) + ", which means no limit; lower it");
        }
        return floodRateBps;
    }

    private static void refuseOfOtherBackends(YamlMap port, String backend) {
        if (!backend.equals(AfXdpBackend.NAME)) {
            for (YamlKey<?> key : PortKeys.XDP_ONLY) {
                port.find(key.name()).ifPresent(value -> {
                    throw value.refused("means nothing with backend: " + backend + "; leave it out");
                });
            }
        }
    }

    private static SwitchInterface netPort(YamlValue name, YamlLayer layer) {
        String namespace = layer.get(PortKeys.NAMESPACE, null);
        return switch (layer.get(PortKeys.BACKEND, AfXdpBackend.NAME)) {
            case PacketBackend.NAME -> new SwitchInterface.Packet(namespace, name.string());
            case DpdkBackend.NAME -> new SwitchInterface.Dpdk(namespace, name.string());
            default -> new SwitchInterface.Xdp(xdp(name, namespace, layer));
        };
    }

    private static AfXdpConfig xdp(YamlValue name, String namespace, YamlLayer layer) {
        return name.parse(interfaceName -> AfXdpConfig.switchPort(interfaceName)
                .namespace(namespace)
                .queues(layer.get(PortKeys.QUEUES, List.of()).stream()
                        .mapToInt(Integer::intValue)
                        .toArray())
                .mode(layer.get(PortKeys.MODE, XdpMode.AUTO))
                .ringSizes(
                        layer.get(PortKeys.RINGS, Optional.<RingSizes>empty()).orElse(null))
                .forceCopy(layer.get(PortKeys.COPY, false))
                .build());
    }
}
