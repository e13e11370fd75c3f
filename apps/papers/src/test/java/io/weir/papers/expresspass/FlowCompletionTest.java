package io.weir.papers.expresspass;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.papers.Variant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@link FlowCompletion} with made-up times. */
class FlowCompletionTest {
    private static final Variant DCTCP = Peers.dctcp(1);

    @Test
    void ratios_flowsLeftOrNone_leavesTheWorkloadOut() {
        FlowCompletion.Found found = (workload, protocol) -> switch (workload) {
            case WEB_SERVER -> result(new TreeResult.Times(4, 4, protocol.equals(DCTCP) ? 300 : 100, 0));
            case CACHE_FOLLOWER -> result(new TreeResult.Times(4, protocol.equals(DCTCP) ? 3 : 4, 100, 0));
            case WEB_SEARCH -> new TreeResult(Map.of(), 0);
            case DATA_MINING -> result(new TreeResult.Times(1, 1, protocol.equals(DCTCP) ? 50 : 100, 0));
        };
        assertEquals(
                List.of(3.0, 0.5),
                FlowCompletion.ratios(found, DCTCP, Variant.AUTHORS, "S", TreeResult.Times::meanNanos));
    }

    private static TreeResult result(TreeResult.Times times) {
        return new TreeResult(Map.of("S", times), 0);
    }
}
