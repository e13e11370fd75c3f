package io.weir.transport.testing;

import io.weir.pacer.RateMath;
import io.weir.transport.host.HostStack;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** A main class in a virtual machine with its own options, such as a small heap. */
public final class SmallJvm {
    private SmallJvm() {}

    /** {@return what it printed} It must end with status 0. */
    public static String run(String heapOption, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        List<String> options =
                List.of(heapOption, "-XX:+UseSerialGC", "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED");
        return run(options, main, arguments);
    }

    /** {@return what it printed, with these options of the virtual machine and no others} It must end with status 0. */
    public static String run(List<String> options, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-cp");
        command.addAll(List.of(classPath(main), main.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(main.getSimpleName() + " failed:\n" + output);
        }
        return output;
    }

    /** The places of the test's classes and of what they use, wherever a class loader has them from. */
    private static String classPath(Class<?> main) {
        StringBuilder path = new StringBuilder(System.getProperty("java.class.path"));
        for (Class<?> type : List.of(main, HostStack.class, RateMath.class, DirectBuffer.class)) {
            path.append(File.pathSeparator)
                    .append(Path.of(URI.create(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toString())));
        }
        return path.toString();
    }
}
