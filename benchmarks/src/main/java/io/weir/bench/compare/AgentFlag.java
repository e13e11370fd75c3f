package io.weir.bench.compare;

import io.weir.agent.WeirAgent;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The flag by which a program that knows nothing of Weir runs over it. */
final class AgentFlag {
    private AgentFlag() {}

    /** {@return the flag with these rules} */
    static String of(String rules) throws IOException {
        return "-javaagent:" + jar() + "=" + rules;
    }

    /**
     * {@return a file with rules that send what reaches the other end over Weir or nowhere}
     *
     * @param interfaceName the interface of one end
     * @param peer the address of the other
     */
    static Path writeRules(Path folder, String interfaceName, String peer, String protocol) throws IOException {
        String more = "interface=" + interfaceName + " protocol=" + protocol;
        return Files.writeString(
                folder.resolve("agent-" + interfaceName + "-" + protocol + ".conf"),
                "connect " + peer + " * weir " + more + "\nlisten * * weir " + more + "\n");
    }

    /** {@return a file with a rule that sends all to the kernel} */
    static Path writeKernelRules(Path folder) throws IOException {
        return Files.writeString(folder.resolve("agent-tcp.conf"), "both * * tcp\n");
    }

    /** {@return a file with a rule that sends over Weir what the other end takes by it, and the rest over TCP} */
    static Path writePreference(Path folder, String interfaceName) throws IOException {
        return Files.writeString(
                folder.resolve("agent-prefer.conf"), "connect * * prefer interface=" + interfaceName + "\n");
    }

    private static Path jar() throws IOException {
        try {
            Path jar = Path.of(WeirAgent.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (Files.isRegularFile(jar)) {
                return jar;
            }
            throw new IOException("the agent is no jar but " + jar + "; build with mvn package");
        } catch (URISyntaxException e) {
            throw new IOException("the agent's jar has no path", e);
        }
    }
}
