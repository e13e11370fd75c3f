package io.weir.netty;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs Netty's own tests over a link in memory. */
class MemorySuiteTest extends StreamSuite {
    private static TwoGroups groups;

    @BeforeAll
    static void open() {
        groups = MemoryHosts.open();
    }

    @AfterAll
    static void close() {
        groups.close();
    }

    @Override
    TwoGroups groups() {
        return groups;
    }
}
