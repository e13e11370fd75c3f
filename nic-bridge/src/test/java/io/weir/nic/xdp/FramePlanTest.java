package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.nic.NicException;
import io.weir.transport.node.ConfigException;
import org.junit.jupiter.api.Test;

/** Tests {@link FramePlan}: every number of queues leaves frames to send, in bounded memory. */
class FramePlanTest {
    private static final int QUEUES_MAX = 64;
    private static final int FRAMES_MAX = 22_528;

    @Test
    void of_nothingChosen_oneQueueHasWhatItAlwaysHad() {
        assertEquals(new FramePlan(8_192, RingSizes.DEFAULT), FramePlan.of(1, 0, null));
    }

    @Test
    void of_nothingChosen_everyQueueCountLeavesTheStackItsFramesAndIsBounded() {
        for (int queues = 1; queues <= QUEUES_MAX; queues++) {
            FramePlan plan = FramePlan.of(queues, 0, null);
            int fillFrames = queues * plan.ringSizes().fillFrames();
            assertTrue(plan.frameCount() - fillFrames >= 3 * 2_048, queues + " queues: " + plan);
            assertTrue(plan.frameCount() <= FRAMES_MAX, queues + " queues: " + plan);
            assertTrue(plan.ringSizes().fillFrames() >= FramePlan.FILL_FRAMES_MIN, queues + " queues: " + plan);
        }
        assertEquals(FRAMES_MAX, FramePlan.of(QUEUES_MAX, 0, null).frameCount());
    }

    @Test
    void of_ownCountGivenAgain_isTheSamePlan() {
        for (int queues = 1; queues <= QUEUES_MAX; queues++) {
            FramePlan plan = FramePlan.of(queues, 0, null);
            assertEquals(plan, FramePlan.of(queues, plan.frameCount(), null), queues + " queues");
        }
    }

    @Test
    void of_framesChosen_ringsFollowAndLeaveAQuarter() {
        for (int queues = 1; queues <= QUEUES_MAX; queues++) {
            for (int frames = 256; frames <= 524_288; frames *= 2) {
                if (frames * 3L / 4 / queues < 64) {
                    int count = frames;
                    int taken = queues;
                    assertThrows(ConfigException.class, () -> FramePlan.of(taken, count, null));
                    continue;
                }
                RingSizes rings = FramePlan.of(queues, frames, null).ringSizes();
                assertTrue(queues * rings.fillFrames() <= frames / 4 * 3, frames + " frames: " + rings);
                assertTrue(rings.receiveFrames() >= rings.fillFrames(), "what was filled can be received");
            }
        }
        assertEquals(
                new RingSizes(1024, 2048, 1024, 2048),
                FramePlan.of(4, 8_192, null).ringSizes());
    }

    @Test
    void of_ringsChosen_poolFollows() {
        assertEquals(new FramePlan(8 * 1024 + 6_144, RingSizes.ofAll(1024)), FramePlan.of(8, 0, RingSizes.ofAll(1024)));
        FramePlan large = FramePlan.of(4, 0, RingSizes.ofAll(32_768));
        assertEquals(large, FramePlan.of(4, large.frameCount(), RingSizes.ofAll(32_768)));
    }

    @Test
    void of_bothChosenAndTooFew_isRefusedWithWhatWouldDo() {
        ConfigException e = assertThrows(ConfigException.class, () -> FramePlan.of(4, 8_192, RingSizes.ofAll(2048)));
        assertEquals(
                "frameCount=8192 is too few for 4 queues of 2048 frames to receive into, which leave a quarter to send;"
                        + " give at least 10923 frames (--frames, frameCount), smaller rings (--ring, ringFrames) or take"
                        + " fewer queues (--queue, queues)",
                e.getMessage());
        assertEquals(10_923, FramePlan.of(4, 10_923, RingSizes.ofAll(2048)).frameCount());
        e = assertThrows(ConfigException.class, () -> FramePlan.of(64, 256, null));
        assertEquals(
                "frameCount=256 is too few for 64 queues of 64 frames to receive into, which leave a quarter to send;"
                        + " give at least 5462 frames (--frames, frameCount), or take fewer queues (--queue, queues)",
                e.getMessage());
        assertEquals(64, FramePlan.of(64, 5_462, null).ringSizes().fillFrames());
    }

    @Test
    void newPool_beyondWhatAPoolHas_isRefusedWithTheLimit() throws NicException {
        ConfigException e =
                assertThrows(ConfigException.class, () -> new FramePlan(524_288, RingSizes.DEFAULT).newPool(4096));
        assertTrue(e.getMessage().contains("give at most 524287 (--frames"), e.getMessage());
        assertEquals(256, new FramePlan(256, RingSizes.DEFAULT).newPool(2048).available());
    }
}
