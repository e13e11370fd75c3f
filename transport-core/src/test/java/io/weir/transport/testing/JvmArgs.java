package io.weir.transport.testing;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The methods that a module's {@code jvm.args} names: the compiler says nothing when one of them does not exist. */
public final class JvmArgs {
    private static final String COMMAND = "-XX:CompileCommand=dontinline,";

    private JvmArgs() {}

    /** Fails unless each method exists that the file {@code jvm.args} next to {@code neighbour} names. */
    public static void requireMethods(Class<?> neighbour) throws IOException, ClassNotFoundException {
        List<String> names;
        try (InputStream file = neighbour.getResourceAsStream("jvm.args")) {
            names = new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(COMMAND))
                    .map(line -> line.substring(COMMAND.length()))
                    .toList();
        }
        assertFalse(names.isEmpty());
        for (String name : names) {
            int colons = name.indexOf("::");
            String method = name.substring(colons + 2);
            assertTrue(
                    Arrays.stream(Class.forName(name.substring(0, colons)).getDeclaredMethods())
                            .anyMatch(declared -> declared.getName().equals(method)),
                    name);
        }
    }
}
