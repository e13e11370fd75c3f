package io.weir.cli.scenario;

import io.weir.cli.yaml.YamlKey;
import io.weir.cli.yaml.YamlLayer;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.SwitchSpec;
import io.weir.transport.scenario.topology.LinkTemplate;
import io.weir.transport.scenario.topology.Wiring;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The network block: any hosts, switches and links. */
final class NetworkBlock {
    /** Its keys. */
    static final List<String> KEYS = List.of("hosts", "switches", "links", "defaults", "multipath");

    /** The keys of {@code defaults}, besides those of links. */
    static final List<String> DEFAULT_KEYS = List.of("host", "switch");

    /** The keys of a link, besides those of links in general. */
    static final List<String> LINK_KEYS = List.of("between", "left", "right");

    private static final String NAME = "name";

    private final YamlMap map;
    private final PauseBlock pauses;
    private final Map<String, HostSpec> hosts = new LinkedHashMap<>();
    private final Map<String, SwitchSpec> switches = new LinkedHashMap<>();
    private final Map<String, YamlValue> hostPlaces = new LinkedHashMap<>();
    private final List<LinkSpec> links = new ArrayList<>();
    private YamlLayer linkDefaults = YamlLayer.EMPTY;
    private YamlLayer hostDefaults = YamlLayer.EMPTY;
    private YamlLayer switchDefaults = YamlLayer.EMPTY;

    private NetworkBlock(YamlMap map, PauseBlock pauses) {
        this.map = map;
        this.pauses = pauses;
    }

    /** {@return the network that the block describes} */
    static Network read(YamlValue value, PauseBlock pauses) {
        return new NetworkBlock(value.map(), pauses).network(value);
    }

    private Network network(YamlValue place) {
        map.allowOnly(KEYS);
        map.find("defaults").ifPresent(this::readDefaults);
        map.require("hosts").list().forEach(this::addHosts);
        map.find("switches").ifPresent(this::readSwitches);
        map.require("links").list().forEach(this::addLinks);
        requireOneLinkEach();
        Network network = new Network(
                List.copyOf(hosts.values()), List.copyOf(switches.values()), links, TopologyBlock.multipath(map));
        Wiring wiring = place.locate(() -> new Wiring(network));
        requireOnePiece(wiring);
        return network;
    }

    private void readDefaults(YamlValue value) {
        YamlMap block = value.map();
        linkDefaults = new YamlLayer(block, LinkKeys.LINK, DEFAULT_KEYS, YamlLayer.EMPTY);
        hostDefaults =
                block.get("host", host -> new YamlLayer(host.map(), HostBlock.KEYS, YamlLayer.EMPTY), YamlLayer.EMPTY);
        switchDefaults = TopologyBlock.switches(block);
    }

    private void addHosts(YamlValue value) {
        YamlLayer layer = hostDefaults;
        YamlValue names = value;
        if (!value.isScalar()) {
            YamlMap block = value.map();
            layer = new YamlLayer(block, HostBlock.KEYS, List.of(NAME), hostDefaults);
            names = block.require(NAME);
        }
        for (String name : NodeNames.expand(names)) {
            requireNew(name, names);
            hosts.put(name, HostBlock.read(name, layer, value, pauses));
            hostPlaces.put(name, names);
        }
        if (hosts.size() > TopologyBlock.HOSTS_MAX) {
            throw names.refused("makes " + hosts.size() + " hosts; at most " + TopologyBlock.HOSTS_MAX + " can be had");
        }
    }

    private void readSwitches(YamlValue value) {
        for (YamlValue element : value.isScalar() ? List.of(value) : value.list()) {
            addSwitches(element);
        }
    }

    private void addSwitches(YamlValue value) {
        YamlLayer layer = switchDefaults;
        YamlValue names = value;
        if (!value.isScalar()) {
            YamlMap block = value.map();
            layer = new YamlLayer(block, TopologyBlock.SWITCH_KEYS, List.of(NAME), switchDefaults);
            names = block.require(NAME);
        }
        for (String name : NodeNames.expand(names)) {
            requireNew(name, names);
            switches.put(name, new SwitchSpec(name, HostBlock.pauses(layer, pauses)));
        }
    }

    private void requireNew(String name, YamlValue place) {
        if (NodeNames.WORDS.contains(name)) {
            throw place.refused(
                    "\"" + name + "\" stands for a group of hosts where hosts are named; choose another name");
        }
        if (hosts.containsKey(name) || switches.containsKey(name)) {
            throw place.refused("\"" + name + "\" is there already; give each host and switch another name");
        }
    }

    private void addLinks(YamlValue value) {
        YamlMap block = value.map();
        YamlLayer link = new YamlLayer(block, LinkKeys.LINK, LINK_KEYS, linkDefaults);
        NodeNames.LinkSelection ends = NodeNames.LinkSelection.read(block.require("between"), this::require);
        long count = links.size() + (long) ends.left().size() * ends.right().size();
        if (count > TopologyBlock.LINKS_MAX) {
            throw value.refused("makes " + count + " links; at most " + TopologyBlock.LINKS_MAX + " can be had");
        }
        for (String left : ends.left()) {
            for (String right : ends.right()) {
                if (left.equals(right)) {
                    throw ends.place().refused("leads from \"" + left + "\" to itself; name two different ends");
                }
                links.add(template(block, left, right, link, value).between(left, right));
            }
        }
    }

    private LinkTemplate template(YamlMap block, String left, String right, YamlLayer link, YamlValue place) {
        return LinkKeys.template(
                link,
                TopologyBlock.end(block, "left", endKeys(left), link),
                TopologyBlock.end(block, "right", endKeys(right), link),
                place);
    }

    private List<YamlKey<?>> endKeys(String node) {
        return hosts.containsKey(node) ? LinkKeys.HOST_END : LinkKeys.SWITCH_END;
    }

    private void require(NodeNames.Named named) {
        if (!hosts.containsKey(named.name()) && !switches.containsKey(named.name())) {
            throw named.place()
                    .refused("there is no host or switch \"" + named.name() + "\"; add it to hosts or to switches");
        }
    }

    private void requireOneLinkEach() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (LinkSpec link : links) {
            counts.merge(link.left(), 1, Integer::sum);
            counts.merge(link.right(), 1, Integer::sum);
        }
        hostPlaces.forEach((name, place) -> {
            int count = counts.getOrDefault(name, 0);
            if (count != 1) {
                throw place.refused("host \"" + name + "\" has " + count + " links; a host has exactly one"
                        + (count == 0 ? ": add it to links" : ": put a switch between"));
            }
        });
    }

    private void requireOnePiece(Wiring wiring) {
        Set<Integer> reached = reachable(wiring);
        for (int node = 0; node < wiring.hostCount(); node++) {
            if (!reached.contains(node)) {
                throw hostPlaces
                        .get(wiring.name(node))
                        .refused("host \"" + wiring.name(node) + "\" cannot be reached from \"" + wiring.name(0)
                                + "\"; join the parts of the network by a link");
            }
        }
    }

    /** {@return the Nodes that frames of the first host can get to, itself among them; hosts forward nothing} */
    private static Set<Integer> reachable(Wiring wiring) {
        Set<Integer> reached = new HashSet<>(Set.of(0));
        Deque<Integer> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            for (Wiring.Port port : wiring.ports(open.remove())) {
                if (reached.add(port.peer()) && !wiring.isHost(port.peer())) {
                    open.add(port.peer());
                }
            }
        }
        return reached;
    }
}
