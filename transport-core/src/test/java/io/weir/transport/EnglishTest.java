package io.weir.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Document;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that documents, sources, scenarios and schemas avoid phrases that readers stumble over. */
class EnglishTest {
    private static final List<String> ENDINGS = List.of(".java", ".md", ".yaml", ".json", ".c", ".h");
    /** This test has the phrases, and papers may say what they like. */
    private static final List<String> EXEMPT = List.of("EnglishTest.java", "CitationsTest.java");
    /** What goes on with a sentence in the next line: the mark of a comment, or a string that is joined. */
    private static final Pattern LINE_BREAK = Pattern.compile(" *\"?\\s*\\n\\s*(?:\\*+/?|//|#|\\+ \")?\\s*");

    /** Each phrase with what to write in its place. */
    private static final Map<String, String> PHRASES = new TreeMap<>(Map.ofEntries(
            Map.entry("\\banew\\b", "again"),
            Map.entry("\\bof (?:its|their|one's) own\\b", "separate, or independent"),
            Map.entry("\\b(?:becomes?|became) of\\b", "what happens to"),
            Map.entry("\\bbeside\\b", "next to, or compared with"),
            Map.entry("\\bwhoever\\b", "who"),
            Map.entry("\\bsays how\\b", "states, or describes"),
            Map.entry("\\b(?:sent|send|sends|sending) again\\b", "retransmit"),
            Map.entry("\\bshort of\\b", "below, or failed"),
            Map.entry("\\bfor ever\\b", "forever, or until"),
            Map.entry("\\bat rest\\b", "idle"),
            Map.entry("\\bcomes? to rest\\b", "settle"),
            Map.entry("(?<!\\.)\\bhears\\b(?!\\()", "is told, or receives"),
            Map.entry("\\bheard of\\b", "heard from, or echoed"),
            Map.entry("\\bof itself\\b", "about itself"),
            Map.entry("\\bwithout a word\\b", "silently"),
            Map.entry("\\bnothing (?:else )?is said\\b", "by default"),
            Map.entry("\\bcalled otherwise\\b", "with another name"),
            Map.entry("\\bin own words\\b", "paraphrased"),
            Map.entry("\\b(?:frames|credits|bits|bytes|packets|messages) a second\\b", "per second"),
            Map.entry("\\b[0-9]+ [num]?s a (?:frame|host|round trip|credit|hop)\\b", "per"),
            Map.entry("\\binstance a \\w", "instance per")));

    private static List<String> faults(String name, String text) {
        String sentence = LINE_BREAK.matcher(text).replaceAll(" ");
        List<String> faults = new ArrayList<>();
        PHRASES.forEach((phrase, better) -> Pattern.compile(phrase, Pattern.CASE_INSENSITIVE)
                .matcher(sentence)
                .results()
                .forEach(found -> faults.add(name + " has \"" + found.group() + "\"; write " + better)));
        return faults;
    }

    @Test
    void texts_haveNoneOfThePhrases() {
        List<Path> files = ENDINGS.stream()
                .map(Document::files)
                .flatMap(List::stream)
                .filter(file -> !EXEMPT.contains(file.getFileName().toString()))
                .toList();
        List<String> faults = files.stream()
                .flatMap(file -> faults(Document.root().relativize(file).toString(), Document.read(file)).stream())
                .toList();
        assertEquals(List.of(), faults);
        assertTrue(files.size() > 1_000, "only " + files.size() + " files were found");
    }

    @Test
    void phrases_acrossLines_areFound() {
        assertEquals(
                List.of("comment", "javadoc", "string", "yaml"),
                Stream.of(
                                faults("comment", "// each with a thread of its\n    // own"),
                                faults("javadoc", "/**\n * What becomes\n * of it.\n */"),
                                faults("string", "\"it is sent \"\n    + \"again\""),
                                faults("yaml", "# 200 ns a frame"))
                        .flatMap(List::stream)
                        .map(fault -> fault.substring(0, fault.indexOf(' ')))
                        .toList());
    }
}
