package io.weir.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Document;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that each quotation of a paper or RFC, in comments, Javadoc and the pages of protocols, is in
 * {@code Citations.txt} with its source and section, and that the list has no other.
 *
 * <p>A comment cites {@code // = SOURCE SECTION: "QUOTATION"}, Javadoc {@code section X, "QUOTATION"}. {@code // = line N}
 * continues the citation before it, {@code // = deviation: ...} is none.
 */
class CitationsTest {
    private static final String LIST = "transport-core/src/test/resources/Citations.txt";
    /** A comment from its mark on, with the lines that continue it. */
    private static final Pattern COMMENT = Pattern.compile("// = (.*(?:\\n *// (?!=).*)*)");

    private static final Pattern JAVADOC = Pattern.compile("(?s)/\\*\\*.*?\\*/");
    private static final Pattern IN_JAVADOC = Pattern.compile("(section [\\w.]+)[,:] \"([^\"]+)\"");
    private static final Pattern CITED = Pattern.compile("([\\w-]+)(?: ([^:\"]+))?(?:: .*| .*)?");
    private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");
    /** Shorter words in quotation marks are names or signs. */
    private static final int QUOTATION_CHARS_MIN = 10;

    private static final Pattern NO_SOURCE = Pattern.compile("(lines? \\d|deviation: ).*");

    private record Citation(String source, String place, String quotation) {
        static Citation of(String line) {
            String[] parts = line.split(" \\| ", 3);
            return new Citation(parts[0], parts[1], parts[2]);
        }
    }

    private final Set<String> sources = new LinkedHashSet<>();
    private final List<Citation> list = new ArrayList<>();
    private final Set<Citation> used = new LinkedHashSet<>();
    private final List<String> faults = new ArrayList<>();

    CitationsTest() {
        for (String line : Document.read(LIST).lines().toList()) {
            if (line.contains(" | ")) {
                list.add(Citation.of(line));
            } else if (line.contains(" = ")) {
                sources.add(line.substring(0, line.indexOf(" = ")));
            }
        }
    }

    private static Stream<MatchResult> find(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }

    private static Stream<String> quotations(String text) {
        return find(QUOTED, text).map(found -> found.group(1)).filter(words -> words.length() >= QUOTATION_CHARS_MIN);
    }

    /** Notes a fault unless an entry of the list has the quotation, and the place where one is known. */
    private void require(String where, String place, String quotation) {
        List<Citation> entries = list.stream()
                .filter(entry -> place.isEmpty() || entry.place().equals(place))
                .filter(entry -> entry.quotation().contains(quotation))
                .toList();
        used.addAll(entries);
        if (entries.isEmpty()) {
            faults.add(where + " quotes, without an entry in the list: " + place + " \"" + quotation + "\"");
        }
    }

    private void readComment(String where, String comment) {
        if (NO_SOURCE.matcher(comment).matches()) {
            return;
        }
        Matcher cited = CITED.matcher(comment);
        if (!cited.matches() || !sources.contains(cited.group(1))) {
            faults.add(where + " cites no source of the list: " + comment);
            return;
        }
        quotations(comment).forEach(quotation -> {
            Citation citation = new Citation(cited.group(1), cited.group(2), quotation);
            used.add(citation);
            if (!list.contains(citation)) {
                faults.add(where + " quotes, without an entry in the list: " + citation);
            }
        });
    }

    private void readJava(String where, String text) {
        find(COMMENT, text)
                .forEach(comment -> readComment(where, comment.group(1).replaceAll("\\n *// ", " ")));
        find(JAVADOC, text)
                .map(javadoc -> javadoc.group().replaceAll("\\s*\\n\\s*\\* ?", " "))
                .flatMap(javadoc -> find(IN_JAVADOC, javadoc))
                .forEach(quotation -> require(where, quotation.group(1), quotation.group(2)));
    }

    private void readPage(String where, String text) {
        quotations(text.replaceAll("\\s+", " ")).forEach(quotation -> require(where, "", quotation));
    }

    @Test
    void quotations_ofPapers_areInTheListWithTheirSection() {
        for (Path file : Document.files(".java")) {
            if (!file.endsWith("CitationsTest.java")) {
                readJava(file.toString(), Document.read(file));
            }
        }
        for (Path page : Document.files(".md")) {
            if (page.getParent().endsWith("docs/protocols")) {
                readPage(page.toString(), Document.read(page));
            }
        }
        assertEquals(List.of(), faults);
        assertEquals(
                List.of(),
                list.stream().filter(entry -> !used.contains(entry)).toList(),
                "entries that nothing quotes");
        assertTrue(list.size() > 30, "only " + list.size() + " entries were read");
    }

    @Test
    void quotations_notInTheList_areFound() {
        readJava("comment", "x = 1; // = tfc section 4.6: \"words that no paper\n    // has\"\n");
        readJava("source", "// = nowhere section 1: \"a long quotation\"\n");
        readJava("javadoc", "/**\n * Source: DX, section V.B: \"words that\n * no paper has\".\n */\n");
        readPage("page", "It says \"words that\nno page may have\", here.");
        assertEquals(
                List.of("comment", "source", "javadoc", "page"),
                faults.stream()
                        .map(fault -> fault.substring(0, fault.indexOf(' ')))
                        .toList());
    }

    @Test
    void quotations_inTheList_areAccepted() {
        Citation entry = list.get(0);
        readJava("comment", "// = " + entry.source() + " " + entry.place() + ": \"" + entry.quotation() + "\"; more\n");
        readJava("none", "// = line 13\n// = deviation: bounds\n");
        assertEquals(List.of(), faults);
        assertEquals(Set.of(entry), used);
    }
}
