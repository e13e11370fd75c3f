package io.weir.transport.lab;

import io.weir.transport.frame.FramePool;
import io.weir.transport.sim.LinkFault;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Plays schedules one after the other, on one thread, with one pool. */
final class FaultLab {
    private FramePool pool = newPool();
    private long scheduleCount;
    private long flowCount;
    private long unansweredCount;
    private long eventCount;
    private long frameCount;

    private static FramePool newPool() {
        return new FramePool(Schedule.POOL_FRAMES, 2048, true);
    }

    /** {@return what went wrong, on one line, or null} */
    String play(long seed) {
        return play(Schedule.of(seed), null);
    }

    /** {@return what went wrong, on one line, or null; with a log, more than that is in it} */
    String play(Schedule schedule, LabLog log) {
        return play(schedule, log, null);
    }

    /**
     * {@return what went wrong, on one line, or null} {@code fault}, unless null, replaces the schedule's bad links.
     */
    String play(Schedule schedule, LabLog log, LinkFault fault) {
        ScheduleRun run = null;
        try {
            if (log != null) {
                log.text(schedule.toString());
            }
            run = new ScheduleRun(schedule, pool, log, fault);
            run.play();
        } catch (AssertionError | RuntimeException e) {
            // Its frames are lost: another run needs another pool.
            pool = newPool();
            if (log != null) {
                log.text(stackTrace(e));
            }
            String progress = run == null ? "" : run.progress();
            return (e.getMessage() + ", " + progress).replace('\n', ' ');
        }
        scheduleCount++;
        flowCount += schedule.flows.size();
        unansweredCount += run.unansweredCount();
        eventCount += run.eventCount();
        frameCount += run.frameCount();
        return null;
    }

    private static String stackTrace(Throwable error) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    long scheduleCount() {
        return scheduleCount;
    }

    long flowCount() {
        return flowCount;
    }

    /** {@return ends that timed out although their peer had finished} */
    long unansweredCount() {
        return unansweredCount;
    }

    /** {@return whether ends are left unanswered more often than bad luck explains} */
    boolean isTooOftenUnanswered() {
        return unansweredCount > 2 + flowCount / 500;
    }

    long eventCount() {
        return eventCount;
    }

    long frameCount() {
        return frameCount;
    }
}
