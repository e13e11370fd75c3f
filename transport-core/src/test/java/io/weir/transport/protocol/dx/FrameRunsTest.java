package io.weir.transport.protocol.dx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link FrameRuns}. */
class FrameRunsTest {
    /** {@return how many of so many decisions, each with a few frames after it, begin a run} */
    private static int begun(FrameRuns runs, int decisions, boolean isCut, boolean isNoisy) {
        int begun = 0;
        for (int i = 0; i < decisions; i++) {
            runs.onDecision(isCut, isNoisy);
            runs.onFrame(true);
            begun += runs.left() > 0 ? 1 : 0;
            while (runs.left() > 0) {
                runs.onFrame(true);
            }
        }
        return begun;
    }

    @Test
    void onDecision_cutsInARow_areSeldomFollowedByARun() {
        assertEquals(0, begun(new FrameRuns(1), 63, true, false));
        assertEquals(2, begun(new FrameRuns(1), 128, true, false));
    }

    @Test
    void onDecision_windowGrowsNowAndThen_isFollowedByNone() {
        FrameRuns runs = new FrameRuns(1);
        for (int i = 0; i < 100; i++) {
            assertEquals(0, begun(runs, 63, true, false));
            assertEquals(0, begun(runs, 1, false, false));
        }
    }

    @Test
    void onDecision_noise_isFollowedByOneRun() {
        FrameRuns runs = new FrameRuns(1);
        assertEquals(64, begun(runs, 64, false, true));
        runs.onFrame(true);
        assertEquals(0, runs.left());
    }

    @Test
    void left_run_hasTwoAcknowledgements() {
        FrameRuns runs = new FrameRuns(2);
        runs.onDecision(false, true);
        runs.onFrame(true);
        for (int left = 3; left >= 0; left--) {
            assertEquals(left, runs.left());
            runs.onFrame(true);
        }
    }

    @Test
    void onFrame_runMayNotBegin_waits() {
        FrameRuns runs = new FrameRuns(1);
        runs.onDecision(false, true);
        runs.onFrame(false);
        assertEquals(0, runs.left());
        runs.onFrame(true);
        assertEquals(1, runs.left());
    }
}
