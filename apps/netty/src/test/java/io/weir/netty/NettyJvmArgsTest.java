package io.weir.netty;

import io.weir.transport.testing.JvmArgs;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests the {@code jvm.args} of this module. */
class NettyJvmArgsTest {
    @Test
    void commands_eachMethod_exists() throws IOException, ClassNotFoundException {
        JvmArgs.requireMethods(WeirIoHandler.class);
    }
}
