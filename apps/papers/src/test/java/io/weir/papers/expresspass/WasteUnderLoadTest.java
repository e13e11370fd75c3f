package io.weir.papers.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link WasteUnderLoad} with made-up shares. */
class WasteUnderLoadTest {
    @Test
    void order_fallingShares_isMet() {
        assertEquals(
                Verdict.MET, WasteUnderLoad.order(List.of(0.2, 0.1, 0.05, 0.01)).verdict());
        assertEquals(
                Verdict.FAILED,
                WasteUnderLoad.order(List.of(0.2, 0.1, 0.1, 0.01)).verdict());
    }

    @Test
    void faster_oneWorkloadWastesLess_fails() {
        assertEquals(
                Verdict.MET,
                WasteUnderLoad.faster("x", List.of(0.2, 0.1), List.of(0.3, 0.1)).verdict());
        assertEquals(
                Verdict.FAILED,
                WasteUnderLoad.faster("x", List.of(0.2, 0.1), List.of(0.3, 0.09))
                        .verdict());
    }
}
