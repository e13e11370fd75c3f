package io.weir.papers;

import io.weir.cli.yaml.YamlFile;
import io.weir.cli.yaml.YamlMap;
import io.weir.cli.yaml.YamlValue;
import io.weir.papers.FileFigure.Column;
import io.weir.papers.FileFigure.Line;
import io.weir.papers.FileFigure.Point;
import io.weir.papers.FileFigure.StatedChart;
import io.weir.papers.FileFigure.StatedClaim;
import io.weir.papers.FileFigure.StatedTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads a figure from its file. */
public final class FigureFile {
    private static final String FOLDER = "/io/weir/papers/figures/";

    private final String id;
    private final YamlMap root;
    private final List<Line> lines;

    private FigureFile(String id, String text) {
        this.id = id;
        this.root = YamlFile.parse(id + ".yaml", text);
        root.allowOnly(List.of(
                "title", "setting", "scaling", "file", "set", "lines", "points", "run", "values", "claims", "charts",
                "tables"));
        this.lines = lines();
    }

    /** {@return the figure of that name, as in {@code expresspass/fig10}} */
    public static Figure read(String id) {
        return parse(id, YamlFile.resource(FigureFile.class, FOLDER + id + ".yaml"));
    }

    /** {@return the figure that {@code text} is} */
    static Figure parse(String id, String text) {
        return new FigureFile(id, text).figure();
    }

    private Figure figure() {
        return new FileFigure(
                id,
                root.require("title").string(),
                settings(),
                root.get("file", YamlValue::string, ""),
                lines,
                Map.of(Scale.QUICK, points(Scale.QUICK), Scale.FULL, points(Scale.FULL)),
                Map.of(Scale.QUICK, values(Scale.QUICK), Scale.FULL, values(Scale.FULL)),
                listed(root, "claims", this::claim),
                listed(root, "charts", this::chart),
                listed(root, "tables", FigureFile::table));
    }

    /** {@return what remains of a run; a value may have an expression for each scale} */
    private ResultValues values(Scale scale) {
        return new ResultValues(entries(
                root.require("values"),
                value -> value.isMap()
                        ? value.map().require(scale.label()).parse(Expression::parse)
                        : value.parse(Expression::parse)));
    }

    private Map<Scale, Setting> settings() {
        String paper = root.require("setting").string();
        Map<Scale, Setting> settings = new EnumMap<>(Scale.class);
        for (Scale scale : Scale.values()) {
            String scaling = root.find("scaling")
                    .flatMap(scales -> scales.map().find(scale.label()))
                    .map(YamlValue::string)
                    .orElse(Setting.AS_IN_THE_PAPER);
            settings.put(scale, new Setting(paper, scaling));
        }
        return settings;
    }

    /** {@return what {@code reader} makes of each entry of a mapping, in its order} */
    private static <T> Map<String, T> entries(YamlValue value, Function<YamlValue, T> reader) {
        Map<String, T> entries = new LinkedHashMap<>();
        YamlMap map = value.map();
        map.names().forEach(name -> entries.put(name, reader.apply(map.require(name))));
        return entries;
    }

    private static <T> List<T> listed(YamlMap map, String key, Function<YamlMap, T> reader) {
        return map.find(key)
                .map(value -> value.list().stream()
                        .map(element -> reader.apply(element.map()))
                        .toList())
                .orElse(List.of());
    }

    private static List<String> strings(Optional<YamlValue> value) {
        return value.map(list -> list.isScalar()
                        ? List.of(list.text())
                        : list.list().stream().map(YamlValue::text).toList())
                .orElse(List.of());
    }

    private List<Line> lines() {
        List<Line> found = new ArrayList<>();
        entries(root.require("lines"), YamlValue::map).forEach((key, map) -> {
            map.allowOnly(List.of("name", "set", "share"));
            found.add(new Line(
                    key,
                    map.get("name", YamlValue::string, key),
                    strings(map.find("set")),
                    map.get("share", value -> value.parse(Expression::parse).value(name -> List.of()), 1.0)));
        });
        return found;
    }

    /** {@return the settings of a map at a scale: a list, or lists for all scales and for one} */
    private static List<String> set(YamlMap owner, Scale scale) {
        Optional<YamlValue> set = owner.find("set");
        if (set.isEmpty() || !set.get().isMap()) {
            return strings(set);
        }
        YamlMap map = set.get().map();
        List<String> settings = new ArrayList<>(strings(map.find("all")));
        settings.addAll(strings(map.find(scale.label())));
        return settings;
    }

    private List<Point> points(Scale scale) {
        Optional<YamlValue> points = root.find("points");
        if (points.isEmpty()) {
            return List.of(point("", "", root.require("file").string(), List.of(), set(root, scale)));
        }
        List<YamlValue> list = points.get().isMap()
                ? points.get().map().require(scale.label()).list()
                : points.get().list();
        List<Point> found = new ArrayList<>();
        for (YamlValue value : list) {
            if (value.isScalar()) {
                found.add(
                        point(value.text(), value.text(), root.require("file").string(), List.of(), set(root, scale)));
                continue;
            }
            YamlMap map = value.map();
            map.allowOnly(List.of("name", "at", "file", "lines", "set", "instead"));
            List<String> settings = new ArrayList<>(set(map, scale));
            if (map.find("instead").isPresent()) {
                settings.addAll(strings(map.find("instead")));
            } else {
                settings.addAll(set(root, scale));
            }
            String name = map.require("name").text();
            found.add(point(
                    name,
                    map.get("at", YamlValue::text, name),
                    map.find("file").orElseGet(() -> root.require("file")).string(),
                    strings(map.find("lines")),
                    settings));
        }
        return found;
    }

    private Point point(String name, String at, String file, List<String> onlyLines, List<String> settings) {
        double number;
        try {
            number = Double.parseDouble(at);
        } catch (NumberFormatException e) {
            number = Double.NaN;
        }
        return new Point(
                name,
                root.get("run", YamlValue::string, "$point").replace("$point", name),
                number,
                file,
                onlyLines,
                settings.stream()
                        .map(setting -> setting.replace("$point", name))
                        .toList());
    }

    private static Unit unit(YamlMap map) {
        return map.get("unit", FigureFile::unit, Unit.NUMBER);
    }

    private static Unit unit(YamlValue value) {
        return value.choice(
                Arrays.asList(Unit.values()),
                unit -> unit.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /** {@return the units of a claim's values, of which the last is that of all further ones} */
    private static List<Unit> units(YamlMap map) {
        return map.get(
                "unit",
                value -> value.isScalar()
                        ? List.of(unit(value))
                        : value.list().stream().map(FigureFile::unit).toList(),
                List.of(Unit.NUMBER));
    }

    private List<Line> each(YamlMap map, List<Line> fallback) {
        Optional<YamlValue> each = map.find("each");
        return each.isEmpty()
                ? fallback
                : each.get().list().stream()
                        .map(value -> value.choice(lines, Line::key))
                        .toList();
    }

    private StatedClaim claim(YamlMap map) {
        map.allowOnly(List.of("id", "says", "paper", "value", "unit", "must", "each", "joined"));
        String low = null;
        String high = null;
        String course = null;
        for (String limit : strings(map.find("must"))) {
            String bound = limit.substring(2).strip();
            if (limit.startsWith(FileFigure.FALLS) || limit.startsWith(FileFigure.RISES)) {
                course = limit;
            } else if (limit.startsWith(">=")) {
                low = bound;
            } else if (limit.startsWith("<=")) {
                high = bound;
            } else {
                throw map.require("must").refused("\"" + limit + "\" does not begin with >=, <=, falls or rises");
            }
        }
        return new StatedClaim(
                each(map, Collections.singletonList(null)),
                Claim.about(
                        map.require("id").string(),
                        map.require("says").string(),
                        map.require("paper").text()),
                map.require("value").text(),
                map.get("joined", YamlValue::string, ", "),
                low,
                high,
                course,
                units(map));
    }

    private StatedChart chart(YamlMap map) {
        map.allowOnly(List.of("title", "kind", "x", "y", "logarithmic", "categories", "at", "each", "series"));
        Set<String> logarithmic = Set.copyOf(strings(map.find("logarithmic")));
        YamlValue series = map.require("series");
        Map<String, String> expressions = new LinkedHashMap<>();
        if (series.isScalar()) {
            each(map, lines)
                    .forEach(line -> expressions.put(line.name(), series.text().replace("$each", line.key())));
        } else {
            expressions.putAll(entries(series, YamlValue::text));
        }
        return new StatedChart(
                map.require("title").string(),
                map.require("kind").choice(Arrays.asList(Chart.Kind.values()), kind -> kind.name()
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-')),
                new Axis(map.require("x").text(), logarithmic.contains("x"), strings(map.find("categories"))),
                new Axis(map.require("y").text(), logarithmic.contains("y"), List.of()),
                map.get("at", YamlValue::text, "point"),
                expressions);
    }

    private static StatedTable table(YamlMap map) {
        map.allowOnly(List.of("title", "rows", "head", "columns"));
        return new StatedTable(
                map.require("title").string(),
                map.require("rows")
                        .choice(List.of(FileFigure.LINES, FileFigure.POINTS), name -> name)
                        .equals(FileFigure.LINES),
                map.require("head").text(),
                listed(map, "columns", column -> {
                    column.allowOnly(List.of("head", "value", "unit"));
                    return new Column(
                            column.require("head").string(),
                            column.require("value").text(),
                            unit(column));
                }));
    }
}
