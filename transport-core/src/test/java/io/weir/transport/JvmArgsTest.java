package io.weir.transport;

import io.weir.transport.testing.JvmArgs;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests the stack's {@code jvm.args}. */
class JvmArgsTest {
    @Test
    void commands_eachMethod_exists() throws IOException, ClassNotFoundException {
        JvmArgs.requireMethods(JvmArgsTest.class);
    }
}
