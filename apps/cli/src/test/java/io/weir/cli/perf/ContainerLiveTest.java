package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.cli.WeirCommand;
import io.weir.cli.environment.ExitCode;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.net.NetNamespace;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.ReadableClassPath;
import io.weir.transport.testing.Document;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the lines of {@code docs/deploy/Dockerfile} with podman. Instead of the built image it uses this machine's
 * files, under a layer in memory that takes every change; instead of the host's network a namespace.
 */
@LiveTest
@Tag("slow")
class ContainerLiveTest {
    private static final String DOCKERFILE = Document.read("docs/deploy/Dockerfile");

    /**
     * The layer, the documented {@code setcap}, and the engine, in namespaces that end with the first process. Limits
     * stay this machine's: the engine's own may be more than root can have.
     */
    private static final String SCRIPT = """
            set -e
            mount -t tmpfs tmpfs /media
            mkdir /media/changes /media/work /media/root /media/store /media/run
            mount -t overlay overlay -o lowerdir=/,upperdir=/media/changes,workdir=/media/work /media/root
            cp "$(command -v setpriv)" "/media/root$SETPRIV"
            setcap "$FILE_CAPABILITIES" "/media/root$SETPRIV"
            exec podman --root /media/store --runroot /media/run --storage-driver vfs --runtime runc \
                run --rm --ulimit nofile="$(ulimit -Hn):$(ulimit -Hn)" --ulimit nproc=4096:4096 \
                --volume "$CLASSES:$CLASSES:ro" "$@"
            """;

    private static final List<String> ENGINE =
            List.of("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", SCRIPT, "sh");

    @TempDir
    static Path folder;

    private static String classPath;

    private TwoHosts hosts;

    @BeforeAll
    static void prepare() throws Exception {
        for (String program : List.of("podman", "runc", "jq", "setcap")) {
            boolean isThere =
                    Stream.of("/usr/bin/", "/usr/sbin/").anyMatch(bin -> Files.isExecutable(Path.of(bin + program)));
            String remedy = program + " is missing; apt-get install podman runc jq libcap2-bin";
            assertTrue(isThere || !LiveTest.Rule.isRequired(), remedy);
            assumeTrue(isThere, remedy);
        }
        classPath = ReadableClassPath.copyTo(folder);
        List<String> probe = new ArrayList<>(ENGINE);
        probe.addAll(List.of("--network", "none", "--rootfs", "/media/root", "/bin/true"));
        Sandbox.assumeRuns(probe, variables());
    }

    @BeforeEach
    void open() throws IOException {
        hosts = TwoHosts.create();
    }

    @AfterEach
    void close() {
        hosts.close();
    }

    @Test
    void perf_inContainers_movesCheckedBytesWithoutRoot() throws Exception {
        String profile = makeProfile();
        try (ChildJvm server = start(hosts.b(), List.of("--security-opt", profile), "-s", "-1")) {
            String serving = server.awaitLine("Serving on port");
            assertTrue(serving.startsWith("Serving on port 5201 of weir0"), serving);
            List<String> options = List.of("--security-opt", profile);
            try (ChildJvm client =
                    start(hosts.a(), options, "-c", TwoHosts.ADDRESS_B, "-n", "5MB", "--verbose", "--verify", "3")) {
                String verdict = client.awaitLine("SHA-256 of stream 0");
                assertTrue(verdict.startsWith("met "), verdict);
                assertEquals(0, client.awaitEnd());
            }
            assertEquals(0, server.awaitEnd());
        }
    }

    @Test
    void perf_engineRefusesBpf_isToldThatAFilterIsOn() throws Exception {
        Path profile = folder.resolve("refusing.json");
        Files.writeString(profile, """
                {"defaultAction": "SCMP_ACT_ALLOW",
                 "syscalls": [{"names": ["bpf"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1}]}
                """);
        try (ChildJvm server = start(hosts.b(), List.of("--security-opt", "seccomp=" + profile), "-s", "-1")) {
            String line = server.awaitLine("EPERM");
            assertTrue(line.contains("seccomp"), line);
            assertEquals(ExitCode.ENVIRONMENT, server.awaitEnd());
        }
        assertEquals(0, TwoHosts.facts(hosts.b()).xdpProgramId());
    }

    /** {@return what the script is told of the file} */
    private static Map<String, String> variables() {
        return Map.of(
                "CLASSES",
                folder.toString(),
                "FILE_CAPABILITIES",
                matched("setcap (\\S+)"),
                "SETPRIV",
                matched("ENTRYPOINT \\[\"([^\"]*)\""));
    }

    /** {@return the option for the profile that the documented line makes} */
    private static String makeProfile() throws Exception {
        Process jq = new ProcessBuilder("sh", "-ec", matched("(?s)#   (jq .*? >seccomp\\.json)"))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(jq.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, jq.waitFor(), output);
        return matched("--security-opt (seccomp=)seccomp\\.json") + folder.resolve("seccomp.json");
    }

    private static ChildJvm start(NetNamespace namespace, List<String> options, String... arguments)
            throws IOException {
        List<String> words = new ArrayList<>(List.of("env"));
        variables().forEach((name, value) -> words.add(name + "=" + value));
        words.addAll(ENGINE);
        words.addAll(List.of(matched("(?s)#   docker run (.*?) service\n")
                .replace("--network host", "--network ns:/run/netns/" + namespace.name())
                .split("\\s+", -1)));
        words.addAll(options);
        words.addAll(List.of("--rootfs", "/media/root"));
        List<String> entry = new ArrayList<>();
        Matcher word = Pattern.compile("\"([^\"]*)\"").matcher(matched("(?s)ENTRYPOINT \\[(.*?)\\]"));
        while (word.find()) {
            entry.add(word.group(1));
        }
        words.addAll(entry.subList(0, entry.indexOf("java")));
        List<String> perf = new ArrayList<>(List.of("perf", "--interface", TwoHosts.INTERFACE, "--link-rate", "1Gbps"));
        perf.addAll(List.of(arguments));
        return ChildJvm.start(words, classPath, WeirCommand.class, perf.toArray(String[]::new));
    }

    /** {@return the first group of what the file has, on one line and without the marks of comments} */
    private static String matched(String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(DOCKERFILE);
        assertTrue(matcher.find(), pattern);
        return matcher.group(1).replaceAll("\\\\\n#?", " ");
    }
}
