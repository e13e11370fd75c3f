package io.weir.agent;

import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts programs that know nothing of Weir, with the agent or without. */
final class AgentJvm {
    static final Path JAR = Path.of("target", "weir-agent.jar").toAbsolutePath();

    /** A program's, which has no class of the agent's. */
    private static final String CLASS_PATH = Stream.of(
                    System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry ->
                    !entry.equals(Path.of("target", "classes").toAbsolutePath().toString()))
            .collect(Collectors.joining(File.pathSeparator));

    private AgentJvm() {}

    /** {@return a program on a host; {@code agent} is the agent's argument, or empty for none} */
    static ChildJvm start(NetNamespace host, String agent, Class<?> main, String... arguments) throws IOException {
        return ChildJvm.start(launcher(host, agent), CLASS_PATH, main, arguments);
    }

    /** {@return as {@link #start}, a program with another class path} */
    static ChildJvm startFrom(NetNamespace host, String classPath, String agent, Class<?> main, String... arguments)
            throws IOException {
        return ChildJvm.start(launcher(host, agent), classPath, main, arguments);
    }

    /** {@return as {@link #start}, a program that computes for minutes} */
    static ChildJvm startOptimised(NetNamespace host, String agent, Class<?> main, String... arguments)
            throws IOException {
        return ChildJvm.startOptimised(
                launcher(host, agent), Path.of(System.getProperty("java.home")), CLASS_PATH, main, arguments);
    }

    /** {@return a program on another JDK, whose virtual threads have two threads to carry them, and never more} */
    static ChildJvm startOnTwoCarriers(NetNamespace host, Path javaHome, String agent, Class<?> main)
            throws IOException {
        List<String> launcher = launcher(host, agent);
        launcher.add("JDK_JAVA_OPTIONS=-Djdk.virtualThreadScheduler.parallelism=2"
                + " -Djdk.virtualThreadScheduler.maxPoolSize=2 --enable-native-access=ALL-UNNAMED");
        return ChildJvm.startOptimised(launcher, javaHome, CLASS_PATH, main);
    }

    private static List<String> launcher(NetNamespace host, String agent) {
        List<String> launcher = new ArrayList<>(List.of("ip", "netns", "exec", host.name()));
        if (!agent.isEmpty()) {
            // A head start that no busy machine uses up: what a test says does not depend on the time.
            launcher.addAll(
                    List.of("env", "WEIR_AGENT_HEAD_START=60000", "JAVA_TOOL_OPTIONS=-javaagent:" + JAR + "=" + agent));
        }
        return launcher;
    }
}
