package io.weir.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what holds for each sample without a network. */
class SamplesTest {
    private static final int LINES_MAX = 99;
    private static final int USAGE_STATUS = 2;

    @ParameterizedTest
    @ValueSource(strings = {"Echo", "Rpc", "FileTransfer", "NettyHttpServer", "GrpcGreeter", "JdbcQuery"})
    void source_lines_areFewerThanAHundred(String name) throws Exception {
        Path source = Path.of("src/main/java/io/weir/samples", name + ".java");
        int lines = Files.readAllLines(source).size();
        assertTrue(lines <= LINES_MAX, source + " has " + lines + " lines; " + LINES_MAX + " are allowed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Echo", "Rpc", "FileTransfer", "NettyHttpServer", "GrpcGreeter", "JdbcQuery"})
    void readme_hasItsCommands(String name) throws Exception {
        String readme = Files.readString(Path.of("../../README.md"));
        assertTrue(readme.contains("sample " + name + " server eth0"), name);
        assertTrue(readme.contains("sample " + name + " client eth0 10.0.0.2"), name);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Echo.class,
                Rpc.class,
                FileTransfer.class,
                NettyHttpServer.class,
                GrpcGreeter.class,
                JdbcQuery.class
            })
    void main_noArguments_printsTheUsage(Class<?> sample) throws Exception {
        try (ChildJvm program = ChildJvm.start(List.of(), sample)) {
            String usage = program.awaitLine("\0"); // which no line contains: all of them
            assertTrue(usage.startsWith("usage: " + sample.getSimpleName() + " server INTERFACE"), usage);
            assertEquals(USAGE_STATUS, program.terminate());
        }
    }
}
