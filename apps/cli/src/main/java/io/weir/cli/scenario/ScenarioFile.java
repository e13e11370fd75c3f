package io.weir.cli.scenario;

import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlOverride;
import io.weir.cli.yaml.YamlTree;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.scenario.Fault;
import io.weir.transport.scenario.Measurement;
import io.weir.transport.scenario.Network;
import io.weir.transport.scenario.Scenario;
import io.weir.transport.scenario.Traffic;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.scenario.workload.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads the file that describes a scenario. Whatever is wrong is refused with its line, its key, the limit and the
 * remedy.
 */
public final class ScenarioFile {
    /** The keys of the file. */
    static final List<String> KEYS = List.of(
            "name",
            "description",
            "seed",
            "duration",
            "endsWhenDone",
            "tokens",
            "topology",
            "network",
            "protocol",
            "traffic",
            "faults",
            "measure",
            "criteria");

    private static final Pattern NAME = Pattern.compile("[!-~]([ -~]{0,98}[!-~])?");
    private static final long SEED = 1;

    private final YamlMap file;
    private final Path folder;
    private final FolderFiles files;

    private ScenarioFile(YamlMap file, Path folder) {
        this.file = file;
        this.folder = folder;
        this.files = new FolderFiles(folder);
    }

    /** {@return what {@code path} describes, with what the command line puts in place of its values} */
    public static ScenarioPlan read(Path path, List<YamlOverride> overrides) {
        YamlTree tree = YamlTree.read(path).with(overrides);
        Path folder = path.toAbsolutePath().getParent();
        return new ScenarioFile(tree.map(), folder).plan(defaultName(path), tree);
    }

    /** {@return the network of a scenario, or of a file that has nothing else} */
    public static Network readNetwork(Path path, List<YamlOverride> overrides) {
        YamlMap map = YamlTree.read(path).with(overrides).map();
        map.allowOnly(KEYS);
        return new ScenarioFile(map, path.toAbsolutePath().getParent()).network();
    }

    /** {@return what {@code text} describes; messages call it {@code name}} */
    public static ScenarioPlan parse(String name, String text, YamlOverride... overrides) {
        YamlTree tree = YamlTree.parse(name, text).with(List.of(overrides));
        return new ScenarioFile(tree.map(), Path.of("").toAbsolutePath()).plan(defaultName(Path.of(name)), tree);
    }

    private static String defaultName(Path path) {
        return path.getFileName().toString().replaceFirst("\\.ya?ml$", "");
    }

    private ScenarioPlan plan(String defaultName, YamlTree tree) {
        file.allowOnly(KEYS);
        long durationNanos = TimeBlock.positive(file.require("duration"));
        Network network = network();
        ProtocolConfig protocol =
                file.get("protocol", value -> ProtocolBlock.read(value, ProtocolBlock.usual()), ProtocolBlock.usual());
        TrafficBlock.Surroundings around =
                new TrafficBlock.Surroundings(network, new HostSelection(network), protocol, durationNanos, files);
        List<Traffic> traffic = TrafficBlock.read(file.require("traffic"), around);
        List<Fault> faults = file.get("faults", value -> FaultBlock.read(value, around), List.of());
        Scenario scenario = new Scenario(
                file.get("name", ScenarioFile::name, defaultName),
                file.get("description", YamlValue::text, "").strip(),
                file.get("seed", value -> value.integer(Long.MIN_VALUE, Long.MAX_VALUE), SEED),
                durationNanos,
                file.get("endsWhenDone", YamlValue::bool, false),
                network,
                traffic,
                faults,
                file.get("measure", value -> MeasureBlock.read(value, durationNanos), Measurement.SUMMARY),
                file.get("tokens", YamlValue::bool, true));
        file.require("traffic").locate(() -> new Workload(scenario, new Wiring(network)));
        return new ScenarioPlan(scenario, criteria(), tree.toYaml(), folder, files.files());
    }

    private static String name(YamlValue value) {
        String name = value.string();
        if (!NAME.matcher(name).matches()) {
            throw value.refused("\"" + name + "\" is no name; write 1 to 100 printable characters");
        }
        return name;
    }

    private Network network() {
        boolean isShape = file.find("topology").isPresent();
        if (isShape && file.find("network").isPresent()) {
            throw file.require("network").refused("means nothing next to topology; give either of the two");
        }
        if (!isShape && file.find("network").isEmpty()) {
            throw file.refused("a network is missing; give a topology, as in topology: {kind: star, hosts: 4, rate:"
                    + " 10Gbps}, or a network of hosts, switches and links");
        }
        PauseBlock pauses = new PauseBlock(files);
        return isShape
                ? TopologyBlock.read(file.require("topology"), pauses)
                : NetworkBlock.read(file.require("network"), pauses);
    }

    private List<StatedCriterion> criteria() {
        return file.get(
                "criteria",
                value -> value.list().stream().map(StatedCriterion::read).toList(),
                List.of());
    }
}
