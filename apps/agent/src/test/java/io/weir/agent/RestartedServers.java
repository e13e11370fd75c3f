package io.weir.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.interop.ServerProcess;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.boot.loader.launch.JarLauncher;

/**
 * A server of one kind, which can be started more than once: a Java program, or a relay at the host of one that is no
 * Java program.
 */
final class RestartedServers implements AutoCloseable {
    private static final String PORT = "7070";

    private final TwoHosts hosts;
    private final String client;
    private final String[] arguments;
    /** What a relay leads to, or null. */
    private final ServerProcess behind;
    /** The jar that is the program, or null. */
    private final Path fatJar;

    RestartedServers(String kind, TwoHosts hosts, Path folder) throws Exception {
        this.hosts = hosts;
        this.client = "use-" + kind;
        behind = switch (kind) {
            case "redis" -> ServerProcess.redis(folder, hosts.b());
            case "postgres" -> ServerProcess.postgres(folder, hosts.b());
            case "mariadb" -> ServerProcess.mariaDb(folder, hosts.b());
            case "rabbitmq" -> ServerProcess.rabbitMq(folder, hosts.b());
            default -> null;
        };
        String data = Files.createDirectories(folder.resolve("program")).toString();
        fatJar = kind.equals("fatjar") ? FatJar.make(folder) : null;
        arguments = behind != null
                ? new String[] {"relay", PORT, Integer.toString(behind.port())}
                : fatJar != null ? new String[] {PORT, data} : new String[] {kind.split("-", -1)[0], PORT, data};
    }

    private ChildJvm start(boolean hasAgent) throws Exception {
        String agent = hasAgent ? TwoHosts.INTERFACE : "";
        ChildJvm server = fatJar == null
                ? AgentJvm.start(hosts.b(), agent, ForeignPrograms.class, arguments)
                : AgentJvm.startFrom(hosts.b(), fatJar.toString(), agent, JarLauncher.class, arguments);
        said(server, "listening");
        return server;
    }

    /** {@return the line with this word, which a program that has failed does not say} */
    private static String said(ChildJvm program, String word) throws IOException {
        String line = program.awaitLine(word);
        assertTrue(line.startsWith(word), line);
        return line;
    }

    /** Has a client transfer, lose its server, and transfer again when that is back; it must go by the right ways. */
    void play(boolean ofClient, boolean before, boolean after) throws Exception {
        try (ChildJvm first = start(before);
                ChildJvm user = AgentJvm.start(
                        hosts.a(),
                        ofClient ? TwoHosts.INTERFACE : "",
                        ForeignPrograms.class,
                        client,
                        TwoHosts.ADDRESS_B,
                        PORT)) {
            requireWay(ofClient, before, said(user, "transferred"));
            first.kill();
            said(user, "lost");
            try (ChildJvm second = start(after)) {
                String ways = said(user, "recovered");
                requireWay(ofClient, after, ways.substring(ways.lastIndexOf(" | ") + 1));
                assertEquals(0, user.awaitEnd());
                second.kill();
            }
        }
    }

    private static void requireWay(boolean ofClient, boolean ofServer, String ways) {
        String wanted = !ofClient ? "without an agent" : ofServer ? "over Weir" : "over TCP";
        assertTrue(ways.contains(wanted), ways);
    }

    @Override
    public void close() {
        if (behind != null) {
            behind.close();
        }
    }
}
