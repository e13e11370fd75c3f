package io.weir.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Document;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that docs/STATES.md draws each state machine as its table has it. The tests of the machines compare their
 * tables with the graphs from which the drawings are made.
 */
class StateDiagramsTest {
    private static final String PAGE = "docs/STATES.md";
    private static final Pattern EDGE = Pattern.compile("(?m)^  (\\w+) -> (\\w+) \\[label=\"(\\w+)\"\\];$");

    static List<Path> graphs() {
        return Document.files(".dot").stream()
                .filter(file -> file.toString().contains("src/test/resources"))
                .toList();
    }

    /** {@return a graph in Mermaid's language, with one arrow from a state to another for all events} */
    private static String mermaid(String graph) {
        Map<String, String> arrows = new LinkedHashMap<>();
        EDGE.matcher(graph)
                .results()
                .forEach(edge -> arrows.merge(
                        edge.group(1) + " --> " + edge.group(2), edge.group(3), (one, other) -> one + ", " + other));
        return arrows.entrySet().stream()
                .map(arrow -> "    " + arrow.getKey() + ": " + arrow.getValue() + "\n")
                .collect(Collectors.joining("", "```mermaid\nstateDiagram-v2\n", "```\n"));
    }

    @ParameterizedTest
    @MethodSource("graphs")
    void page_eachGraph_isDrawn(Path graph) {
        String name = graph.getFileName().toString().replace(".dot", "");
        Document.requireBlock(PAGE, name, mermaid(Document.read(graph)));
    }

    @Test
    void graphs_areFound() {
        assertTrue(Files.exists(Document.root().resolve(PAGE)));
        assertTrue(graphs().size() >= 4, graphs().toString());
    }

    @Test
    void mermaid_twoEventsToOneState_shareAnArrow() {
        assertEquals(
                "```mermaid\nstateDiagram-v2\n    A --> B: X, Y\n```\n",
                mermaid("digraph G {\n  A -> B [label=\"X\"];\n  A -> B [label=\"Y\"];\n}\n"));
    }
}
