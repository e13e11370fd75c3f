package io.weir.papers.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.LiveFigure;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Tests {@link PaperRunner}. */
class PaperRunnerTest {
    /** A minute's worth: then the test has failed. */
    private static final int ASKED_MAX = 60_000;

    private static boolean goesOn() {
        LockSupport.parkNanos(1_000_000);
        return false;
    }

    private static List<FigureReport> run(BooleanSupplier stop, Figure... figures) {
        List<FigureReport> reports = new ArrayList<>();
        new PaperRunner(List.of(figures), Scale.QUICK).run(2, stop, progress -> {}, reports::add);
        return reports;
    }

    @Test
    void run_figuresWithOneRunInCommon_simulateItOnceAndEachExtractsItsOwn() {
        Figure first = new SmallFigure("a/one", "1ms", result -> 2.0);
        Figure second = new SmallFigure("a/two", "1ms", result -> 0.5);
        PaperRunner runner = new PaperRunner(List.of(first, second), Scale.QUICK);
        assertEquals(1, runner.simulationCount());
        List<FigureReport> reports = new ArrayList<>();
        runner.run(2, PaperRunnerTest::goesOn, progress -> {}, reports::add);
        assertEquals(Verdict.MET, reports.get(0).findings().claims().get(0).verdict());
        assertEquals(Verdict.FAILED, reports.get(1).findings().claims().get(0).verdict());
        assertTrue(reports.get(0).isGood());
        assertFalse(reports.get(1).isGood());
        assertNotNull(reports.get(0).runs().get(0).run());
        assertEquals(
                reports.get(0).runs().get(0).run().traceHash(),
                reports.get(1).runs().get(0).run().traceHash());
    }

    @Test
    void run_extractFails_saysSoAndJudgesTheOthers() {
        Figure bad = new SmallFigure("a/bad", "1ms", result -> {
            throw new IllegalStateException("no such port");
        });
        Figure good = new SmallFigure("a/good", "2ms", result -> 2.0);
        List<FigureReport> reports = run(PaperRunnerTest::goesOn, bad, good);
        assertTrue(
                reports.get(0).failure().contains("no such port"),
                reports.get(0).failure());
        assertNull(reports.get(0).findings());
        assertTrue(reports.get(1).isGood());
    }

    @Test
    void run_stopped_keepsWhatWasThereAndMarksTheRest() {
        Figure endless = new SmallFigure("a/endless", "1h", result -> 2.0);
        List<FigureReport> reports = run(() -> true, endless);
        assertFalse(reports.get(0).runs().get(0).complete());
        assertTrue(
                reports.get(0).failure().matches("run \"one\": (interrupted|not run)"),
                reports.get(0).failure());
    }

    /** A figure on real ports, which takes an hour unless it is interrupted. */
    private record Measuring(CountDownLatch started, CountDownLatch interrupted) implements LiveFigure {
        @Override
        public String id() {
            return "live/measuring";
        }

        @Override
        public String title() {
            return "a measurement";
        }

        @Override
        public Setting setting(Scale scale) {
            throw new UnsupportedOperationException("it is not reported");
        }

        @Override
        public Findings measure(RunResults simulated, Scale scale) {
            started.countDown();
            try {
                // Nobody counts it down: only an interrupt ends the wait.
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            throw new IllegalStateException("nothing was measured");
        }
    }

    @Test
    void run_stoppedWhileAFigureMeasures_interruptsItAndBeginsNoOther() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        List<FigureReport> reports = run(
                () -> goesOn() || started.getCount() == 0,
                new Measuring(started, interrupted),
                new Measuring(never, never));
        assertEquals(0, interrupted.getCount());
        assertEquals(1, never.getCount());
        assertEquals(
                List.of("interrupted", "interrupted"),
                reports.stream().map(FigureReport::failure).toList());
    }

    @Test
    void run_figureWhoseRunsHaveEnded_isJudgedWhileLaterOnesRun() {
        Figure small = new SmallFigure("a/small", "1ms", result -> 2.0);
        Figure endless = new SmallFigure("a/endless", "1h", result -> 2.0);
        List<String> judged = new ArrayList<>();
        List<String> judgedBeforeStop = new ArrayList<>();
        AtomicInteger asked = new AtomicInteger();
        BooleanSupplier stop = () -> {
            goesOn();
            judgedBeforeStop.clear();
            judgedBeforeStop.addAll(judged);
            return !judged.isEmpty() || asked.incrementAndGet() == ASKED_MAX;
        };
        new PaperRunner(List.of(small, endless), Scale.QUICK)
                .run(
                        1,
                        stop,
                        progress -> {},
                        report -> judged.add(report.figure().id()));
        assertEquals(List.of("a/small"), judgedBeforeStop);
        assertEquals(List.of("a/small", "a/endless"), judged);
    }

    @Test
    void run_progress_countsRunsAndShowsHowFarTheyAre() {
        List<RunProgress> seen = new ArrayList<>();
        Figure endless = new SmallFigure("a/one", "1h", result -> 2.0);
        BooleanSupplier isShown =
                () -> seen.stream().anyMatch(progress -> progress.line().contains("a/one (one)"));
        new PaperRunner(List.of(endless), Scale.QUICK)
                .run(1, () -> goesOn() || isShown.getAsBoolean(), seen::add, report -> {});
        assertTrue(isShown.getAsBoolean(), seen.toString());
        assertTrue(seen.stream().allMatch(progress -> progress.all() == 1));
    }
}
