package io.weir.cli.yaml;

import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads a YAML file into values that know their place in it. Nothing is ever constructed from a tag. */
public final class YamlFile {
    /** The most that a file may have. */
    public static final int BYTES_MAX = 1 << 20;

    private YamlFile() {}

    /** {@return the mapping that the file is} */
    public static YamlMap read(Path file) {
        return YamlTree.read(file).map();
    }

    /**
     * {@return the mapping that {@code text} is}
     *
     * @param name what messages call the file
     */
    public static YamlMap parse(String name, String text) {
        return YamlTree.parse(name, text).map();
    }

    /**
     * {@return the text of a file that comes with the program}
     *
     * @param owner a class of the module that has it
     * @param name its name, as {@link Class#getResourceAsStream} takes it
     */
    public static String resource(Class<?> owner, String name) {
        try (InputStream stream = owner.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("the program has no file " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the root of {@code text}} */
    static Node compose(String name, String text) {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(name)
                .setUseMarks(true)
                .setAllowRecursiveKeys(false)
                .setAllowNonScalarKeys(true) // to refuse them with their place
                .setCodePointLimit(BYTES_MAX)
                .build();
        Optional<Node> root;
        try {
            root = new Compose(settings).composeString(text);
        } catch (MarkedYamlEngineException e) {
            throw new ConfigException(name + place(e) + ": not YAML: " + e.getProblem(), e);
        } catch (YamlEngineException e) {
            throw new ConfigException(name + ": not YAML: " + e.getMessage(), e);
        }
        if (root.isEmpty()) {
            throw new ConfigException(name + ": the file is empty");
        }
        return root.get();
    }

    static String text(Path file) {
        byte[] bytes;
        try (InputStream input = Files.newInputStream(file)) {
            bytes = input.readNBytes(BYTES_MAX + 1);
        } catch (NoSuchFileException e) {
            throw new ConfigException("file " + file + " does not exist", e);
        } catch (IOException e) {
            throw new ConfigException("file " + file + " cannot be read: " + e.getMessage(), e);
        }
        if (bytes.length > BYTES_MAX) {
            throw new ConfigException("file " + file + " has more than " + BYTES_MAX + " bytes; make it shorter");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ConfigException("file " + file + " is not UTF-8 text", e);
        }
    }

    private static String place(MarkedYamlEngineException e) {
        return e.getProblemMark().or(e::getContextMark).map(YamlFile::place).orElse("");
    }

    static String place(Mark mark) {
        return ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1);
    }
}
