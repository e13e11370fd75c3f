package io.weir.bench.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests {@link SocketBenchmark}. */
class SocketBenchmarkTest {
    @Test
    void run_inMemory_saysBothAndTheirRatio() throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        SocketBenchmark.Result result = SocketBenchmark.run(
                new SocketOptions(4, 20, 5_000, true, 0), new PrintStream(said, true, StandardCharsets.UTF_8));
        assertTrue(result.weirNanos() > 0);
        assertTrue(result.ratioMin() <= result.ratio() && result.ratio() <= result.ratioMaximum());
        String text = said.toString(StandardCharsets.UTF_8);
        assertTrue(text.startsWith("5000 B, memory, 2 turns of 20 round trips: Weir's sockets p50 "), text);
        assertEquals(1, text.lines().count());
    }
}
