package io.weir.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Document;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Tests comments in the sources of all modules: none is torn, none repeats a name, and each mutable field of a class
 * with more than four has one, alone or for a group of fields without a line between.
 */
class CommentsTest {
    /** A line that ends before this column is torn if the next word would have fit. */
    private static final int TORN_COLUMN = 100;

    private static final int FIELDS_WITHOUT_COMMENT = 4;
    private static final Pattern LINE_COMMENT = Pattern.compile("( *// )((?:= )?\\S.*)");
    private static final Pattern CONTINUED = Pattern.compile("( *// )(?![= ])(\\S+).*");
    private static final Pattern REPEATED =
            Pattern.compile("/\\*\\* (?:Creates the (?:figure|exception)|Copies the lists?"
                    + "|Validates (?:the [\\w-]+|all|every \\w+))\\. \\*/");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
    private static final Pattern LITERAL = Pattern.compile("\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])'");
    private static final Pattern TYPE = Pattern.compile("\\b(class|interface|enum|record)\\s+(\\w+)");
    private static final Pattern FIELD =
            Pattern.compile("(?s)\\s*(?:@\\w+\\s+)*((?:(?:private|protected|public|volatile"
                    + "|transient|final|static|abstract)\\s+)*)[A-Za-z_][\\w.<>\\[\\], ?@]*?\\s+(\\w+)\\s*");
    private static final Pattern FIXED = Pattern.compile("\\b(?:final|static|abstract)\\b");

    /** Part of a source between braces: a type with its mutable fields, or another block. */
    private record Block(boolean isClass, String name, List<Integer> fieldLines) {}

    private final List<String> faults = new ArrayList<>();

    private void findTorn(String name, String source) {
        List<String> lines = source.lines().toList();
        for (int i = 0; i + 1 < lines.size(); i++) {
            Matcher line = LINE_COMMENT.matcher(lines.get(i));
            Matcher next = CONTINUED.matcher(lines.get(i + 1));
            if (line.matches()
                    && next.matches()
                    && line.group(1).equals(next.group(1))
                    && !line.group(2).matches(".*[.:;!?]")
                    && lines.get(i).length() + 1 + next.group(2).length() <= TORN_COLUMN) {
                faults.add(name + ":" + (i + 1) + " is torn; join it with the next line");
            }
        }
    }

    private static String blank(Pattern pattern, String source) {
        return pattern.matcher(source)
                .replaceAll(found -> Matcher.quoteReplacement(found.group().replaceAll("[^\\n]", " ")));
    }

    /** Looks for fields in a source; annotated ones, which are a command's options, have their texts. */
    private void findFields(String name, String source) {
        String code = blank(COMMENT, blank(LITERAL, source));
        List<String> lines = source.lines().toList();
        Deque<Block> blocks = new ArrayDeque<>();
        int parentheses = 0;
        int begin = 0;
        for (int i = 0; i < code.length(); i++) {
            String statement = code.substring(begin, i);
            switch (code.charAt(i)) {
                case '(' -> parentheses++;
                case ')' -> parentheses--;
                case '{' -> {
                    blocks.push(block(statement));
                    begin = statement.contains("=") ? begin : i + 1;
                }
                case '}' -> {
                    requireComments(name, blocks.pop(), lines);
                    begin = statement.contains("=") ? begin : i + 1;
                }
                case ';' -> {
                    if (parentheses == 0) {
                        addField(blocks.peek(), statement, lineOf(code, begin, statement));
                        begin = i + 1;
                    }
                }
                default -> {
                    // It is part of a statement.
                }
            }
        }
    }

    private static Block block(String head) {
        Matcher type = TYPE.matcher(head);
        boolean isType = type.find() && !head.contains("=");
        return new Block(isType && type.group(1).equals("class"), isType ? type.group(2) : "", new ArrayList<>());
    }

    private static int lineOf(String code, int begin, String statement) {
        int indent = statement.length() - statement.stripLeading().length();
        return (int)
                code.substring(0, begin + indent).chars().filter(c -> c == '\n').count();
    }

    private static void addField(Block block, String statement, int line) {
        Matcher field = FIELD.matcher(statement.split("=", 2)[0]);
        if (block != null
                && block.isClass()
                && field.matches()
                && !FIXED.matcher(field.group(1)).find()) {
            block.fieldLines().add(line);
        }
    }

    private void requireComments(String name, Block block, List<String> lines) {
        // A builder's fields are explained by the methods that set them.
        if (block.fieldLines().size() <= FIELDS_WITHOUT_COMMENT || block.name().equals("Builder")) {
            return;
        }
        boolean isInGroup = false;
        int previous = -1;
        for (int line : block.fieldLines()) {
            String above = lines.get(line - 1).strip();
            isInGroup = above.startsWith("//") || (isInGroup && previous == line - 1);
            if (!isInGroup && !above.endsWith("*/") && !lines.get(line).contains("//")) {
                faults.add(name + ":" + (line + 1) + " has no comment; give unit, writer and invariant");
            }
            previous = line;
        }
    }

    @Test
    void comments_ofEverySource_areWholeAndSaySomething() {
        List<Path> files = Document.files(".java");
        for (Path file : files) {
            String name = Document.root().relativize(file).toString();
            String source = Document.read(file);
            findTorn(name, source);
            if (name.contains("/main/")) {
                findFields(name, source);
                if (REPEATED.matcher(source).find()) {
                    faults.add(name + " has Javadoc that repeats a name; delete it");
                }
            }
        }
        assertEquals(List.of(), faults);
        assertTrue(files.size() > 1_000, "only " + files.size() + " files were found");
    }

    @Test
    void comments_tornOrMissing_areFound() {
        findTorn("torn", "    // alpha before the next\n    // notification, so it is worked out then.\n");
        String group = "    // All of them in bytes; written by step.\n    long a;\n    long b;\n    long c;\n";
        findFields("missing", "class A {\n" + group + "\n    int d = 0;\n    /** Set once. */\n    int e;\n}\n");
        assertEquals(
                List.of("torn:1", "missing:7"),
                faults.stream()
                        .map(fault -> fault.substring(0, fault.indexOf(' ')))
                        .toList());
    }

    @Test
    void comments_thatAreGood_areAccepted() {
        findTorn("none", "    // It ends here.\n    // The next begins:\n    // one\n    int a;\n");
        findFields(
                "few",
                "class A {\n    int a;\n    int b;\n    int c;\n    int d;\n    void f(int e) {\n        int g;\n    }\n}\n");
        assertEquals(List.of(), faults);
    }
}
