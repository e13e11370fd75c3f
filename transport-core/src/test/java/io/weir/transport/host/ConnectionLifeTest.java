package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.sim.FaultInjector;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.Payload;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Plays whole lives of connections between two hosts that are set up as transports set them up: none may leave anything
 * behind.
 */
class ConnectionLifeTest {
    private static final long STEP = 100;
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLISECOND = 1_000_000L;
    private static final long RATE_BPS = 10_000_000_000L;
    private static final int CLIENT = 1;
    private static final int SERVER = 2;

    private static TestNetwork network(HostConfig.Liveness liveness) {
        return new TestNetwork(3, RATE_BPS, ExpressPass.weir())
                .hostOptions(builder -> builder.streams(StreamLimits.GROWING)
                        .peers(HostConfig.Peers.DEFAULT)
                        .liveness(liveness))
                .pair(5_000);
    }

    private static void requireNothingLeft(TestNetwork network) {
        for (int host = CLIENT; host <= SERVER; host++) {
            HostStack stack = network.stack(host);
            assertEquals(0, stack.connectionCount());
            assertEquals(0, stack.halfOpenCount());
            assertEquals(0, stack.peerCount());
            assertEquals(0, stack.bufferBudget().bytesInUse());
            assertEquals(0, stack.bufferBudget().bytesReserved());
            assertEquals(0, stack.framesHeld());
            assertEquals(Deadline.NO_DEADLINE, stack.nextTimeoutNanos());
        }
        assertEquals(network.pool().frameCount(), network.pool().available());
    }

    @Test
    void leaveWithin_thousandConnections_tellsEveryPeer() {
        requireAllTold(SECOND);
    }

    @Test
    void leaveWithin_noTimeForAThousandConnections_tellsEveryPeer() {
        requireAllTold(0);
    }

    /** A peer that is not told waits for ten seconds. */
    private static void requireAllTold(long leaveNanos) {
        try (TestNetwork network = network(HostConfig.Liveness.DEFAULT)) {
            List<StreamProbe> servers = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                StreamProbe server = new StreamProbe(i + 1, 0, i).keepOpen();
                servers.add(server);
                network.connect(i * 20_000L, CLIENT, SERVER, new StreamProbe(i, 100, i + 1).keepOpen(), server);
            }
            network.simulator().run(100 * MILLISECOND);
            assertEquals(1_000, network.stack(SERVER).connectionCount());
            network.at(100 * MILLISECOND, CLIENT, () -> network.stack(CLIENT).leaveWithin(leaveNanos));
            network.simulator().run(130 * MILLISECOND);
            assertTrue(network.stack(CLIENT).hasLeft());
            assertEquals(0, network.stack(SERVER).connectionCount());
            assertEquals(0, network.stack(CLIENT).counters().get(CounterId.DROP_BACKLOG));
            servers.forEach(server -> assertEquals(100, server.receivedBytes()));
        }
    }

    /** A thousand ends at once make each of them slow, and a slow path would have each linger for seconds. */
    @Test
    void leaveWithin_thousandConnectionsThatLinger_leavesAfterTheTimeToLinger() {
        try (TestNetwork network = network(HostConfig.Liveness.DEFAULT)) {
            List<StreamProbe> clients = new ArrayList<>();
            for (int i = 0; i < 1_500; i++) {
                StreamProbe client = new StreamProbe(i, 100, i + 1);
                clients.add(client);
                network.connect(i * 1_000L, CLIENT, SERVER, client, new StreamProbe(i + 1, 100, i));
            }
            long nowNanos = 0;
            while (clients.stream().anyMatch(client -> client.closeReason() == null)) {
                nowNanos += MILLISECOND;
                network.simulator().run(nowNanos);
            }
            assertEquals(1_500, network.stack(CLIENT).connectionCount());
            network.at(nowNanos, CLIENT, () -> network.stack(CLIENT).leaveWithin(5 * SECOND));
            long lingerNanos = network.stack(CLIENT).config().timers().lingerNanos();
            network.simulator().run(nowNanos + lingerNanos + MILLISECOND);
            assertTrue(network.stack(CLIENT).hasLeft());
            clients.forEach(client -> assertEquals(CloseReason.FINISHED, client.closeReason()));
            // The peers that linger still meet nobody, and need nobody.
            network.simulator().run(nowNanos + 10 * SECOND);
            requireNothingLeft(network);
        }
    }

    @Test
    void thousandConnections_openedAndClosedTenTimes_leaveNothing() {
        try (TestNetwork network = network(HostConfig.Liveness.DEFAULT)) {
            for (int round = 0; round < 10; round++) {
                long startNanos = network.simulator().nowNanos();
                List<StreamProbe> ends = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                    StreamProbe client = new StreamProbe(i, 2_000, i + 1);
                    StreamProbe server = new StreamProbe(i + 1, 2_000, i);
                    ends.add(client);
                    ends.add(server);
                    network.connect(startNanos + i * 1_000L, CLIENT, SERVER, client, server);
                }
                network.simulator().run(startNanos + 5 * SECOND);
                for (StreamProbe end : ends) {
                    assertEquals(CloseReason.FINISHED, end.closeReason());
                    assertEquals(2_000, end.receivedBytes());
                    assertEquals(-1, end.firstMismatch());
                }
                requireNothingLeft(network);
            }
        }
    }

    @Test
    void hundredsOfConnections_abortedInTheMiddle_leaveNothing() {
        try (TestNetwork network = network(HostConfig.Liveness.DEFAULT)) {
            List<StreamProbe> clients = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                StreamProbe client = new StreamProbe(i, 1_000_000, i + 1);
                clients.add(client);
                network.connect(i * 1_000L, CLIENT, SERVER, client, new StreamProbe(i + 1, 1_000_000, i));
            }
            network.at(
                    5 * MILLISECOND,
                    CLIENT,
                    () -> clients.forEach(client -> client.connection().abort()));
            network.simulator().run(60 * SECOND);
            requireNothingLeft(network);
        }
    }

    @Test
    void clients_thatCrash_areAllGoneOnceTheirSilenceIsNoticed() {
        try (TestNetwork network = network(HostConfig.Liveness.DEFAULT)) {
            for (int i = 0; i < 571; i++) {
                network.connect(
                        i * 10_000L,
                        CLIENT,
                        SERVER,
                        new StreamProbe(i, 1_000, i + 1).keepOpen(),
                        new StreamProbe(i + 1, 1_000, i).keepOpen());
            }
            network.simulator().run(SECOND);
            assertEquals(571, network.stack(SERVER).connectionCount());
            network.driver(CLIENT).crash(network.simulator().nowNanos());
            network.simulator().run(27 * SECOND);
            assertEquals(0, network.stack(SERVER).connectionCount());
            assertEquals(0, network.stack(SERVER).bufferBudget().bytesReserved());
        }
    }

    @Test
    void server_restartsInTheMiddleOfATransfer_itsClientIsToldAtOnce() {
        try (TestNetwork network = network(HostConfig.Liveness.DEFAULT)) {
            StreamProbe client = new StreamProbe(1, 100_000_000, 2);
            network.connect(0, CLIENT, SERVER, client, new StreamProbe(2, 0, 1).keepOpen());
            network.simulator().run(10 * MILLISECOND);
            network.driver(SERVER).crash(network.simulator().nowNanos());
            network.simulator().run(15 * MILLISECOND);
            network.driver(SERVER).restart(network.simulator().nowNanos());
            network.simulator().run(500 * MILLISECOND);
            assertEquals(CloseReason.FORGOTTEN, client.closeReason());
            assertEquals(0, network.stack(CLIENT).connectionCount());
        }
    }

    @Test
    void end_whoseAcknowledgementIsLostForLongerThanThePeerLingers_isInOrder() {
        long endNanos;
        try (TestNetwork network = network(HostConfig.Liveness.DEFAULT)) {
            StreamProbe client = exchange(network)[0];
            while (client.closeReason() == null && network.simulator().nowNanos() < SECOND) {
                network.simulator().run(network.simulator().nowNanos() + STEP);
            }
            assertEquals(CloseReason.FINISHED, client.closeReason());
            endNanos = network.simulator().nowNanos();
        }
        try (TestNetwork network = network(HostConfig.Liveness.DEFAULT)) {
            StreamProbe[] ends = exchange(network);
            network.host(CLIENT)
                    .link(0)
                    .setFault(new FaultInjector(new SeededRandom(1), Payload.CARRIED)
                            .cut(endNanos - STEP, endNanos + SECOND, SECOND, 0));
            network.simulator().run(endNanos + SECOND);
            assertEquals(CloseReason.FINISHED, ends[0].closeReason());
            assertNull(ends[1].closeReason());
            network.simulator().run(60 * SECOND);
            assertEquals(CloseReason.FINISHED, ends[1].closeReason());
            requireNothingLeft(network);
        }
    }

    private static StreamProbe[] exchange(TestNetwork network) {
        StreamProbe client = new StreamProbe(1, 1_000, 2);
        StreamProbe server = new StreamProbe(2, 1_000, 1);
        network.connect(0, CLIENT, SERVER, client, server);
        return new StreamProbe[] {client, server};
    }

    @Test
    void keepAlive_tenThousandIdleConnections_costAQuestionAndAnAnswerPerInterval() {
        int count = 10_000;
        int intervals = 10;
        try (TestNetwork network = network(new HostConfig.Liveness(SECOND, 0, 0))) {
            for (int i = 0; i < count; i++) {
                network.connect(
                        i * 10_000L,
                        CLIENT,
                        SERVER,
                        new StreamProbe(i, 0, i + 1).keepOpen(),
                        new StreamProbe(i + 1, 0, i).keepOpen());
            }
            network.simulator().run(SECOND / 2);
            long framesBefore = network.simulator().frameCount();
            long eventsBefore = network.simulator().eventCount();
            network.simulator().run(SECOND / 2 + intervals * SECOND);
            long questions = network.stack(SERVER).counters().get(CounterId.KEEP_ALIVES_SENT);
            assertEquals(count, network.stack(SERVER).connectionCount());
            assertTrue(questions <= (long) intervals * count, questions + " questions");
            assertTrue(questions >= (intervals - 1L) * count, questions + " questions");
            assertTrue(
                    network.simulator().frameCount() - framesBefore <= 2 * questions + 2, "a question and an answer");
            long events = network.simulator().eventCount() - eventsBefore;
            assertTrue(events <= 12 * questions, events + " events for " + questions + " questions");
        }
    }
}
