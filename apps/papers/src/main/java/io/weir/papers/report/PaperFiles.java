package io.weir.papers.report;

import io.weir.cli.output.CsvFile;
import io.weir.cli.output.Fonts;
import io.weir.cli.output.Json;
import io.weir.cli.output.OutputOptions;
import io.weir.cli.output.ResultDocument;
import io.weir.papers.Chart;
import io.weir.papers.run.RunReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of {@code weir paper --out}: {@code report.html}, {@code paper.json}, {@code runs.csv}, and each chart as
 * SVG and PNG.
 */
public final class PaperFiles {
    private final Path folder;
    private final String command;

    private PaperFiles(Path folder, String command) {
        this.folder = folder;
        this.command = command;
    }

    /**
     * {@return files in a folder, which is made if it is missing; refuses to where nothing could be drawn}
     *
     * @param command what makes them, without figure and folder: each drawing names it
     */
    public static PaperFiles in(Path folder, String command) throws IOException {
        Fonts.require("--out");
        OutputOptions.makeFolder(folder);
        return new PaperFiles(folder, command);
    }

    /** Writes all of them. */
    public void write(ResultDocument document, PaperResult result) throws IOException {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(folder.resolve("paper.json")))) {
            Json.print(out, document);
        }
        writeRuns(result);
        List<ReportPage.Section> sections = new ArrayList<>();
        for (FigureResult figure : result.figures()) {
            sections.add(new ReportPage.Section(figure, draw(figure)));
        }
        Files.writeString(folder.resolve("report.html"), ReportPage.of(document, result, sections));
    }

    /** {@return the charts of a figure as elements of the page; their files are written on the way} */
    private List<String> draw(FigureResult figure) throws IOException {
        List<String> elements = new ArrayList<>();
        for (Chart chart : figure.charts()) {
            String name = figure.fileName() + "-" + (elements.size() + 1);
            ChartDrawing drawing = ChartDrawing.of(chart);
            String svg = drawing.svg();
            String maker = command + " " + figure.id() + " --out DIR";
            Files.writeString(folder.resolve(name + ".svg"), ChartDrawing.described(svg, maker));
            Files.write(folder.resolve(name + ".png"), drawing.png());
            elements.add(ChartDrawing.element(svg, name));
        }
        return elements;
    }

    private void writeRuns(PaperResult result) throws IOException {
        List<RunReport> runs = result.figures().stream()
                .flatMap(figure -> figure.runs().stream())
                .toList();
        CsvFile.write(folder.resolve("runs.csv"), RunReport.class, runs);
    }
}
