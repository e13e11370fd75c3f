package io.weir.nic.dpdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.transport.wire.IpAddress;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link DpdkConfig}. */
class DpdkConfigTest {
    @Test
    void parse_file_isWhatItSays(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("port");
        Files.writeString(file, """
                # a comment
                device = 0000:03:00.0,txq_inline=0
                address = 10.0.0.1/24 fd00::1/64
                gateway = 10.0.0.254
                neighbour = 10.0.0.2@02:00:00:00:00:02
                eal = -l 1  -m 512
                mtu = 9000
                queues = 2
                """);
        DpdkConfig config = DpdkConfig.parse(file.toString());
        assertEquals("0000:03:00.0", config.deviceName());
        assertTrue(config.isPci());
        assertEquals("0", config.deviceArgument("txq_inline"));
        assertNull(config.deviceArgument("iface"));
        assertEquals(List.of("-l", "1", "-m", "512"), config.ealArguments());
        assertEquals(9000, config.mtuBytes());
        assertEquals(2, config.queueCountFor(1));
        assertEquals(0x02_00_00_00_00_02L, config.neighbours().get(address("10.0.0.2")));
        assertEquals(address("10.0.0.1"), config.sourceFor(address("10.0.0.7")));
        assertEquals(address("fd00::1"), config.sourceFor(address("fd77::7")));
        assertEquals(address("10.0.0.7"), config.nextHop(address("10.0.0.7")));
        assertEquals(address("10.0.0.254"), config.nextHop(address("10.0.1.7")));
        assertNull(config.nextHop(address("fd77::7")));
    }

    @Test
    void parse_fileWithoutAnEnd_isRefusedBySize() {
        NicException refused = assertThrows(NicException.class, () -> DpdkConfig.parse("/dev/zero"));
        assertTrue(refused.getMessage().contains("it has more than 1048576 bytes"), refused.getMessage());
    }

    @Test
    void parse_oneLine_isTheSameWithSemicolons() throws Exception {
        DpdkConfig config = DpdkConfig.parse("device=net_memif0,role=client,id=3;address=10.0.0.1/24");
        assertEquals("net_memif0", config.deviceName());
        assertFalse(config.isPci());
        assertEquals(1500, config.mtuBytes());
        assertEquals(0, config.queueCount());
        assertEquals(3, config.queueCountFor(3));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/nonexistent/file | cannot read /nonexistent/file",
                "address=10.0.0.1/24 | names no device; add device=",
                "device=net_ring0;adress=10.0.0.1/24 | has the key adress, which is none of address, device,",
                "device=net_ring0;address=10.0.0.1 | address=10.0.0.1 is no address with the bits of its network",
                "device=net_ring0;address=10.0.0.1/33 | address=10.0.0.1/33 is no address",
                "device=net_ring0;address=host/24 | address=host/24 is no address",
                "device=net_ring0;gateway=10.0 | gateway=10.0 is no address",
                "device=net_ring0;neighbour=10.0.0.1 | neighbour=10.0.0.1 is not like",
                "device=net_ring0;neighbour=10.0.0.1@02:00 | neighbour=10.0.0.1@02:00 is not like",
                "device=net_ring0;mtu=100 | mtu=100 is outside 576..15000",
                "device=net_ring0;queues=x | queues=x is outside 1..64",
            })
    void parse_unusable_isRefusedWithTheRemedy(String text, String message) {
        NicException e = assertThrows(NicException.class, () -> DpdkConfig.parse(text));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    @Test
    void environment_nothingAskedFor_leavesNoFilesAndTakesNoDevices() throws Exception {
        assertEquals(
                List.of(
                        "weir",
                        "--lcores=0@(0-3)",
                        "--no-telemetry",
                        "--no-pci",
                        "--iova-mode=va",
                        "--file-prefix=weir-77",
                        "--in-memory"),
                environment("device=net_memif0"));
        assertEquals(
                List.of(
                        "weir",
                        "--lcores=0@(0-3)",
                        "--no-telemetry",
                        "-a",
                        "0000:03:00.0",
                        "--file-prefix=weir-77",
                        "--in-memory"),
                environment("device=0000:03:00.0"));
    }

    @Test
    void environment_argumentsGiven_areNotContradicted() throws Exception {
        assertEquals(
                List.of(
                        "weir",
                        "-l1",
                        "--no-huge",
                        "-m",
                        "512",
                        "--file-prefix",
                        "mine",
                        "--iova-mode=pa",
                        "--telemetry",
                        "--no-pci",
                        "--no-shconf"),
                environment(
                        "device=net_memif0;eal=-l1 --no-huge -m 512 --file-prefix mine --iova-mode=pa --telemetry --no-pci"));
    }

    @Test
    void environment_argumentThatEndsTheProcess_isRefused() throws Exception {
        DpdkConfig config = DpdkConfig.parse("device=net_memif0;eal=--help");
        assertThrows(NicException.class, () -> config.environment(77, "0-3"));
    }

    private static List<String> environment(String text) throws NicException {
        return DpdkConfig.parse(text).environment(77, "0-3");
    }

    @Test
    void requireUsableDevice_kernelHasIt_saysHowToTakeIt(@TempDir Path devices) throws Exception {
        DpdkConfig config = DpdkConfig.parse("device=0000:03:00.0");
        assertRefused(config, devices, "there is no PCI device 0000:03:00.0");
        Path device = Files.createDirectories(devices.resolve("0000:03:00.0"));
        assertRefused(config, devices, "bound to no driver");
        Path drivers = Files.createDirectories(devices.resolve("drivers"));
        Path link = device.resolve("driver");
        Files.createSymbolicLink(link, Files.createDirectory(drivers.resolve("ixgbe")));
        assertRefused(config, devices, "bound to the kernel's driver ixgbe; give it to programs: dpdk-devbind.py");
        Files.delete(link);
        Files.createSymbolicLink(link, Files.createDirectory(drivers.resolve("vfio-pci")));
        config.requireUsableDevice(devices);
    }

    private static void assertRefused(DpdkConfig config, Path devices, String message) {
        NicException e = assertThrows(NicException.class, () -> config.requireUsableDevice(devices));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    @Test
    void freeHugepageBytes_severalSizes_areAddedUp(@TempDir Path folder) throws Exception {
        Files.writeString(
                Files.createDirectory(folder.resolve("hugepages-2048kB")).resolve("free_hugepages"), "3\n");
        Files.writeString(
                Files.createDirectory(folder.resolve("hugepages-1048576kB")).resolve("free_hugepages"), "1\n");
        assertEquals(3L * (2 << 20) + (1L << 30), DpdkConfig.freeHugepageBytes(folder));
        assertEquals(0, DpdkConfig.freeHugepageBytes(folder.resolve("none")));
    }

    private static InetAddress address(String text) {
        return IpAddress.parse(text).toInetAddress();
    }
}
