package io.weir.cli.scenario;

import io.weir.transport.testing.Document;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The scenario files of the repository. */
final class Scenarios {
    static final Path EXAMPLES = Document.root().resolve("docs/examples/scenarios");
    static final Path CATALOGUE = Document.root().resolve("benchmarks/scenarios");

    private Scenarios() {}

    /** {@return every scenario file: the examples and the catalogue} */
    static List<Path> all() {
        List<Path> files = new ArrayList<>();
        for (Path file : Document.files(".yaml")) {
            if (file.startsWith(EXAMPLES) || file.startsWith(CATALOGUE)) {
                files.add(file);
            }
        }
        return files;
    }

    /** {@return what an example describes} */
    static ScenarioPlan example(String name) {
        return ScenarioFile.read(EXAMPLES.resolve(name), List.of());
    }
}
