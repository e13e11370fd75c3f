package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.transport.frame.FramePool;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.MemoryNetwork;
import io.weir.transport.testing.SmallJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests what a shutdown hook finds when the loop's own thread has called {@link System#exit}. */
class TransportExitTest {
    @ParameterizedTest
    @EnumSource(IdleMode.class)
    void close_loopsThreadIsInExit_doesNotWaitForIt(IdleMode mode) throws Exception {
        String output = SmallJvm.run(List.of("-Xmx256m"), ExitInTask.class, mode.name());
        assertEquals("closed: Transport closed, port free\n", output.substring(output.indexOf("closed:")));
    }

    /** Ends the process in a task of a loop. */
    public static final class ExitInTask {
        private ExitInTask() {}

        public static void main(String[] arguments) throws IOException {
            IdleMode mode = IdleMode.valueOf(arguments[0]);
            FramePool pool = new FramePool(256, 2_048);
            Transport transport = Transport.open(
                    MemoryNetwork.pair(pool, new FramePool(256, 2_048), 1_500, 10_000_000_000L)
                            .get(0),
                    pool,
                    TransportConfig.builder().idleMode(mode).build());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                // Who waits for the loop waits until then.
                transport.close(Duration.ofDays(1));
                boolean isFree = pool.available() == pool.frameCount();
                String state = transport.loop().isClosed() ? "Transport closed" : "open";
                System.out.println("closed: " + state + (isFree ? ", port free" : ", port taken"));
            }));
            transport.execute(now -> System.exit(0));
            while (mode == IdleMode.INVOKER) {
                transport.runOnce();
            }
        }
    }
}
