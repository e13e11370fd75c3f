package io.weir.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Document;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that what the documents point at is there: files, headings, classes and their members. */
class DocumentLinksTest {
    private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+?)\\s*$");
    /** A name of two humps or more, perhaps with a package before it and a member behind it. */
    private static final Pattern NAME = Pattern.compile(
            "`(?:[a-z][a-z0-9]*\\.)*([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+)(?:\\.([A-Za-z_]+))?(?:\\(\\))?`");

    private static final Pattern NESTED = Pattern.compile("(?:class|record|enum|interface) ([A-Z]\\w+)");
    private static final List<String> JDK = List.of(
            "java.util.concurrent.",
            "java.lang.",
            "java.io.",
            "java.net.",
            "java.net.http.",
            "java.nio.channels.",
            "java.nio.channels.spi.",
            "java.util.",
            "java.security.",
            "javax.net.");

    private final Map<String, String> sources = new HashMap<>();

    DocumentLinksTest() {
        for (Path file : Document.files(".java")) {
            String text = Document.read(file);
            String name = file.getFileName().toString().replace(".java", "");
            sources.merge(name, text, String::concat);
            NESTED.matcher(text).results().forEach(type -> sources.putIfAbsent(type.group(1), text));
        }
    }

    private static List<MatchResult> find(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }

    private static Set<String> anchors(Path document) {
        return find(HEADING, Document.read(document)).stream()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    /** {@return what is wrong with a link, or null} */
    private static String fault(Path document, String link) {
        if (link.matches("[a-z]+:.*")) {
            return null;
        }
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty()
                ? document
                : document.resolveSibling(parts[0]).normalize();
        if (!Files.exists(target)) {
            return document + " links to " + link + ", which is not there";
        }
        boolean isMissing = parts.length == 2 && !anchors(target).contains(parts[1]);
        return isMissing ? document + " links to " + link + ", which has no such heading" : null;
    }

    private boolean exists(String type, String member) {
        String source = sources.get(type);
        if (source != null) {
            return member == null || source.matches("(?s).*\\b" + member + "\\b.*");
        }
        for (String prefix : JDK) {
            try {
                Class.forName(prefix + type, false, getClass().getClassLoader());
                return true;
            } catch (ClassNotFoundException e) {
                // The next package may have it.
            }
        }
        return false;
    }

    @Test
    void links_relative_lead_somewhere() {
        List<String> faults = new ArrayList<>();
        for (Path document : Document.files(".md")) {
            for (MatchResult link :
                    find(LINK, FENCE.matcher(Document.read(document)).replaceAll(""))) {
                String fault = fault(document, link.group(1));
                if (fault != null) {
                    faults.add(fault);
                }
            }
        }
        assertEquals(List.of(), faults);
    }

    @Test
    void classNames_inDocuments_exist() {
        List<String> faults = new ArrayList<>();
        int names = 0;
        for (Path document : Document.files(".md")) {
            for (MatchResult name : find(NAME, Document.read(document))) {
                names++;
                if (!exists(name.group(1), name.group(2))) {
                    faults.add(document + " names " + name.group());
                }
            }
        }
        assertEquals(List.of(), faults);
        assertTrue(names > 60, "only " + names + " names were found: the pattern misses them");
    }

    @Test
    void names_thatAreNowhere_areFound() {
        assertTrue(exists("CreditSender", "TABLE") && exists("SecureRandom", null));
        assertFalse(exists("CreditSender", "noSuchMember"));
        assertFalse(exists("NoSuchClassAnywhere", null));
        Path document = Document.root().resolve("docs/ARCHITECTURE.md");
        assertTrue(fault(document, "NO_SUCH_FILE.md").contains("not there"));
        assertTrue(fault(document, "WIRE.md#no-such-heading").contains("no such heading"));
    }
}
