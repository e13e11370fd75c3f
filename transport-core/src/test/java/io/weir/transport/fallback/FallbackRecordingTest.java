package io.weir.transport.fallback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that {@link Fallback} leaves what goes another way than Weir in a recording of Java's Flight Recorder. */
class FallbackRecordingTest {
    @TempDir
    private Path folder;

    @Test
    void tell_anotherWayThanWeir_isRecordedWithTheReason() throws Exception {
        Path file = folder.resolve("weir.jfr");
        InetSocketAddress remote = new InetSocketAddress("10.0.0.2", 7_000);
        try (Recording recording = new Recording();
                Fallback fallback = Fallback.open(Rules.parse("test", ""), name -> null, Duration.ZERO)) {
            recording.enable("io.weir.Fallback");
            recording.start();
            fallback.tell(new Explanation(Outcome.WEIR, remote, 5, nanos -> "over Weir"));
            fallback.tell(new Explanation(Outcome.TCP_FIRST, remote, 7, nanos -> "over TCP after " + nanos));
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertEquals(1, events.size(), events.toString());
        assertEquals("TCP_FIRST", events.get(0).getString("outcome"));
        assertEquals("10.0.0.2:7000", events.get(0).getString("remote"));
        assertTrue(events.get(0).getString("explanation").contains("after 7"), events.toString());
    }
}
