package io.weir.nic.dpdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link DpdkResidue}. */
class DpdkResidueTest {
    /** Greater than any number of a process on Linux. */
    private static final long NO_PROCESS = 1L << 40;

    private final long self = ProcessHandle.current().pid();

    @Test
    void clean_filesOfAProcessThatIsGone_areRemovedAndNoOthers(@TempDir Path folder) throws Exception {
        Files.createFile(
                Files.createDirectory(folder.resolve("weir-" + NO_PROCESS)).resolve("config"));
        Files.createFile(folder.resolve("weir-" + NO_PROCESS + "map_0"));
        Path own = Files.createDirectory(folder.resolve("weir-" + self));
        Path other = Files.createDirectory(folder.resolve("rte"));
        // More digits than any number has.
        Files.createFile(folder.resolve("weir-" + "9".repeat(30)));
        DpdkResidue.clean(folder);
        try (var files = Files.list(folder)) {
            assertEquals(3, files.count());
        }
        assertTrue(Files.exists(own));
        assertTrue(Files.exists(other));
    }

    @ParameterizedTest
    @CsvSource({
        "true, , , /var/run/dpdk",
        "true, , /run/user/0, /var/run/dpdk",
        "false, , /run/user/7, /run/user/7/dpdk",
        "false, , , /tmp/dpdk",
        "false, /run/mine, /run/user/7, /run/mine/dpdk",
        "true, /run/mine, , /run/mine/dpdk"
    })
    void runFolder_environment_isWhereDpdkMakesIt(boolean isRoot, String systemd, String user, String folder) {
        Map<String, String> environment = new HashMap<>();
        if (systemd != null) {
            environment.put("RUNTIME_DIRECTORY", systemd);
        }
        if (user != null) {
            environment.put("XDG_RUNTIME_DIR", user);
        }
        assertEquals(Path.of(folder), DpdkResidue.runFolder(environment, isRoot));
    }

    @Test
    void hugepageFolders_kernelsTable_areThoseOfHugetlbfs() {
        List<String> mounts = List.of(
                "tmpfs /tmp tmpfs rw 0 0",
                "hugetlbfs /dev/hugepages hugetlbfs rw,pagesize=2M 0 0",
                "none /mnt/huge hugetlbfs rw,pagesize=1024M 0 0",
                "damaged");
        assertEquals(List.of(Path.of("/dev/hugepages"), Path.of("/mnt/huge")), DpdkResidue.hugepageFolders(mounts));
    }

    @Test
    void cleanSocket_nobodyListens_removesItAndNoOther(@TempDir Path folder) throws Exception {
        Path socket = folder.resolve("memif.sock");
        DpdkConfig config = DpdkConfig.parse("device=net_memif0,role=server,socket-abstract=no,socket=" + socket);
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(socket));
            DpdkResidue.cleanSocket(config);
            assertTrue(Files.exists(socket));
        }
        // Closing leaves the file, as kill -9 does.
        DpdkResidue.cleanSocket(config);
        assertFalse(Files.exists(socket));
    }

    @Test
    void note_ofThisProcess_refusesAnotherAndGoesWithIt(@TempDir Path folder) throws Exception {
        DpdkResidue note = DpdkResidue.note(folder, "weirnone0");
        NicException e = assertThrows(NicException.class, () -> DpdkResidue.note(folder, "weirnone0"));
        assertTrue(e.getMessage().contains("in use by DPDK in process " + self), e.getMessage());
        note.close();
        assertFalse(Files.exists(folder.resolve("weirnone0")));
    }

    @Test
    void note_ofAProcessThatIsGone_isTakenOver(@TempDir Path folder) throws Exception {
        DpdkResidue other = DpdkResidue.note(folder, "weirnone1");
        Files.writeString(folder.resolve("weirnone0"), NO_PROCESS + " 5");
        DpdkResidue.note(folder, "weirnone0").close();
        // The number is another process's by now: it did not start then.
        Files.writeString(folder.resolve("weirnone0"), self + " 5");
        DpdkResidue.note(folder, "weirnone0").close();
        other.close();
        assertFalse(Files.exists(folder), "an empty folder stayed");
    }

    @Test
    void cleanNotes_namespaceAndProcessAreGone_removesThemAndNoOthers(@TempDir Path folder) throws Exception {
        Path run = folder.resolve("weir-dpdk");
        Path left = Files.createDirectories(run.resolve("4000000001"));
        Files.writeString(left.resolve("weir0"), NO_PROCESS + " 5");
        Path named = Files.createDirectories(run.resolve("4000000002"));
        Files.writeString(named.resolve("weir0"), NO_PROCESS + " 5");
        Path used = Files.createDirectories(run.resolve("4000000003"));
        Files.writeString(used.resolve("weir0"), Long.toString(self));
        Path empty = Files.createDirectories(run.resolve("4000000004"));
        DpdkResidue.cleanNotes(run, Set.of("4000000002"));
        assertFalse(Files.exists(left));
        assertFalse(Files.exists(empty));
        assertTrue(Files.exists(named.resolve("weir0")), "an interface there may still have the program");
        assertTrue(Files.exists(used.resolve("weir0")));
        DpdkResidue.cleanNotes(run, Set.of());
        assertFalse(Files.exists(named));
    }

    @Test
    void note_deviceWhoseArgumentIsAPath_leavesThatAlone(@TempDir Path folder) throws Exception {
        Path socket = folder.resolve("vhost");
        assertNull(DpdkResidue.note(DpdkConfig.parse("device=net_vhost0,iface=" + socket)));
        assertFalse(Files.exists(socket));
    }
}
