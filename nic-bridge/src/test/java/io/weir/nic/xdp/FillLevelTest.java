package io.weir.nic.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests {@link FillLevel}. */
class FillLevelTest {
    private final FillLevel level = FillLevel.adaptive(2048);
    private long nowNanos;

    /** Polls every 10 us for so many windows, and takes two frames each time; so many wait once in each window. */
    private void bulk(int windows, int waitingMax) {
        for (int i = 0; i < windows; i++) {
            level.onPoll(waitingMax, 2, nowNanos);
            for (long endNanos = nowNanos + FillLevel.WINDOW_NANOS; nowNanos < endNanos; ) {
                nowNanos += 10_000;
                level.onPoll(3, 2, nowNanos);
            }
        }
    }

    @Test
    void frames_atFirst_areAll() {
        assertEquals(2048, level.frames());
    }

    @Test
    void frames_fewComeAtATime_areHalvedInEachWindowDownToTheLeast() {
        bulk(1, 16);
        assertEquals(1024, level.frames());
        bulk(1, 16);
        assertEquals(512, level.frames());
        bulk(10, 16);
        assertEquals(FillLevel.FRAMES_MIN, level.frames());
    }

    @Test
    void onPoll_nearlyAllWait_doublesAtOnce() {
        bulk(10, 16);
        level.onPoll(224, 64, nowNanos);
        assertEquals(256, level.frames());
        level.onPoll(225, 64, nowNanos);
        assertEquals(512, level.frames());
        level.onPoll(2048, 64, nowNanos);
        assertEquals(2048, level.frames());
    }

    @Test
    void frames_manyComeAtTimes_areKept() {
        bulk(10, 700);
        assertEquals(1024, level.frames());
        bulk(10, 385);
        assertEquals(1024, level.frames());
        bulk(10, 384);
        assertEquals(512, level.frames());
    }

    /** Polls every 10 us for so many windows; all but 64 frames wait each time, except at each {@code calmEvery}th. */
    private void overload(int windows, int calmEvery) {
        for (int i = 0; i < windows * FillLevel.WINDOW_NANOS / 10_000; i++) {
            nowNanos += 10_000;
            level.onPoll(i % calmEvery == 0 ? 0 : level.frames() - 64, 16, nowNanos);
        }
    }

    @Test
    void frames_ringIsAlwaysFull_areHalvedInEachWindowDownToTheLeast() {
        bulk(1, 2048);
        overload(1, 100);
        assertEquals(1024, level.frames());
        overload(10, 100);
        assertEquals(FillLevel.FRAMES_MIN, level.frames());
        level.onPoll(256, 64, nowNanos);
        assertEquals(FillLevel.FRAMES_MIN, level.frames());
    }

    @Test
    void frames_ringIsEmptyAtTimes_areKept() {
        overload(10, 7);
        assertEquals(2048, level.frames());
    }

    @Test
    void onPoll_overloadIsOver_doublesAgain() {
        overload(10, 100);
        bulk(1, 16);
        level.onPoll(225, 64, nowNanos);
        assertEquals(512, level.frames());
    }

    @Test
    void frames_noBulkAnyMore_areAll() {
        bulk(10, 16);
        nowNanos += FillLevel.WINDOW_NANOS;
        level.onPoll(1, FillLevel.USES_IN_BULK * FillLevel.FRAMES_MIN - 1, nowNanos);
        assertEquals(2048, level.frames());
    }

    @Test
    void frames_smallRing_areAllOfIt() {
        FillLevel small = FillLevel.adaptive(64);
        small.onPoll(0, 10_000, FillLevel.WINDOW_NANOS);
        assertEquals(64, small.frames());
        assertEquals(64, small.framesPolled());
    }

    @Test
    void frames_constant_neverChange() {
        FillLevel constant = FillLevel.constant(1024);
        constant.onPoll(1024, 100_000, 0);
        constant.onPoll(0, 0, FillLevel.WINDOW_NANOS);
        assertEquals(1024, constant.frames());
        assertEquals(1024, constant.framesPolled());
    }
}
