package io.weir.transport.host;

import io.weir.transport.testing.Golden;
import org.junit.jupiter.api.Test;

/**
 * Tests {@link Lifecycle}: its table; what it does is in the conversations of {@link ConnectionTest} and {@link
 * HandshakeTest}.
 */
class LifecycleTest {
    @Test
    void table_asGraph_isTheGoldenOne() {
        Golden.requireEqual("Lifecycle.dot", Lifecycle.TABLE.toDot());
    }

    // ---- what was written and is taken back
}
