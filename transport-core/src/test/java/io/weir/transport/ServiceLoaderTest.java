package io.weir.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.testing.Document;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Tests that the sources of all modules look for services with a loader of Weir's: that of the calling thread may not
 * see the application's libraries, as that of the common pool's threads does not where an archive has nested ones.
 */
class ServiceLoaderTest {
    private static final Pattern BY_THREAD =
            Pattern.compile("ServiceLoader\\s*\\.load\\(\\s*[A-Za-z.]+\\.class\\s*\\)");

    private static boolean isFaulty(String source) {
        return BY_THREAD.matcher(source).find();
    }

    @Test
    void services_areFoundByWeirsLoader() {
        List<Path> faulty = Document.files(".java").stream()
                .filter(file -> isFaulty(Document.read(file)))
                .map(Document.root()::relativize)
                .toList();
        assertEquals(List.of(), faulty, "pass the loader of the service's class");
    }

    @Test
    void pattern_ofTheFault_isFound() {
        String call = "ServiceLoader" + ".load(Backend.class";
        assertTrue(isFaulty(call + ")"));
        assertTrue(isFaulty(call + "\n )"));
        assertFalse(isFaulty(call + ", Backend.class.getClassLoader())"));
    }
}
