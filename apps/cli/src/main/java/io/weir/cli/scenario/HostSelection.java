package io.weir.cli.scenario;

import io.weir.cli.yaml.Nearest;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.scenario.HostSpec;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.SwitchSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which hosts of a network a part of a file means: {@code all}, a half of them, names, ranges, or a list of names and
 * ranges.
 */
final class HostSelection {
    private static final int NAMES_MAX = 100_000;

    private final Set<String> hosts;
    private final Set<String> switches;

    HostSelection(Network network) {
        hosts = network.hosts().stream().map(HostSpec::name).collect(Collectors.toCollection(LinkedHashSet::new));
        switches = network.switches().stream().map(SwitchSpec::name).collect(Collectors.toSet());
    }

    /** {@return every host} */
    List<String> all() {
        return List.copyOf(hosts);
    }

    /** {@return the hosts that the value names, in its order} */
    List<String> read(YamlValue value) {
        if (value.isScalar() && NodeNames.WORDS.contains(value.text())) {
            return group(value);
        }
        List<String> names = new ArrayList<>();
        for (YamlValue element : value.isScalar() ? List.of(value) : value.list()) {
            NodeNames.expand(element).forEach(name -> names.add(known(new NodeNames.Named(name, element))));
            if (names.size() > NAMES_MAX) {
                throw value.refused("the list names more than " + NAMES_MAX + " hosts, some of them again; shorten it");
            }
        }
        if (names.isEmpty()) {
            throw value.refused("the list is empty; name a host, a range or all");
        }
        return names;
    }

    private List<String> group(YamlValue value) {
        List<String> every = all();
        int half = every.size() / 2;
        if (value.text().equals(NodeNames.ALL)) {
            return every;
        }
        if (every.size() % 2 != 0) {
            throw value.refused("the network has " + every.size() + " hosts, which have no halves; name them");
        }
        return value.text().equals(NodeNames.FIRST_HALF) ? every.subList(0, half) : every.subList(half, 2 * half);
    }

    /** {@return the one host that the value names} */
    String readOne(YamlValue value) {
        return known(new NodeNames.Named(value.string(), value));
    }

    private String known(NodeNames.Named named) {
        String name = named.name();
        if (!hosts.contains(name)) {
            throw named.place()
                    .refused(
                            switches.contains(name)
                                    ? "\"" + name + "\" is a switch; name a host"
                                    : "there is no host \"" + name + "\"; " + remedy(name));
        }
        return name;
    }

    private String remedy(String name) {
        List<String> known = all();
        String whole = known.size() == 1
                ? "the network has only " + known.get(0)
                : "the network has " + known.size() + ", " + known.get(0) + " to " + known.get(known.size() - 1);
        boolean isNumbered = name.chars().anyMatch(Character::isDigit);
        return isNumbered
                ? whole
                : Nearest.to(name, known)
                        .map(near -> "did you mean \"" + near + "\"?")
                        .orElse(whole);
    }
}
