package io.weir.bench.command;

import io.weir.nic.net.NetNamespace;
import io.weir.transport.socket.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a further JVM with this one's class path, set up as ./weir sets up its own. */
public final class ChildCommand {
    private static final List<String> FLAGS = List.of(
            // As ./weir starts its JVM; all subjects have the same.
            "-XX:+UseSerialGC", "-Xms256m", "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
    /** What ./weir passes. */
    public static final String WEIR_FLAGS = "/io/weir/transport/jvm.args";

    private ChildCommand() {}

    /**
     * {@return the words of the command}
     *
     * @param namespace where it runs, or null for that of this process
     * @param flags further flags of the JVM
     */
    public static List<String> of(NetNamespace namespace, List<String> flags, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (namespace != null) {
            command.addAll(List.of("ip", "netns", "exec", namespace.name()));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return command;
    }

    /** {@return the flags in a resource such as {@link #WEIR_FLAGS}} */
    public static List<String> flagsIn(String resource) throws IOException {
        try (InputStream file = Transport.class.getResourceAsStream(resource)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith("-"))
                    .toList();
        }
    }
}
