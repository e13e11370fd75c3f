package io.weir.cli.scenario;

import io.weir.cli.yaml.YamlFile;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.scenario.SizeDistribution;
import io.weir.transport.scenario.workload.SizeDistributions;

/** Where distributions of flow sizes are found: shipped with the program by name, or in a file next to the scenario. */
final class SizeFiles {
    private static final FolderFiles.Kind KIND = new FolderFiles.Kind(
            "distribution",
            SizeDistributions.names(),
            name -> YamlFile.resource(SizeDistributions.class, SizeDistributions.resourceOf(name)),
            "sizes.csv",
            "use fewer points");

    private final FolderFiles files;

    /** Creates a look-up for files by their paths from the scenario's folder. */
    SizeFiles(FolderFiles files) {
        this.files = files;
    }

    /** {@return the distribution that a value names} */
    SizeDistribution read(YamlValue value) {
        String text = files.read(value, KIND);
        return value.locate(() -> SizeDistributions.parse(value.string(), text));
    }
}
