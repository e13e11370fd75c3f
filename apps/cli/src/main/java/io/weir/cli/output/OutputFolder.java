package io.weir.cli.output;

import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where {@code --out} puts files. */
public final class OutputFolder {
    private OutputFolder() {}

    /** Makes the folder if it is missing; refuses what is no folder. */
    public static void make(Path folder) throws IOException {
        try {
            Files.createDirectories(folder);
        } catch (FileAlreadyExistsException e) {
            throw new ConfigException("--out: " + folder + " is no folder; name another", e);
        }
    }
}
