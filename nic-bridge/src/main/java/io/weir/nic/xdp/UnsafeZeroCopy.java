package io.weir.nic.xdp;

import io.weir.nic.net.KernelVersion;
import java.util.List;

/**
 * Drivers whose zero-copy is known to do harm, each with a public source. Their ports copy, unless {@link
 * io.weir.transport.runtime.XdpMode#ZERO_COPY} is asked for. To add one, also add its row to docs/PLATFORMS.md.
 */
final class UnsafeZeroCopy {
    /**
     * One report.
     *
     * @param driver the driver, by the name that ethtool shows
     * @param safeFrom the first kernel without the fault, or null where none is known
     * @param harm what happens
     * @param source where it was reported
     */
    record Report(String driver, KernelVersion safeFrom, String harm, String source) {
        private boolean concerns(String name, KernelVersion kernel) {
            return driver.equals(name) && (safeFrom == null || kernel.isBefore(safeFrom));
        }

        private String sentence() {
            return "zero-copy is not tried: with driver " + driver
                    + (safeFrom == null ? "" : " before Linux " + safeFrom) + " it " + harm + " (" + source
                    + "); mode zero-copy tries it";
        }
    }

    static final List<Report> REPORTS = List.of(
            new Report(
                    "ice",
                    null,
                    "corrupts the kernel's memory",
                    "https://github.com/firedancer-io/firedancer/pull/11246"),
            new Report(
                    "ena",
                    null,
                    "was seen to corrupt memory under load",
                    "https://github.com/amzn/amzn-drivers/issues/330"),
            new Report(
                    "gve",
                    null,
                    "can crash the kernel when a port closes",
                    "https://github.com/GoogleCloudPlatform/compute-virtual-ethernet-linux/pull/96"),
            new Report(
                    "st_gmac",
                    null,
                    "can stop receiving for good after the program paused",
                    "https://github.com/analogdevicesinc/linux/issues/3517"),
            new Report(
                    "st_xgmac",
                    null,
                    "can stop receiving for good after the program paused",
                    "https://github.com/analogdevicesinc/linux/issues/3517"),
            new Report(
                    "i40e",
                    new KernelVersion(5, 19),
                    "is not among what Firedancer's tests found safe",
                    "https://github.com/firedancer-io/firedancer/pull/11244"),
            new Report(
                    "mlx5_core",
                    new KernelVersion(6, 1),
                    "is not among what Firedancer's tests found safe",
                    "https://github.com/firedancer-io/firedancer/pull/11244"));

    private UnsafeZeroCopy() {}

    /** {@return why a port on this driver copies, or null where nothing is known against its zero-copy} */
    static String problem(String driver, KernelVersion kernel) {
        return REPORTS.stream()
                .filter(report -> report.concerns(driver, kernel))
                .findFirst()
                .map(Report::sentence)
                .orElse(null);
    }
}
