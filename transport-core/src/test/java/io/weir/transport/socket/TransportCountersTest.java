package io.weir.transport.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.observation.CounterFolder;
import io.weir.transport.observation.CounterReading;
import io.weir.transport.observation.CounterSnapshot;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.telemetry.FlowField;
import io.weir.transport.telemetry.FlowTable;
import io.weir.transport.telemetry.GaugeId;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@link TransportCounters}: what others see of a transport that runs, and that it runs where nobody can. */
class TransportCountersTest {
    @TempDir
    private Path parent;

    private String before;

    @BeforeEach
    void keepProperty() {
        before = System.getProperty(CounterFolder.PROPERTY);
    }

    @AfterEach
    void restoreProperty() {
        if (before == null) {
            System.clearProperty(CounterFolder.PROPERTY);
        } else {
            System.setProperty(CounterFolder.PROPERTY, before);
        }
    }

    private CounterFolder useFolder(Path root) {
        System.setProperty(CounterFolder.PROPERTY, root.toString());
        return new CounterFolder(root);
    }

    /** {@return the files' content, once a loop of each has seen a connection} */
    private static List<CounterSnapshot> awaitConnections(CounterFolder folder) {
        while (true) {
            List<CounterSnapshot> snapshots = folder.list().files().stream()
                    .map(file -> CounterReading.of(file).snapshot())
                    .toList();
            if (snapshots.stream().allMatch(snapshot -> snapshot.gauge("CONNECTIONS") > 0)) {
                return snapshots;
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void file_ofATransportThatRuns_hasItsCountsAndConnections() throws Exception {
        CounterFolder folder = useFolder(parent.resolve("weir"));
        try (TwoTransports two = new TwoTransports();
                WeirServerSocket listener = two.server.listen(TwoTransports.PORT);
                WeirSocket socket = two.client.connect(TwoTransports.SERVER, TwoTransports.PATIENCE);
                WeirSocket accepted = listener.accept()) {
            socket.write(ByteBuffer.wrap(new byte[] {42}));
            assertEquals(42, accepted.inputStream().read());
            List<CounterSnapshot> snapshots = awaitConnections(folder);
            assertEquals(2, snapshots.size());
            long sent = snapshots.stream()
                    .mapToLong(snapshot -> snapshot.counter("FRAMES_SENT"))
                    .sum();
            long counted = two.client.counters().get(CounterId.FRAMES_SENT)
                    + two.server.counters().get(CounterId.FRAMES_SENT);
            assertTrue(sent > 0 && sent <= counted, sent + " of " + counted);
            for (CounterSnapshot snapshot : snapshots) {
                assertEquals("memory", snapshot.facts().backend());
                CounterSnapshot.Flow flow = snapshot.loops().get(0).flows().get(0);
                assertEquals(4, flow.get(FlowField.IP_VERSION));
                assertTrue(flow.get(FlowField.LOCAL_PORT) == TwoTransports.PORT
                        || flow.get(FlowField.REMOTE_PORT) == TwoTransports.PORT);
                assertTrue(flow.get(FlowField.STATE) < FlowTable.STATES.size());
                assertTrue(snapshot.gauge("FRAMES_FREE") > 0 && snapshot.gauge("REPORTED_MILLIS") > 0);
            }
        }
        assertEquals(List.of(), folder.list().files());
    }

    @Test
    void file_ofATransportWhoseTasksFail_hasEachKindOfFault() throws Exception {
        CounterFolder folder = useFolder(parent.resolve("weir"));
        try (TwoTransports two = new TwoTransports()) {
            CountDownLatch told = new CountDownLatch(3);
            two.client.setFaultListener((connection, problem) -> told.countDown());
            for (int i = 0; i < 3; i++) {
                two.client.execute(nowNanos -> {
                    throw new IllegalStateException("a task's mistake");
                });
            }
            told.await();
            List<CounterSnapshot.ErrorRecord> errors = folder.list().files().stream()
                    .flatMap(file -> CounterReading.of(file).snapshot().errors().stream())
                    .toList();
            assertEquals(1, errors.size());
            assertEquals(3, errors.get(0).count());
            assertTrue(
                    errors.get(0).text().contains("a task's mistake"),
                    errors.get(0).text());
        }
    }

    @Test
    void gauge_withoutAFile_isWhatTheLoopsMeasured() throws Exception {
        System.setProperty(CounterFolder.PROPERTY, "");
        try (TwoTransports two = new TwoTransports();
                WeirServerSocket listener = two.server.listen(TwoTransports.PORT);
                WeirSocket socket = two.client.connect(TwoTransports.SERVER, TwoTransports.PATIENCE)) {
            assertNotNull(socket);
            assertNotNull(listener);
            while (two.client.gauge(GaugeId.CONNECTIONS) == 0) {
                // The loop reports when it has work.
                two.client.execute(nowNanos -> {});
                Thread.onSpinWait();
            }
            assertEquals(1, two.client.gauge(GaugeId.CONNECTIONS));
            assertTrue(two.client.gauge(GaugeId.FRAMES_FREE) > 0);
        }
    }

    // ---- JMX

    private static Set<ObjectName> beans() throws JMException {
        return ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName("io.weir:type=Transport,*"), null);
    }

    @Test
    void jmx_askedFor_tellsOfEachTransportUntilItIsClosed() throws Exception {
        System.setProperty(CounterFolder.PROPERTY, "");
        System.setProperty("weir.jmx", "true");
        try (TwoTransports two = new TwoTransports()) {
            two.near();
            Set<ObjectName> names = beans();
            assertEquals(2, names.size());
            long sent = 0;
            for (ObjectName name : names) {
                TransportMXBean bean =
                        JMX.newMXBeanProxy(ManagementFactory.getPlatformMBeanServer(), name, TransportMXBean.class);
                assertEquals("memory", bean.getBackend());
                assertEquals(ObjectName.quote(bean.getInterfaceName()), name.getKeyProperty("interface"));
                assertTrue(bean.getGauges().containsKey("CONNECTIONS"));
                assertFalse(bean.getGauges().containsKey("CLIENTS"));
                sent += bean.getCounters().getOrDefault("FRAMES_SENT", 0L);
            }
            assertTrue(sent > 0);
        } finally {
            System.clearProperty("weir.jmx");
        }
        assertEquals(Set.of(), beans());
    }

    @Test
    void jmx_wanted_whereTheManagementAgentIsOnOrAProperty() {
        assertFalse(TransportBean.isWanted(name -> null));
        assertTrue(TransportBean.isWanted(name -> name.equals("com.sun.management.jmxremote.port") ? "9010" : null));
        assertTrue(TransportBean.isWanted(name -> name.equals("weir.jmx") ? "" : null));
        assertFalse(TransportBean.isWanted(name -> name.equals("weir.jmx") ? "false" : "9010"));
    }

    @Test
    void open_folderThatCannotBe_countsAllTheSame() throws Exception {
        useFolder(Files.writeString(parent.resolve("file"), "").resolve("weir"));
        requireCounts();
    }

    @Test
    void open_turnedOff_countsAndMakesNoFile() throws Exception {
        System.setProperty(CounterFolder.PROPERTY, "");
        requireCounts();
    }

    private static void requireCounts() throws Exception {
        try (TwoTransports two = new TwoTransports();
                WeirServerSocket listener = two.server.listen(TwoTransports.PORT);
                WeirSocket socket = two.client.connect(TwoTransports.SERVER, TwoTransports.PATIENCE)) {
            assertNotNull(socket);
            assertTrue(two.client.counters().get(CounterId.FRAMES_SENT) > 0);
            assertNotNull(listener);
        }
    }
}
