package io.weir.cli.perf;

import io.weir.transport.node.ConfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Writes latencies for the tools that read HdrHistogram's files: {@code .hgrm}, the percentiles of the whole test in
 * microseconds, and {@code .hlog}, the histogram of each interval in nanoseconds.
 */
final class LatencyFiles implements PerfListener, AutoCloseable {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICROSECOND = 1e3;
    private static final double LOG_SCALE = 1;
    private static final int TICKS_PER_HALF_DISTANCE = 5;

    private final Path percentiles;
    private final PrintStream log;
    private final HistogramLogWriter writer;

    private LatencyFiles(Path percentiles, PrintStream log) {
        this.percentiles = percentiles;
        this.log = log;
        this.writer = log == null ? null : new HistogramLogWriter(log);
    }

    /**
     * {@return what writes both files, of which either may be null}
     *
     * @throws ConfigException if one cannot be written
     */
    static LatencyFiles open(Path percentiles, Path log) {
        try {
            if (percentiles != null) {
                Files.writeString(percentiles, "");
            }
            PrintStream stream = log == null ? null : new PrintStream(log.toFile(), StandardCharsets.UTF_8);
            return new LatencyFiles(percentiles, stream);
        } catch (IOException e) {
            throw new ConfigException(
                    "cannot write " + e.getMessage() + "; name a file in a directory that exists and may be written to",
                    e);
        }
    }

    @Override
    public void onStart(TestStart start) {
        if (writer != null) {
            writer.outputComment(
                    "[requests of " + start.test().lengthBytes() + " B to " + start.peer() + ", nanoseconds]");
            writer.outputLogFormatVersion();
            writer.outputLegend();
        }
    }

    @Override
    public void onInterval(Interval interval, Histogram latencies) {
        if (writer != null && latencies != null) {
            writer.outputIntervalHistogram(
                    interval.startNanos() / NANOS_PER_SECOND,
                    interval.endNanos() / NANOS_PER_SECOND,
                    latencies,
                    LOG_SCALE);
            log.flush();
        }
    }

    @Override
    public void onEnd(Histogram latencies) {
        if (percentiles == null || latencies == null) {
            return;
        }
        try (PrintStream out = new PrintStream(percentiles.toFile(), StandardCharsets.UTF_8)) {
            latencies.outputPercentileDistribution(out, TICKS_PER_HALF_DISTANCE, NANOS_PER_MICROSECOND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (log != null) {
            log.close();
        }
    }
}
