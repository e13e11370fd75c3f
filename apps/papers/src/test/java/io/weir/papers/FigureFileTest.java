package io.weir.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.node.ConfigException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@link FigureFile}: what a file becomes, and what is refused. */
class FigureFileTest {
    private static final String FILE = """
            title: T
            setting: S
            scaling: {quick: smaller}
            file: p/f.yaml
            lines:
              own: {set: protocol=weir}
              other: {name: the other, share: 1 / 2}
            points: {quick: [2, 4], full: [2, 4, {name: most, at: 8, file: p/g.yaml, set: x=1}]}
            set: {all: [n=$point], full: [duration=1s]}
            values: {used: utilization}
            claims:
              - {id: $each, says: $name is used, paper: 1, value: "min(used[$each])", must: ">= share[other]", each: [own]}
            """;

    private static void assertRefused(String message, String replaced, String by) {
        ConfigException refusal =
                assertThrows(ConfigException.class, () -> FigureFile.parse("p/t", FILE.replace(replaced, by)));
        assertTrue(refusal.getMessage().contains(message), refusal.getMessage());
    }

    @Test
    void runs_linesAndPoints_haveNamesFilesAndSettings() {
        Figure figure = FigureFile.parse("p/t", FILE);
        List<PaperRun<?>> runs = figure.runs(Scale.FULL);
        assertEquals(
                List.of("own 2", "own 4", "own most", "the other 2", "the other 4", "the other most"),
                runs.stream().map(PaperRun::name).toList());
        assertEquals(
                "./weir sim benchmarks/scenarios/p/g.yaml --set protocol=weir --set x=1 --set n=most"
                        + " --set duration=1s",
                runs.get(2).command());
        assertEquals(4, figure.runs(Scale.QUICK).size());
        assertEquals("smaller", figure.setting(Scale.QUICK).scaling());
        assertEquals(Setting.AS_IN_THE_PAPER, figure.setting(Scale.FULL).scaling());
    }

    @Test
    void runs_pointOfOneLineWithSettingsByScale_isThatLinesAlone() {
        Figure figure = FigureFile.parse(
                "p/t",
                FILE.replace("quick: [2, 4]", "quick: [2, {name: 4, lines: [own], set: {all: a=1, quick: [b=2]}}]")
                        .replace("{used: utilization}", "{used: {quick: utilization, full: jainIndex}}"));
        List<PaperRun<?>> runs = figure.runs(Scale.QUICK);
        assertEquals(
                List.of("own 2", "own 4", "the other 2"),
                runs.stream().map(PaperRun::name).toList());
        assertEquals(List.of("protocol=weir", "a=1", "b=2", "n=4"), runs.get(1).settings());
    }

    @Test
    void runs_pointWithOtherSettings_hasThemInPlaceOfTheFigures() {
        Figure figure =
                FigureFile.parse("p/t", FILE.replace("quick: [2, 4]", "quick: [2, {name: apart, instead: [c=3]}]"));
        assertEquals(
                List.of("protocol=weir", "c=3"), figure.runs(Scale.QUICK).get(1).settings());
    }

    @Test
    void evaluate_severalUnits_areThoseOfTheValuesInTurn() {
        Figure figure = FigureFile.parse(
                "p/t",
                FILE.replace("min(used[$each])", "used[$each, 2]; used[$each, 4]")
                        .replace("must: \">= share[other]\"", "unit: [bytes, number]"));
        RunResults results = new RunResults();
        figure.runs(Scale.QUICK).forEach(run -> results.put(run, Map.of("used", List.of(2.0))));
        assertEquals(
                "2 B, 2", figure.evaluate(results, Scale.QUICK).claims().get(0).measured());
    }

    @Test
    void parse_mistakes_areRefusedWithTheirPlace() {
        assertRefused("p/t.yaml:1:1: titel: unknown key; did you mean \"title\"?", "title", "titel");
        assertRefused("the result has no \"utilisation\"", "used: utilization", "used: utilisation");
        assertRefused("\"> 1\" does not begin with >=, <=, falls or rises", ">= share[other]", "> 1");
        assertRefused("\"mine\" is none of own, other", "each: [own]", "each: [mine]");
        assertRefused("the key \"title\" is missing", "title: T\n", "");
    }
}
