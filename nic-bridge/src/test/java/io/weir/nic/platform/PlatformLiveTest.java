package io.weir.nic.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.nic.lab.LiveTest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests Weir's ports on a kernel and a device that are not those of this machine. */
@LiveTest
class PlatformLiveTest {
    @Test
    void trial_kernel61AndVirtioNet_everyStagePassesBothWays(@TempDir Path folder) throws Exception {
        EmulatedMachine.requireInstalled();
        List<PlatformCell> cells =
                new EmulatedMachine(PlatformBoot.BOOKWORM, folder).tryDevices(List.of(PlatformDevice.VIRTIO_NET));
        assertEquals(List.of(), PlatformTable.committed().worse(cells));
        PlatformCell cell = cells.get(0);
        assertEquals("6.1", cell.kernel());
        assertEquals("native/copy", cell.rung());
        assertEquals("all " + PlatformTrial.stages(TrialWay.AF_XDP).size(), cell.xdp());
        assertEquals("all " + PlatformTrial.stages(TrialWay.AF_PACKET).size(), cell.packet());
    }
}
