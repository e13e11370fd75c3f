package io.weir.papers.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.papers.Figure;
import io.weir.papers.PaperRun;
import io.weir.papers.Scale;
import io.weir.papers.run.PaperRunner;
import io.weir.transport.node.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests {@link Papers}, and every figure that is registered there. */
class PapersTest {
    private static final Path CATALOGUE = Path.of("..", "..", PaperRun.CATALOGUE);

    static Stream<Figure> figures() {
        return Papers.FIGURES.stream();
    }

    @ParameterizedTest
    @MethodSource("figures")
    void figure_bothScales_readsItsFilesAndSettings(Figure figure) {
        for (Scale scale : Scale.values()) {
            Set<String> names = new HashSet<>();
            for (PaperRun<?> run : figure.runs(scale)) {
                assertTrue(names.add(run.name()), () -> figure.id() + " has two runs called " + run.name());
                assertTrue(Files.exists(CATALOGUE.resolve(run.file())), run::file);
            }
            // Reads every file with its settings.
            new PaperRunner(List.of(figure), scale);
        }
    }

    @ParameterizedTest
    @MethodSource("figures")
    void figure_words_areThere(Figure figure) {
        assertTrue(figure.id().matches("[a-z0-9-]+/[a-z0-9.-]+"), figure.id());
        assertFalse(figure.title().isBlank());
        for (Scale scale : Scale.values()) {
            assertFalse(figure.setting(scale).paper().isBlank());
            assertFalse(figure.setting(scale).scaling().isBlank());
        }
    }

    @Test
    void select_liveFigureWithoutLive_saysHow() {
        ConfigException e = assertThrows(ConfigException.class, () -> Papers.select(List.of("dx/fig10")));
        assertEquals("dx/fig10 is measured on real ports: add --live, as root", e.getMessage());
    }

    @Test
    void selectLive_none_isAllOfThemAndNothingElse() {
        assertEquals(Papers.LIVE, Papers.selectLive(List.of()));
        assertEquals(
                List.of("dx/fig12"),
                Papers.selectLive(List.of("dx/fig12")).stream().map(Figure::id).toList());
    }

    @Test
    void figures_ids_areUnique() {
        assertEquals(
                Papers.FIGURES.size(),
                Papers.FIGURES.stream().map(Figure::id).distinct().count());
    }

    @Test
    void select_paperOrFigures_keepsTheOrderOfTheList() {
        assertEquals(Papers.FIGURES, Papers.select(List.of()));
        List<String> ids =
                Papers.select(List.of("expresspass/fig10", "expresspass/table1", "expresspass/fig10")).stream()
                        .map(Figure::id)
                        .toList();
        assertEquals(List.of("expresspass/table1", "expresspass/fig10"), ids);
        assertTrue(Papers.select(List.of("expresspass")).size() >= 4);
    }

    @Test
    void select_unknown_namesTheNearOnes() {
        ConfigException refusal =
                assertThrows(ConfigException.class, () -> Papers.select(List.of("expresspass/fig1o")));
        assertTrue(refusal.getMessage().contains("expresspass/fig10, "), refusal.getMessage());
        ConfigException far = assertThrows(ConfigException.class, () -> Papers.select(List.of("zzz")));
        assertTrue(far.getMessage().contains("weir paper --list has them all"), far.getMessage());
    }
}
