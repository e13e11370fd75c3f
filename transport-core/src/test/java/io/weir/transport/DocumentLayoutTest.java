package io.weir.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Document;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the text of all documents stays within 120 columns; tables and code may be wider. */
class DocumentLayoutTest {
    private static final int COLUMNS = 120;
    private static final String FENCE = "```";
    private static final String CODE_INDENT = "    ";

    /** {@return the numbers, from 1, of the lines of text that are too long and could be wrapped} */
    private static List<Integer> longLines(String document) {
        List<Integer> found = new ArrayList<>();
        boolean isFenced = false;
        boolean mayStartCode = true;
        List<String> lines = document.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.strip().startsWith(FENCE)) {
                isFenced = !isFenced;
                continue;
            }
            // Indentation makes code only after an empty line; after text it continues a list.
            boolean isCode = isFenced || (mayStartCode && line.startsWith(CODE_INDENT));
            mayStartCode = isCode || line.isBlank();
            boolean isTable = line.strip().startsWith("|");
            if (!isCode && !isTable && isTooLong(line)) {
                found.add(i + 1);
            }
        }
        return found;
    }

    /** A word such as a link that is longer than a line cannot be wrapped: it may stand alone, even in a list. */
    private static boolean isTooLong(String line) {
        int mark =
                line.length() - line.stripLeading().replaceFirst("^[-*] ", "").length();
        return line.length() > COLUMNS && line.lastIndexOf(' ') >= mark;
    }

    @Test
    void lines_ofText_areWithin120Columns() {
        List<String> faults = new ArrayList<>();
        List<Path> documents = Document.files(".md");
        for (Path document : documents) {
            for (int line : longLines(Document.read(document))) {
                faults.add(document + ":" + line + " has more than " + COLUMNS + " columns; wrap it");
            }
        }
        assertEquals(List.of(), faults);
        assertTrue(documents.size() > 30, "only " + documents.size() + " documents were found");
    }

    @Test
    void lines_tooLong_areFoundInTextAlone() {
        String text = "word ".repeat(25).strip();
        assertEquals(List.of(1), longLines(text));
        assertEquals(List.of(2), longLines("- item\n    " + text));
        assertEquals(List.of(6), longLines("```\n" + text + "\n```\n| " + text + " |\n\n- " + text));
        assertEquals(List.of(), longLines("text\n\n    " + text + "\n    " + text));
        assertEquals(List.of(), longLines("- " + "x".repeat(130)));
    }
}
