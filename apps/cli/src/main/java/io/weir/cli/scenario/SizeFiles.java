package io.weir.cli.scenario;

import io.weir.cli.yaml.Nearest;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.scenario.SizeDistribution;
import io.weir.transport.scenario.workload.SizeDistributions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Where distributions of flow sizes are found: shipped with the program by name, or in a file beside the scenario. */
final class SizeFiles {
    private static final long FILE_BYTES_MAX = 1 << 20;

    private final Path folder;
    private final Set<Path> files = new LinkedHashSet<>();

    /** Creates a look-up for a scenario that is in {@code folder}. */
    SizeFiles(Path folder) {
        this.folder = folder;
    }

    /** {@return the distribution that a value names} */
    SizeDistribution read(YamlValue value) {
        String name = value.string();
        if (SizeDistributions.names().contains(name)) {
            return SizeDistributions.parse(name, shipped(name));
        }
        boolean isFile = name.contains("/") || name.contains(".");
        if (!isFile) {
            throw value.refused("there is no distribution \"" + name + "\"; "
                    + Nearest.to(name, SizeDistributions.names())
                            .map(near -> "did you mean \"" + near + "\"?")
                            .orElse("there are " + String.join(", ", SizeDistributions.names())
                                    + ", and files of your own, as in ./sizes.csv"));
        }
        Path file = folder.resolve(name).normalize();
        String text = text(value, file);
        if (file.startsWith(folder)) {
            files.add(file);
        }
        return value.locate(() -> SizeDistributions.parse(name, text));
    }

    /** {@return the files that were read and lie beside the scenario, so that a copy of it needs copies of them} */
    List<Path> files() {
        return List.copyOf(files);
    }

    private static String shipped(String name) {
        try (InputStream resource = SizeDistributions.class.getResourceAsStream(SizeDistributions.resourceOf(name))) {
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(YamlValue value, Path file) {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw value.refused("file " + file + " has more than " + FILE_BYTES_MAX + " bytes; use fewer points");
            }
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw value.refused("file " + file + " does not exist; give its path from the scenario's folder");
        } catch (CharacterCodingException e) {
            throw value.refused("file " + file + " is not UTF-8 text");
        } catch (IOException e) {
            throw value.refused("file " + file + " cannot be read: " + e.getMessage());
        }
    }
}
