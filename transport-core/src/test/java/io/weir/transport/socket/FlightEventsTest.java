package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.host.HostStack;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.observation.FlightEvents;
import io.weir.transport.runtime.EventLoop;
import io.weir.transport.telemetry.CounterId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link FlightEvents}: what happens to transports is in a recording, as Java's own parser reads it. */
class FlightEventsTest {
    @TempDir
    private Path folder;

    /** What is done while all of Weir's events are recorded. */
    @FunctionalInterface
    private interface Deed {
        void run() throws Exception;
    }

    private List<RecordedEvent> record(Deed deed) throws Exception {
        Path file = folder.resolve("weir.jfr");
        try (Recording recording = new Recording()) {
            for (Class<?> type : FlightEvents.class.getClasses()) {
                recording.enable("io.weir." + type.getSimpleName());
            }
            recording.start();
            deed.run();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = new ArrayList<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            if (event.getEventType().getName().startsWith("io.weir.")) {
                events.add(event);
            }
        }
        return events;
    }

    private static List<RecordedEvent> of(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("io.weir." + name))
                .toList();
    }

    @Test
    void connection_openedAndReset_isRecordedAtBothEnds() throws Exception {
        List<RecordedEvent> events = record(() -> {
            try (TwoTransports two = new TwoTransports()) {
                two.near().write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
                assertEquals(3, two.far().inputStream().readNBytes(3).length);
                two.near().abort();
                assertThrows(IOException.class, () -> two.far().inputStream().read());
            }
        });
        List<RecordedEvent> opened = of(events, "ConnectionOpened");
        assertEquals(2, opened.size(), events.toString());
        assertTrue(
                opened.stream().anyMatch(event -> event.getString("remote").equals("10.0.0.2:" + TwoTransports.PORT)),
                events.toString());
        assertTrue(opened.get(0).getString("protocol").length() > 1, events.toString());
        List<RecordedEvent> ended = of(events, "ConnectionEnded");
        assertEquals(
                List.of("ABORTED", "RESET"),
                ended.stream().map(event -> event.getString("reason")).sorted().toList());
        RecordedEvent atServer = ended.stream()
                .filter(event -> event.getString("reason").equals("RESET"))
                .findFirst()
                .orElseThrow();
        assertEquals(3, atServer.getLong("receivedBytes"));
        assertEquals("10.0.0.2:" + TwoTransports.PORT, atServer.getString("local"));
    }

    @Test
    void port_ofATransport_isRecordedWithItsMode() throws Exception {
        List<RecordedEvent> ports = of(record(() -> new TwoTransports().close()), "PortMode");
        assertEquals(2, ports.size());
        assertEquals("memory", ports.get(0).getString("backend"));
    }

    @Test
    void loop_holdsItsThread_isRecordedAsAPause() throws Exception {
        List<RecordedEvent> pauses = of(
                record(() -> {
                    try (TwoTransports two = new TwoTransports()) {
                        two.near();
                        EventLoop loop = two.client.loop();
                        HostStack host = two.client.hostStack();
                        long before = host.counters().get(CounterId.PAUSES);
                        two.client.execute(now ->
                                LockSupport.parkNanos(Duration.ofMillis(30).toNanos()));
                        while (host.counters().get(CounterId.PAUSES) == before) {
                            two.near().write(ByteBuffer.wrap(new byte[] {1}));
                        }
                        assertTrue(loop.monitor().stallNanosMax() > 0);
                    }
                }),
                "LoopPause");
        assertTrue(pauses.stream().anyMatch(event -> event.getDuration("length").toMillis() >= 20), pauses.toString());
    }

    @Test
    void peer_doesNotAnswer_isRecordedAsATimeOut() throws Exception {
        List<RecordedEvent> timeOuts = of(
                record(() -> {
                    CountDownLatch isOver = new CountDownLatch(1);
                    try (TwoTransports two = new TwoTransports()) {
                        two.near();
                        two.server.execute(now -> hold(isOver));
                        two.near().write(ByteBuffer.wrap(new byte[] {1}));
                        while (two.client.counters().get(CounterId.RETRANSMISSION_TIMEOUTS) == 0) {
                            Thread.onSpinWait();
                        }
                        isOver.countDown();
                    } finally {
                        isOver.countDown();
                    }
                }),
                "RetransmissionTimeout");
        assertTrue(timeOuts.size() >= 1, "no event");
        assertEquals("10.0.0.2:" + TwoTransports.PORT, timeOuts.get(0).getString("remote"));
        assertTrue(timeOuts.get(0).getLong("inFlightBytes") > 0, timeOuts.toString());
    }

    private static void hold(CountDownLatch isOver) {
        try {
            isOver.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void memory_isTaken_isRecordedOnceForAWhile() throws Exception {
        TransportConfig small = TransportConfig.builder()
                .streams(StreamLimits.GROWING.withMemoryBytesMax(65_536))
                .build();
        List<RecordedEvent> refusals = of(
                record(() -> {
                    List<WeirSocket> open = new ArrayList<>();
                    try (TwoTransports two = new TwoTransports(TransportConfig.DEFAULT, small)) {
                        two.listener();
                        while (two.server.counters().get(CounterId.DROP_BUSY) == 0) {
                            try {
                                open.add(two.client.connect(TwoTransports.SERVER, TwoTransports.PATIENCE));
                            } catch (IOException e) {
                                assertTrue(two.server.counters().get(CounterId.DROP_BUSY) > 0, e.toString());
                            }
                        }
                        assertTrue(open.stream().allMatch(WeirSocket::isOpen), "what was accepted stays");
                    }
                }),
                "MemoryRefused");
        assertTrue(refusals.size() >= 1, "no event");
        assertTrue(refusals.get(0).getLong("count") >= 1, refusals.toString());
    }

    @Test
    void events_nobodyRecords_areNotEnabled() {
        assertEquals(false, new FlightEvents.ConnectionOpened().isEnabled());
        assertEquals(false, new FlightEvents.LoopPause().isEnabled());
    }
}
