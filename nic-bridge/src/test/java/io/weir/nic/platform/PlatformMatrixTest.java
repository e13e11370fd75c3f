package io.weir.nic.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.lab.LiveTest;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the trial on every kernel, processor and device of docs/PLATFORMS.md: nothing may be worse than there. With
 * {@code -Dweir.golden=write} it writes what it found. {@code -Dweir.platforms=BOOKWORM,NEWEST} runs these boots alone,
 * {@code -Dweir.devices=VETH,IGB} these devices.
 */
@LiveTest
@Tag("slow")
class PlatformMatrixTest {
    private static final boolean WRITES = "write".equals(System.getProperty("weir.golden"));

    static Stream<PlatformBoot> boots() {
        return Stream.of(PlatformBoot.values()).filter(boot -> isChosen("weir.platforms", boot.name()));
    }

    private static boolean isChosen(String property, String name) {
        String chosen = System.getProperty(property);
        return chosen == null || List.of(chosen.split(",", -1)).contains(name);
    }

    @ParameterizedTest
    @MethodSource("boots")
    void trial_everyDevice_isNoWorseThanTheTable(PlatformBoot boot, @TempDir Path folder) throws Exception {
        EmulatedMachine.requireInstalled();
        List<PlatformDevice> devices = boot.devices().stream()
                .filter(device -> isChosen("weir.devices", device.name()))
                .toList();
        List<PlatformCell> cells = new EmulatedMachine(boot, folder).tryDevices(devices);
        PlatformTable committed = PlatformTable.committed();
        if (WRITES) {
            committed.with(cells).write();
        } else {
            assertEquals(List.of(), committed.worse(cells));
        }
    }
}
