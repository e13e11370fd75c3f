package io.weir.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.weir.nic.lab.LiveTest;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Runs Netty's own tests over AF_XDP, with 1 % of the frames lost and 1 % overtaken in each direction. */
@LiveTest(isBalanced = false) // loops of Netty's and a transport are open over all tests
@Tag("slow")
class LossySuiteLiveTest extends StreamSuite {
    private static AfXdpHosts hosts;
    private static ResourceLeakDetector.Level level;

    @BeforeAll
    static void open() throws Exception {
        // To note each use of each buffer takes longer than some of the suite's time limits, where it reads bytes one
        // by one.
        level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.ADVANCED);
        hosts = AfXdpHosts.openLossy();
    }

    @AfterAll
    static void close() {
        hosts.close();
        ResourceLeakDetector.setLevel(level);
    }

    @Override
    TwoGroups groups() {
        return hosts.groups();
    }

    /** One is enough here: {@link MemorySuiteTest} has both. */
    @Override
    List<ByteBufAllocator> allocators(List<ByteBufAllocator> all) {
        return all.subList(0, 1);
    }

    @Override
    int sslEchoesPerRun() {
        return 8;
    }
}
