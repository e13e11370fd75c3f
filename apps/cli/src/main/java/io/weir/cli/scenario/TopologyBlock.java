package io.weir.cli.scenario;

import io.weir.cli.yaml.YamlKey;
import io.weir.cli.yaml.YamlLayer;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.Network.Multipath;
import io.weir.transport.scenario.topology.LinkTemplate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The topology block: a network of one of the usual shapes. */
final class TopologyBlock {
    /** The keys that every shape has, besides those of links. */
    static final List<String> KEYS = List.of("kind", "multipath", "host", "switch");

    /** The ends of a layer's links: the nearer one to the hosts, and the other. */
    static final List<String> ENDS = List.of("lower", "upper");

    /** The keys of a switch but its name. */
    static final List<YamlKey<?>> SWITCH_KEYS = List.of(HostBlock.PAUSES);

    static final int COUNT_MAX = 10_000;
    static final int HOSTS_MAX = 20_000;
    static final int LINKS_MAX = 200_000;

    private final YamlValue place;
    private final YamlMap map;
    private final PauseBlock pauses;

    private TopologyBlock(YamlValue place, PauseBlock pauses) {
        this.place = place;
        this.map = place.map();
        this.pauses = pauses;
    }

    /** {@return the network that the block describes} */
    static Network read(YamlValue value, PauseBlock pauses) {
        return new TopologyBlock(value, pauses).network();
    }

    /** {@return which of several equal paths frames take, as {@code map} says} */
    static Multipath multipath(YamlMap map) {
        return map.get(
                "multipath",
                value -> value.choice(
                        List.of(Multipath.values()), choice -> choice.name().toLowerCase(Locale.ROOT)),
                Multipath.ECMP);
    }

    private Network network() {
        Shape shape = map.require("kind").choice(List.of(Shape.values()), Shape::keyword);
        List<String> others = new ArrayList<>(KEYS);
        others.addAll(shape.counts());
        others.addAll(shape.layers());
        YamlLayer base = new YamlLayer(map, LinkKeys.LINK, others, YamlLayer.EMPTY);
        Map<String, Integer> counts = counts(shape);
        HostSpec host = host();
        List<LinkTemplate> layers = new ArrayList<>();
        for (String name : shape.layers()) {
            layers.add(layer(name, base));
        }
        Network network = place.locate(() -> shape.build(counts, host, layers)).withMultipath(multipath(map));
        return network.withSwitchPauses(HostBlock.pauses(switches(map), pauses));
    }

    private Map<String, Integer> counts(Shape shape) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (String name : shape.counts()) {
            boolean isOptional =
                    name.equals(Shape.OVER_SUBSCRIPTION) && map.find(name).isEmpty();
            counts.put(name, isOptional ? 1 : (int) map.require(name).integer(1, COUNT_MAX));
        }
        long hosts = shape.hostCount(counts);
        if (hosts > HOSTS_MAX) {
            throw place.refused("makes " + hosts + " hosts of " + counts + "; at most " + HOSTS_MAX + " can be had");
        }
        long links = hosts + shape.trunkCount(counts);
        if (links > LINKS_MAX) {
            throw place.refused("makes " + links + " links of " + counts + "; at most " + LINKS_MAX + " can be had");
        }
        return counts;
    }

    private HostSpec host() {
        YamlLayer layer =
                map.get("host", value -> new YamlLayer(value.map(), HostBlock.KEYS, YamlLayer.EMPTY), YamlLayer.EMPTY);
        return HostBlock.read("host", layer, map.find("host").orElse(place), pauses);
    }

    /** {@return what is said of all switches} */
    static YamlLayer switches(YamlMap map) {
        return map.get("switch", value -> new YamlLayer(value.map(), SWITCH_KEYS, YamlLayer.EMPTY), YamlLayer.EMPTY);
    }

    private LinkTemplate layer(String name, YamlLayer base) {
        YamlValue at = map.find(name).orElse(place);
        if (map.find(name).isEmpty()) {
            return LinkKeys.template(base, base, base, at);
        }
        YamlMap block = at.map();
        YamlLayer link = new YamlLayer(block, LinkKeys.LINK, ENDS, base);
        boolean isHosts = name.equals(Shape.EDGE);
        return LinkKeys.template(
                link,
                end(block, ENDS.get(0), isHosts ? LinkKeys.HOST_END : LinkKeys.SWITCH_END, link),
                end(block, ENDS.get(1), LinkKeys.SWITCH_END, link),
                at);
    }

    /** {@return what is said of one end of a link, over what is said of the link} */
    static YamlLayer end(YamlMap block, String name, List<YamlKey<?>> keys, YamlLayer link) {
        return block.get(name, value -> new YamlLayer(value.map(), keys, link), link);
    }
}
