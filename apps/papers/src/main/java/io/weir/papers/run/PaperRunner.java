package io.weir.papers.run;

import io.weir.papers.Figure;
import io.weir.papers.LiveFigure;
import io.weir.papers.PaperRun;
import io.weir.papers.Scale;
import io.weir.transport.runtime.OwnTimeLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Runs what figures need, on a few threads, and has the figures judge it. Each simulation belongs to one thread; runs
 * of the same file and settings are one simulation. Figures come in their order, and the simulations of one figure the
 * longest first, so that each figure is judged while later ones run.
 */
public final class PaperRunner {
    /** A simulation looks whether it is to stop once a slice, which takes a second at most. */
    private static final int CLOSE_SECONDS_MAX = 8;

    private final List<Figure> figures;
    private final Scale scale;
    private final Map<String, Batch> byKey = new LinkedHashMap<>();
    private final List<Batch> batches = new ArrayList<>();
    private final Set<Integer> running = new ConcurrentSkipListSet<>();
    private final Set<Integer> ended = new ConcurrentSkipListSet<>();
    private final AtomicBoolean isStopped = new AtomicBoolean();

    /** Reads the scenarios of the figures' runs, and refuses what cannot be read before anything runs. */
    public PaperRunner(List<Figure> figures, Scale scale) {
        this.figures = List.copyOf(figures);
        this.scale = scale;
        for (Figure figure : figures) {
            figure.runs(scale).forEach(run -> add(figure, run));
        }
        batches.addAll(byKey.values());
        batches.sort(Comparator.comparingInt(Batch::figureIndex).thenComparingDouble(batch -> -batch.work()));
    }

    private void add(Figure figure, PaperRun<?> run) {
        byKey.computeIfAbsent(key(run), key -> new Batch(figures.indexOf(figure), ScenarioFiles.read(run)))
                .add(new Batch.Need(figure.id(), run));
    }

    private static String key(PaperRun<?> run) {
        return run.file() + "\n" + String.join("\n", run.settings());
    }

    /** {@return how many simulations there are} */
    public int simulationCount() {
        return batches.size();
    }

    /**
     * Runs and judges the figures; what did not come to its end before {@code stop} says so.
     *
     * @param jobs how many simulations run at a time
     * @param stop says whether to stop; waits a while before it answers
     * @param watch is told how far it is, after each of those answers
     * @param onJudged is given each figure's outcome, in their order, as soon as that and those before it are there
     */
    public void run(int jobs, BooleanSupplier stop, Consumer<RunProgress> watch, Consumer<FigureReport> onJudged) {
        int judgedCount = 0;
        boolean hasStopped = false;
        ExecutorService pool = Executors.newFixedThreadPool(Math.max(1, jobs), PaperRunner::thread);
        for (int i = 0; i < batches.size(); i++) {
            int index = i;
            pool.execute(() -> run(index));
        }
        pool.shutdown();
        try {
            while (!pool.isTerminated() && !isStopped.get()) {
                hasStopped = stop.getAsBoolean();
                isStopped.set(hasStopped);
                watch.accept(progress());
                for (; judgedCount < figures.size() && isReady(figures.get(judgedCount)); judgedCount++) {
                    onJudged.accept(judge(figures.get(judgedCount)));
                }
            }
            OwnTimeLimit.ofSeconds(CLOSE_SECONDS_MAX).await(pool::awaitTermination);
        } catch (InterruptedException e) {
            hasStopped = true;
            Thread.currentThread().interrupt();
        } finally {
            isStopped.set(true);
        }
        for (; judgedCount < figures.size(); judgedCount++) {
            Figure figure = figures.get(judgedCount);
            if (figure instanceof LiveFigure) {
                FigureReport report = hasStopped ? null : measure(figure, stop);
                hasStopped |= report == null;
                onJudged.accept(report == null ? Judgement.interrupted(figure) : report);
            } else {
                onJudged.accept(judge(figure));
            }
        }
    }

    /** {@return the outcome of a figure on real ports, or null if it was to stop before there was one} */
    private FigureReport measure(Figure figure, BooleanSupplier stop) {
        FutureTask<FigureReport> task = new FutureTask<>(() -> judge(figure));
        Thread thread = thread(task);
        thread.start();
        try {
            while (thread.isAlive()) {
                if (stop.getAsBoolean()) {
                    thread.interrupt();
                    // It removes its namespaces.
                    OwnTimeLimit.ofSeconds(CLOSE_SECONDS_MAX).join(thread);
                    return null;
                }
            }
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a figure could not be judged: " + figure.id(), e.getCause());
        }
    }

    /** {@return whether a figure can be judged while other simulations run} One on real ports needs the machine. */
    private boolean isReady(Figure figure) {
        return !(figure instanceof LiveFigure)
                && figure.runs(scale).stream()
                        .allMatch(run -> byKey.get(key(run)).hasEnded());
    }

    private FigureReport judge(Figure figure) {
        return new Judgement(figure, scale, run -> byKey.get(key(run))).report();
    }

    private void run(int index) {
        if (isStopped.get()) {
            return;
        }
        running.add(index);
        batches.get(index).run(isStopped::get);
        running.remove(index);
        ended.add(index);
    }

    private RunProgress progress() {
        return new RunProgress(
                ended.size(),
                batches.size(),
                running.stream().map(index -> batches.get(index).current()).toList());
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "weir-paper");
        thread.setDaemon(true);
        return thread;
    }
}
