package io.weir.netty;

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
        try (InputStream file = WeirIoHandler.class.getResourceAsStream("jvm.args")) {
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
