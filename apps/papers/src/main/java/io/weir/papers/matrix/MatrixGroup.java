package io.weir.papers.matrix;

import io.weir.papers.Claim;
import io.weir.papers.Figure;
import io.weir.papers.Findings;
import io.weir.papers.PaperRun;
import io.weir.papers.RunResults;
import io.weir.papers.Scale;
import io.weir.papers.Setting;
import io.weir.papers.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** Cells of one kind: a verdict for each, and a table with a line for each rule in each. */
final class MatrixGroup implements Figure {
    private static final String PAPER = "matrix/";

    private final String name;
    private final String title;
    private final String text;
    private final Function<Scale, List<Cell>> cells;

    /**
     * Makes a group.
     *
     * @param text network, traffic, and what the default is held against
     * @param cells the cells of a scale
     */
    MatrixGroup(String name, String title, String text, Function<Scale, List<Cell>> cells) {
        this.name = name;
        this.title = title;
        this.text = text;
        this.cells = cells;
    }

    @Override
    public String id() {
        return PAPER + name;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Setting setting(Scale scale) {
        return new Setting(
                text + " Every rule runs with the meters that it was made for.",
                scale == Scale.FULL ? "nothing is smaller" : "fewer cells, flows and seeds");
    }

    @Override
    public List<PaperRun<?>> runs(Scale scale) {
        return cells.apply(scale).stream()
                .<PaperRun<?>>flatMap(cell -> cell.runs().stream())
                .toList();
    }

    @Override
    public Findings evaluate(RunResults results, Scale scale) {
        List<Cell> all = cells.apply(scale);
        List<Claim> claims = all.stream().map(cell -> cell.claim(id(), results)).toList();
        // Cells with the same figures share a table.
        Map<List<String>, List<List<String>>> rows = new LinkedHashMap<>();
        for (Cell cell : all) {
            List<String> headings = Stream.concat(
                            Stream.of("cell", "rule"), cell.metrics().stream().map(Metric::name))
                    .toList();
            List<List<String>> table = rows.computeIfAbsent(headings, key -> new ArrayList<>());
            cell.contestants().forEach(contestant -> table.add(cell.row(results, contestant)));
        }
        List<Table> tables = rows.entrySet().stream()
                .map(entry -> new Table(title, entry.getKey(), entry.getValue()))
                .toList();
        return new Findings(claims, List.of(), tables);
    }
}
