package io.weir.cli.scenario;

import io.weir.cli.output.CsvFile;
import io.weir.cli.output.Json;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.ResultDocument;
import io.weir.transport.scenario.result.FlowResult;
import io.weir.transport.scenario.result.HostResult;
import io.weir.transport.scenario.result.PortResult;
import io.weir.transport.scenario.result.ScenarioResult;
import io.weir.transport.scenario.result.Series;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * The files of one run: its result, tables of it for other programs, charts, and the scenario with which it can be
 * repeated.
 */
final class ResultFiles {
    private final Path folder;

    private ResultFiles(Path folder) {
        this.folder = folder;
    }

    /** {@return files in a folder, which is made if it is missing} */
    static ResultFiles in(Path folder) throws IOException {
        OutputOptions.makeFolder(folder);
        return new ResultFiles(folder);
    }

    /** Writes everything but the charts. */
    void write(ResultDocument document, ScenarioPlan plan, ScenarioResult result) throws IOException {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(folder.resolve("result.json")))) {
            Json.print(out, document);
        }
        Files.writeString(folder.resolve("scenario.yaml"), plan.yaml());
        for (Path file : plan.files()) {
            Path copy = folder.resolve(plan.folder().relativize(file));
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        CsvFile.write(folder.resolve("flows.csv"), FlowResult.class, result.flows());
        CsvFile.write(folder.resolve("ports.csv"), PortResult.class, result.ports());
        CsvFile.write(folder.resolve("hosts.csv"), HostResult.class, result.hosts());
        if (result.series() != null) {
            writeSeries(result.series());
        }
    }

    private void writeSeries(Series series) throws IOException {
        try (CsvFile file = new CsvFile(folder.resolve("series.csv"), "intervalEndNanos", "figure", "name", "value")) {
            writeOne(file, series, "goodputBps", "all", series.totalGoodputBps());
            for (Series.FlowSeries flow : series.flows()) {
                writeOne(file, series, "goodputBps", flow.id(), flow.goodputBps());
            }
            for (Series.PortSeries port : series.ports()) {
                String name = port.node() + ">" + port.port();
                writeOne(file, series, "queueBytes", name, port.queueBytes());
                for (Series.GaugeSeries gauge : port.gauges()) {
                    writeOne(file, series, gauge.name(), name, gauge.values());
                }
            }
        }
    }

    private static void writeOne(CsvFile file, Series series, String figure, String name, List<? extends Number> values)
            throws IOException {
        for (int i = 0; i < values.size(); i++) {
            file.row((i + 1) * series.intervalNanos(), figure, name, values.get(i));
        }
    }

    /** Draws the charts that the result has something for. */
    void plot(ScenarioResult result) throws IOException {
        new Charts(folder, result).draw();
    }
}
