package io.weir.nic.dpdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.nic.testing.ChildJvm;
import io.weir.nic.testing.ReadableClassPath;
import io.weir.transport.socket.Transport;
import io.weir.transport.socket.TransportConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What DPDK's files are while a process has a device, and that none is left after its end, a start that failed, or a
 * kill and the next start.
 */
@DpdkTest
@SuppressWarnings("try") // processes that are only there
class DpdkFilesLiveTest {
    private static final String USER = "61055";
    private static final String RING = "device=net_ring0;address=10.95.0.1/24;eal=" + DpdkTest.EAL;
    /** Other processes may share what this one has, so that DPDK needs files. */
    private static final String SHARED = RING + " --proc-type=primary";

    @TempDir
    private Path folder;

    /** {@return a process that has a device, with its files below {@link #folder}} */
    private ChildJvm start(List<String> launcher, String classPath, String device) throws IOException {
        List<String> command = new ArrayList<>(List.of("env", "RUNTIME_DIRECTORY=" + folder));
        command.addAll(launcher);
        ChildJvm process = ChildJvm.start(command, classPath, DpdkEcho.class, device);
        String line = process.awaitLine(DpdkEcho.READY);
        if (!line.equals(DpdkEcho.READY)) {
            process.close();
            throw new IOException(line);
        }
        return process;
    }

    private ChildJvm start(String device) throws IOException {
        return start(List.of(), System.getProperty("java.class.path"), device);
    }

    private static List<Path> in(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    /** {@return DPDK's files of a process, in the folder of it} */
    private List<Path> filesOf(ChildJvm process) throws IOException {
        return in(folder.resolve("dpdk/weir-" + process.processId()));
    }

    @Test
    void open_asDefault_leavesNoFileEvenWhileItRuns() throws Exception {
        try (ChildJvm process = start(RING)) {
            assertEquals(List.of(), in(folder.resolve("dpdk")));
            process.kill();
        }
        assertEquals(List.of(), in(folder.resolve("dpdk")));
    }

    @Test
    void end_filesThatOthersMayShare_goWithTheProcess() throws Exception {
        try (ChildJvm process = start(SHARED)) {
            assertNotEquals(List.of(), filesOf(process), "there is nothing to remove");
            process.terminate();
        }
        assertEquals(List.of(), in(folder.resolve("dpdk")));
    }

    @Test
    void kill_filesThatOthersMayShare_goWithTheNextStartAndThoseOfTheLivingStay() throws Exception {
        try (ChildJvm living = start(SHARED);
                ChildJvm killed = start(SHARED)) {
            killed.kill();
            assertNotEquals(List.of(), filesOf(killed), "there is nothing to remove");
            try (ChildJvm next = start(SHARED)) {
                assertEquals(List.of(), filesOf(killed));
                assertNotEquals(List.of(), filesOf(living), "the files of a process that runs are gone");
                next.terminate();
            }
            living.terminate();
        }
        assertEquals(List.of(), in(folder.resolve("dpdk")));
    }

    @Test
    void start_refused_leavesNoFile() throws Exception {
        // No machine has so much memory, which DPDK finds out after it has made its files.
        String device = "device=net_ring0;address=10.95.0.1/24;eal=--no-huge -m 500000000 --proc-type=primary";
        IOException e = assertThrows(IOException.class, () -> start(device).close());
        assertTrue(e.getMessage().contains("DPDK's environment does not start"), e.getMessage());
        assertEquals(List.of(), in(folder.resolve("dpdk")));
    }

    /** Users without root have another folder, which all of them may share. */
    @Test
    void kill_ofAnOrdinaryUser_goesWithTheUsersNextStart(@TempDir Path classes) throws Exception {
        String classPath = ReadableClassPath.copyTo(classes);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        List<String> launcher = List.of(
                "env",
                "-u",
                "RUNTIME_DIRECTORY",
                "XDG_RUNTIME_DIR=" + folder,
                "setpriv",
                "--reuid",
                USER,
                "--regid",
                USER,
                "--clear-groups",
                "--no-new-privs");
        try (ChildJvm killed = start(launcher, classPath, SHARED)) {
            assertNotEquals(List.of(), filesOf(killed), "there is nothing to remove");
            killed.kill();
        }
        assertNotEquals(List.of(), in(folder.resolve("dpdk")), "nothing stayed behind to clean up");
        try (ChildJvm next = start(launcher, classPath, RING)) {
            assertEquals(List.of(), in(folder.resolve("dpdk")));
        }
    }

    @Test
    void memifSocketWithAName_closeOrFailedOpenOrKill_leavesNone() throws Exception {
        Path socket = folder.resolve("memif.sock");
        String device = "device=net_memif0,role=server,id=0,socket-abstract=no,socket=" + socket
                + ";address=10.97.0.2/24;eal=" + DpdkTest.EAL;
        TransportConfig config =
                TransportConfig.builder().backend(DpdkBackend.NAME).build();
        try (Transport transport = Transport.open(device, config)) {
            assertTrue(Files.exists(socket), transport.portInfo().name());
        }
        assertFalse(Files.exists(socket), "closed, and the socket is there");
        assertThrows(NicException.class, () -> Transport.open(device + ";mtu=9000", config));
        assertFalse(Files.exists(socket), "not opened, and the socket is there");
        try (ChildJvm killed = start(device)) {
            killed.kill();
        }
        assertTrue(Files.exists(socket), "nothing stayed behind to clean up");
        Transport.open(device, config).close();
        assertFalse(Files.exists(socket), "closed, and the socket of the killed process is there");
    }
}
