package io.weir.papers.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Document;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tests that the drawings in docs/figures are few, small and shown, that each names the command that makes it, and that
 * documents agree on the number of verdicts.
 */
class DocumentFiguresTest {
    private static final int COUNT_MAX = 12;
    private static final long BYTES_MAX = 300_000;
    private static final Pattern MAKER = Pattern.compile("<desc>\\./weir paper --quick (\\S+) --out DIR</desc>");

    /** A paper's line of the table in docs/PAPER.md: claims met, failed, and reported only. */
    private static final Pattern VERDICTS =
            Pattern.compile("(?m)^\\| \\w+ \\| (\\d+) \\| \\[(\\d+)]\\(\\S+\\) \\| (\\d+) \\|$");

    private static List<Path> drawings() {
        return Document.files(".svg").stream()
                .filter(file -> file.getParent().endsWith("docs/figures"))
                .toList();
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void drawings_together_areFewAndSmall() {
        assertFalse(drawings().isEmpty());
        assertTrue(drawings().size() <= COUNT_MAX, drawings().toString());
        long bytes = drawings().stream().mapToLong(DocumentFiguresTest::size).sum();
        assertTrue(bytes < BYTES_MAX, bytes + " bytes");
    }

    @Test
    void drawing_each_namesTheFigureThatMakesIt() {
        for (Path drawing : drawings()) {
            Matcher maker = MAKER.matcher(Document.read(drawing));
            assertTrue(maker.find(), drawing + " names no command");
            assertEquals(1, Papers.select(List.of(maker.group(1))).size(), maker.group(1));
            assertTrue(
                    drawing.getFileName().toString().startsWith(maker.group(1).replace('/', '-')), drawing.toString());
        }
    }

    @Test
    void drawing_each_isShownByADocument() {
        String documents = Document.files(".md").stream().map(Document::read).collect(Collectors.joining());
        for (Path drawing : drawings()) {
            assertTrue(documents.contains("figures/" + drawing.getFileName() + ")"), drawing.toString());
        }
    }

    @Test
    void readme_verdicts_areTheSumsOfTheTable() {
        int[] sums = new int[3];
        Matcher line = VERDICTS.matcher(Document.read(Document.root().resolve("docs/PAPER.md")));
        while (line.find()) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += Integer.parseInt(line.group(i + 1));
            }
        }
        String readme = Document.read(Document.root().resolve("README.md")).replaceAll("\\s+", " ");
        String expected = sums[0] + " are met, " + sums[1] + " fail and " + sums[2] + " are only reported";
        assertTrue(sums[0] > 0 && readme.contains(expected), expected);
    }
}
