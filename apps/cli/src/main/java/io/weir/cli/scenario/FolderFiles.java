package io.weir.cli.scenario;

import io.weir.cli.yaml.Nearest;
import io.weir.cli.yaml.YamlFile;
import io.weir.cli.yaml.YamlValue;
import io.weir.transport.scenario.SizeDistribution;
import io.weir.transport.scenario.workload.SizeDistributions;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The files that a scenario names, by their paths from its folder. */
final class FolderFiles {
    private static final long FILE_BYTES_MAX = 1 << 20;
    private static final Kind SIZES = new Kind(
            "distribution",
            SizeDistributions.names(),
            name -> YamlFile.resource(SizeDistributions.class, SizeDistributions.resourceOf(name)),
            "sizes.csv",
            "use fewer points");

    private final Path folder;
    private final Set<Path> files = new LinkedHashSet<>();

    /** Creates a look-up for a scenario that is in {@code folder}. */
    FolderFiles(Path folder) {
        this.folder = folder;
    }

    /**
     * Texts that come with Weir, next to files of the same kind.
     *
     * @param noun what messages call one
     * @param names their names
     * @param resource reads one by its name
     * @param example a file that a user might have
     * @param remedy what helps if a file is too long
     */
    record Kind(String noun, Collection<String> names, UnaryOperator<String> resource, String example, String remedy) {}

    /** {@return the distribution of flow sizes that a value names: one that comes with Weir, or a file} */
    SizeDistribution sizes(YamlValue value) {
        String text = read(value, SIZES);
        return value.locate(() -> SizeDistributions.parse(value.string(), text));
    }

    /** {@return the text that {@code value} names: one that comes with Weir, or a file} */
    String read(YamlValue value, Kind kind) {
        String name = value.string();
        if (kind.names().contains(name)) {
            return kind.resource().apply(name);
        }
        if (!name.contains("/") && !name.contains(".")) {
            throw value.refused("there is no " + kind.noun() + " \"" + name + "\"; "
                    + Nearest.to(name, kind.names())
                            .map(near -> "did you mean \"" + near + "\"?")
                            .orElse("there are " + String.join(", ", kind.names()) + ", and your files, as in ./"
                                    + kind.example()));
        }
        return read(value, name, kind.remedy());
    }

    private String read(YamlValue value, String name, String remedy) {
        Path file = folder.resolve(name).normalize();
        String text = text(value, file, remedy);
        if (file.startsWith(folder)) {
            files.add(file);
        }
        return text;
    }

    /** {@return the files that were read and lie next to the scenario, so that a copy of it needs copies of them} */
    List<Path> files() {
        return List.copyOf(files);
    }

    private static String text(YamlValue value, Path file, String remedy) {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw value.refused("file " + file + " has more than " + FILE_BYTES_MAX + " bytes; " + remedy);
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
