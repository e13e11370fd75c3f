package io.weir.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what holds for each sample without a network. */
class SamplesTest {
    private static final int LINES_MAX = 99;
    private static final int USAGE_STATUS = 2;

    @ParameterizedTest
    @ValueSource(strings = {"Echo", "Rpc", "FileTransfer", "NettyHttpServer", "GrpcGreeter", "JdbcQuery", "PlainHttp"})
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

    @Test
    void documents_haveTheCommandsOfTheProgramThatKnowsNothingOfWeir() throws Exception {
        String source = "apps/samples/src/main/java/io/weir/samples/PlainHttp.java";
        String agent = "java -javaagent:apps/agent/target/weir-agent.jar=eth0 " + source;
        for (String page : List.of("README.md", "docs/MOVE-A-SERVICE.md")) {
            String text = Files.readString(Path.of("../..", page));
            assertTrue(text.contains(agent + " server"), page);
            assertTrue(text.contains(agent + " client 10.0.0.2"), page);
        }
        String code = Files.readString(Path.of("../..", source));
        assertFalse(code.contains("import io.weir"), "it must know nothing of Weir");
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
