package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import io.weir.transport.testing.SmallJvm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link RuntimeCheck} in virtual machines with the flags that a user may have. */
class RuntimeCheckTest {
    /** A program that was started without any flag. */
    static final class Echo {
        private Echo() {}

        public static void main(String[] arguments) throws IOException {
            try (TwoTransports pair = new TwoTransports()) {
                pair.near().write(ByteBuffer.wrap(new byte[] {'e', 'c', 'h', 'o'}));
                ByteBuffer bytes = ByteBuffer.allocate(4);
                while (bytes.hasRemaining()) {
                    pair.far().read(bytes);
                }
                System.out.println("came: " + new String(bytes.array(), StandardCharsets.US_ASCII));
            }
        }
    }

    /** A program that opens an interface where the JVM has nothing that could open the package. */
    static final class Refused {
        private Refused() {}

        public static void main(String[] arguments) throws IOException {
            try {
                Transport.open("eth0").close();
            } catch (ConfigException e) {
                System.out.println("refused: " + e.getMessage());
            }
            try {
                new FramePool(8, 2048);
            } catch (IllegalStateException e) {
                System.out.println("no pool: " + e.getMessage());
            }
        }
    }

    @Test
    void open_jvmWithoutFlags_works() throws Exception {
        String output = SmallJvm.run(List.of("-Xmx1g"), Echo.class);

        assertTrue(output.contains("came: echo"), output);
    }

    @Test
    void open_jvmThatRefuses_namesTheFlagBeforeAnythingIsOpened() throws Exception {
        String output = SmallJvm.run(List.of("--limit-modules", "java.base"), Refused.class);

        assertTrue(output.contains("refused: the JVM keeps the buffer library from memory access"), output);
        assertTrue(output.contains("no pool: the JVM keeps the buffer library from memory access"), output);
        assertTrue(output.contains("start it with --add-opens java.base/jdk.internal.misc=ALL-UNNAMED"), output);
    }
}
