package io.weir.transport;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@code jvm.args}: the compiler says nothing when a method that it names does not exist. */
class JvmArgsTest {
    private static final String COMMAND = "-XX:CompileCommand=dontinline,";

    @Test
    void commands_eachMethod_exists() throws IOException, ClassNotFoundException {
        List<String> names;
        try (InputStream file = JvmArgsTest.class.getResourceAsStream("jvm.args")) {
            names = new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(COMMAND))
                    .map(line -> line.substring(COMMAND.length()))
                    .toList();
        }
        assertFalse(names.isEmpty());
        for (String name : names) {
            String[] parts = name.split("::");
            assertTrue(
                    Arrays.stream(Class.forName(parts[0]).getDeclaredMethods())
                            .anyMatch(method -> method.getName().equals(parts[1])),
                    name);
        }
    }
}
