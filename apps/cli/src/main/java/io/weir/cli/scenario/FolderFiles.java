package io.weir.cli.scenario;

import io.weir.cli.yaml.YamlValue;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The files that a scenario names, by their paths from its folder. */
final class FolderFiles {
    private static final long FILE_BYTES_MAX = 1 << 20;

    private final Path folder;
    private final Set<Path> files = new LinkedHashSet<>();

    /** Creates a look-up for a scenario that is in {@code folder}. */
    FolderFiles(Path folder) {
        this.folder = folder;
    }

    /** {@return whether a name is that of a file, and not of something that comes with Weir} */
    static boolean isFile(String name) {
        return name.contains("/") || name.contains(".");
    }

    /** {@return the text of the file that {@code value} names; {@code remedy} helps if it is too long} */
    String read(YamlValue value, String name, String remedy) {
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
