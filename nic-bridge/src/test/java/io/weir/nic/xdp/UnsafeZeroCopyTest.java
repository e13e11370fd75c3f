package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.net.KernelVersion;
import io.weir.transport.testing.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which drivers' zero-copy is not tried, and that each has its source in the document. */
class UnsafeZeroCopyTest {
    @ParameterizedTest
    @CsvSource({"ice, 7.3", "ena, 6.8", "gve, 6.18", "i40e, 5.18", "mlx5_core, 5.19", "st_gmac, 6.12"})
    void problem_reportedDriver_saysWhyAndHowToTryIt(String driver, String kernel) {
        String problem = UnsafeZeroCopy.problem(driver, KernelVersion.parse(kernel));
        assertTrue(problem.startsWith("zero-copy is not tried: with driver " + driver + " "), problem);
        assertTrue(problem.contains("(https://"), problem);
        assertTrue(problem.endsWith("; mode zero-copy tries it"), problem);
    }

    @ParameterizedTest
    @CsvSource({"i40e, 5.19", "i40e, 6.12", "mlx5_core, 6.1", "igb, 6.14", "veth, 5.10", "'', 6.1"})
    void problem_driverOrKernelWithoutReport_isNone(String driver, String kernel) {
        assertNull(UnsafeZeroCopy.problem(driver, KernelVersion.parse(kernel)));
    }

    @Test
    void problem_faultWithAnEnd_namesTheKernel() {
        assertEquals(
                "zero-copy is not tried: with driver mlx5_core before Linux 6.1 it is not among what Firedancer's tests"
                        + " found safe (https://github.com/firedancer-io/firedancer/pull/11244); mode zero-copy tries it",
                UnsafeZeroCopy.problem("mlx5_core", new KernelVersion(5, 15)));
    }

    @Test
    void document_hasARowForEachReport() {
        StringBuilder rows = new StringBuilder("| driver | kernels | what it does | source |\n|---|---|---|---|\n");
        for (UnsafeZeroCopy.Report report : UnsafeZeroCopy.REPORTS) {
            rows.append("| " + report.driver() + " | "
                    + (report.safeFrom() == null ? "all" : "before " + report.safeFrom()) + " | " + report.harm()
                    + " | " + report.source() + " |\n");
        }
        Document.requireBlock("docs/PLATFORMS.md", "unsafe-zero-copy", rows.toString());
    }
}
