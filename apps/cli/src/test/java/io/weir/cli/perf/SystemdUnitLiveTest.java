package io.weir.cli.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.cli.WeirCommand;
import io.weir.nic.lab.LiveTest;
import io.weir.nic.lab.TwoHosts;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.ReadableClassPath;
import io.weir.transport.testing.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Has systemd itself start {@code docs/deploy/weir-service.service}: another one than the machine's, as the first
 * process with separate namespaces and this machine's files under a layer in memory.
 */
@LiveTest
class SystemdUnitLiveTest {
    private static final String UNIT = Document.root() + "/docs/deploy/weir-service.service";

    /**
     * Only the program of the unit is another one. No unit that the machine has enabled is started, and nothing of its
     * list of file systems is mounted. When the service ends, systemd does, and removes its control groups. It closes
     * its own output, hence the pipe.
     */
    private static final String SCRIPT = """
            set -e
            mount -t tmpfs tmpfs /media
            mkdir /media/changes /media/work /media/root
            mount -t overlay overlay -o lowerdir=/,upperdir=/media/changes,workdir=/media/work /media/root
            cd /media/root
            rm -rf etc/fstab etc/systemd/system/*.wants lib/systemd/system/*.wants/*
            sed "s|^ExecStart=.*|ExecStart=$*|" "$UNIT" >etc/systemd/system/service.service
            mkdir etc/systemd/system/service.service.d
            cat >etc/systemd/system/service.service.d/test.conf <<END
            [Unit]
            SuccessAction=exit-force
            FailureAction=exit-force
            [Service]
            Restart=no
            StandardOutput=file:/run/output
            BindReadOnlyPaths=$CLASSES
            END
            printf '[Unit]\\nWants=service.service\\nDefaultDependencies=no\\n' >etc/systemd/system/test.target
            mount -t proc proc proc
            mount -t sysfs sysfs sys
            mount -t tmpfs tmpfs run
            mkfifo run/output
            cat run/output &
            mount --rbind /dev dev
            mkdir old
            pivot_root . old
            umount -l old
            export container=weir
            exec /lib/systemd/systemd --system --unit=test.target --log-target=console --show-status=no
            """;

    private static final List<String> SYSTEMD = List.of(
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "--cgroup",
            "--ipc",
            "--uts",
            "sh",
            "-c",
            SCRIPT,
            "sh");

    @TempDir
    static Path folder;

    @Test
    void unit_startedBySystemd_movesCheckedBytesWithoutRoot() throws Exception {
        String classPath = ReadableClassPath.copyTo(folder);
        List<String> probe = new ArrayList<>(SYSTEMD);
        probe.add("/bin/true");
        Sandbox.assumeRuns(probe, Map.of("UNIT", UNIT, "CLASSES", folder.toString()));
        try (TwoHosts hosts = TwoHosts.create()) {
            List<String> systemd =
                    new ArrayList<>(List.of("ip", "netns", "exec", hosts.b().name()));
            systemd.addAll(List.of("env", "UNIT=" + UNIT, "CLASSES=" + folder));
            systemd.addAll(SYSTEMD);
            try (ChildJvm server = perf(systemd, classPath, "-s", "-1")) {
                String serving = server.awaitLine("Serving on port");
                assertTrue(serving.startsWith("Serving on port 5201 of weir0"), serving);
                assertNotEquals(0, userOfJava(server));
                List<String> inA = List.of("ip", "netns", "exec", hosts.a().name());
                try (ChildJvm client =
                        perf(inA, classPath, "-c", TwoHosts.ADDRESS_B, "-n", "5MB", "--verbose", "--verify", "3")) {
                    String verdict = client.awaitLine("SHA-256 of stream 0");
                    assertTrue(verdict.startsWith("met "), verdict);
                    assertEquals(0, client.awaitEnd());
                }
                assertEquals(0, server.awaitEnd());
            }
        }
    }

    private static ChildJvm perf(List<String> words, String classPath, String... options) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("perf", "--interface", TwoHosts.INTERFACE, "--link-rate", "1Gbps"));
        arguments.addAll(List.of(options));
        return ChildJvm.start(words, classPath, WeirCommand.class, arguments.toArray(String[]::new));
    }

    /** {@return the user that the JVM below it belongs to} */
    private static Object userOfJava(ChildJvm server) throws IOException {
        List<ProcessHandle> javas = ProcessHandle.of(server.processId())
                .orElseThrow()
                .descendants()
                .filter(process -> process.info().command().orElse("").endsWith("/java"))
                .toList();
        assertEquals(1, javas.size());
        return Files.getAttribute(Path.of("/proc", Long.toString(javas.get(0).pid())), "unix:uid");
    }
}
