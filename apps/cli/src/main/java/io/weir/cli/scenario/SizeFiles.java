package io.weir.cli.scenario;

import io.weir.cli.yaml.Nearest;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.scenario.SizeDistribution;
import io.weir.transport.scenario.workload.SizeDistributions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Where distributions of flow sizes are found: shipped with the program by name, or in a file next to the scenario. */
final class SizeFiles {
    private final FolderFiles files;

    /** Creates a look-up for files by their paths from the scenario's folder. */
    SizeFiles(FolderFiles files) {
        this.files = files;
    }

    /** {@return the distribution that a value names} */
    SizeDistribution read(YamlValue value) {
        String name = value.string();
        if (SizeDistributions.names().contains(name)) {
            return SizeDistributions.parse(name, shipped(name));
        }
        if (!FolderFiles.isFile(name)) {
            throw value.refused("there is no distribution \"" + name + "\"; "
                    + Nearest.to(name, SizeDistributions.names())
                            .map(near -> "did you mean \"" + near + "\"?")
                            .orElse("there are " + String.join(", ", SizeDistributions.names())
                                    + ", and files of your own, as in ./sizes.csv"));
        }
        String text = files.read(value, name, "use fewer points");
        return value.locate(() -> SizeDistributions.parse(name, text));
    }

    private static String shipped(String name) {
        try (InputStream resource = SizeDistributions.class.getResourceAsStream(SizeDistributions.resourceOf(name))) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
