package io.weir.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that what a newcomer copies from the documents compiles as it is printed, imports included. */
class SnippetsTest {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern SNIPPET = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

    @TempDir
    Path folder;

    private static List<String> snippets(String document) throws Exception {
        return SNIPPET.matcher(Files.readString(ROOT.resolve(document)))
                .results()
                .map(snippet -> snippet.group(1))
                .toList();
    }

    /** {@return what the compiler says about a source file; empty when it takes it} */
    private String compile(String source) {
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///Snippet.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoresEncodingErrors) {
                        return source;
                    }
                };
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options = List.of(
                "--release", "17", "-proc:none", "-cp", System.getProperty("java.class.path"), "-d", folder.toString());
        boolean isCompiled = compiler.getTask(messages, null, null, options, null, List.of(file))
                .call();
        return isCompiled ? "" : messages.toString();
    }

    @ParameterizedTest
    @CsvSource({"README.md, 1", "docs/MOVE-A-SERVICE.md, 3"})
    void document_everySnippet_compilesAsPrinted(String document, int count) throws Exception {
        List<String> snippets = snippets(document);
        assertEquals(count, snippets.size());
        for (String snippet : snippets) {
            assertEquals("", compile(snippet), document + ":\n" + snippet);
        }
    }

    @Test
    void compile_snippetWithoutAnImport_isRefused() throws Exception {
        String snippet = snippets("README.md").get(0).replaceFirst("import java.time.Duration;", "");
        assertTrue(compile(snippet).contains("cannot find symbol"));
    }
}
