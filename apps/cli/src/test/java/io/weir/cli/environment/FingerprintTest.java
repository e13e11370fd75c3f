package io.weir.cli.environment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.PortInfo;
import io.weir.transport.node.StampSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what results say about where they came from. */
class FingerprintTest {
    @Test
    void take_thisMachine_knowsItsKernelJavaAndCores() throws IOException {
        Fingerprint fingerprint = Fingerprint.take();
        String kernel = Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip();
        assertEquals(kernel, fingerprint.kernel());
        assertEquals(
                System.getProperty("java.runtime.version"), fingerprint.jdk().version());
        assertTrue(fingerprint.coreCount() >= 1);
        assertTrue(fingerprint.memoryBytes() > 1 << 20);
        assertNotEquals("", fingerprint.os());
    }

    @Test
    void take_portWithAReason_keepsIt() {
        PortInfo info = new PortInfo(
                "eth0", "afxdp", "generic/copy", "native: EOPNOTSUPP", StampSources.software("none"), 1, 1500, 0);
        Fingerprint fingerprint = Fingerprint.take(List.of(PortFingerprint.of(info, "virtio_net")), 7L);
        assertEquals(
                new PortFingerprint(
                        "eth0",
                        "afxdp",
                        "virtio_net",
                        "generic/copy",
                        "native: EOPNOTSUPP",
                        "receive software, transmit software (none)",
                        1500,
                        0,
                        null),
                fingerprint.ports().get(0));
        assertEquals(7L, fingerprint.seed());
    }

    @Test
    void valueIn_fileWithTheKey_isWhatFollowsTheSeparator(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("info"), "processor : 0\nmodel name\t: Fast: 3 GHz\n");
        assertEquals("Fast: 3 GHz", Fingerprint.valueIn(file, "model name", ":"));
        assertEquals("unknown", Fingerprint.valueIn(file, "flags", ":"));
        assertEquals("unknown", Fingerprint.valueIn(directory.resolve("none"), "flags", ":"));
    }

    @Test
    void buildInfo_thisBuild_hasAVersionThatTheBuildFilledIn() {
        BuildInfo build = BuildInfo.current();
        assertFalse(build.version().contains("$"), build.version());
        assertTrue(build.version().matches("[0-9]+\\.[0-9]+.*"), build.version());
        assertTrue(build.commit().matches("[0-9a-f]{7,40}(-dirty)?|unknown"), build.commit());
    }

    @Test
    void buildInfo_builtWithoutGit_saysUnknown() {
        assertEquals(new BuildInfo("1.2.3", "unknown"), BuildInfo.of("1.2.3", ""));
        assertEquals(new BuildInfo("unknown", "0123456789ab-dirty"), BuildInfo.of("", "0123456789ab-dirty\n"));
    }
}
