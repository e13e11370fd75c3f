package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.Settings;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.protocol.peers.Dctcp;
import io.weir.transport.scenario.Fault.Impairment;
import io.weir.transport.telemetry.AccountId;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Counters32;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Takes hosts to where their numbers and memories end, and requires that their ledgers are balanced afterwards. */
class AccountsAtTheBoundsTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1_000 * MILLISECOND;
    private static final long LINK_RATE_BPS = 10_000_000_000L;
    private static final long PROPAGATION_NANOS = 5_000;
    /** Longer than any connection lingers, and than a reset is repeated. */
    private static final long REST_NANOS = 60 * SECOND;

    private static TestNetwork pair(Settings protocol) {
        return new TestNetwork(1, LINK_RATE_BPS, protocol)
                .hostOptions(builder -> builder.liveness(HostConfig.Liveness.DEFAULT))
                .pair(PROPAGATION_NANOS);
    }

    private static void requireBalance(TestNetwork network) {
        network.simulator().run(network.simulator().nowNanos() + REST_NANOS);
        assertEquals("", network.stack(1).ledger().toString());
        assertEquals("", network.stack(2).ledger().toString());
    }

    // ---- many ends

    @Test
    void ends_oneMoreThanTagsAreRemembered_leaveNothing() {
        int count = EndedConnections.COUNT_MAX + 1;
        int ports = 20_000;
        try (TestNetwork network = pair(ExpressPass.weir())) {
            network.stack(2).listen(TestNetwork.PORT, connection -> new StreamProbe(2, 0, 1));
            for (int i = 0; i < count; i++) {
                int port = 20_000 + i % ports;
                network.at(i * MILLISECOND / 10, 1, () -> {
                    Path path = Path.from(TestNetwork.mac(1), TestNetwork.address(1), port)
                            .to(TestNetwork.mac(2), TestNetwork.address(2), TestNetwork.PORT);
                    StreamProbe probe = new StreamProbe(1, 0, 2);
                    probe.writeEarly(network.stack(1).connect(path, probe));
                });
            }
            network.simulator().run(count * MILLISECOND / 10);
            requireBalance(network);
            for (int host = 1; host <= 2; host++) {
                assertEquals(count, network.stack(host).counters().get(CounterId.CONNECTIONS_CLOSED));
                assertEquals(0, network.stack(host).ledger().open(AccountId.LOST_TAGS));
            }
        }
    }

    // ---- ends with bytes that nobody reads

    /** How a connection ends whose application has not read what came, all of it and the end of the stream. */
    enum End {
        ABORT {
            @Override
            void apply(TestNetwork network, Connection connection) {
                connection.abort();
            }
        },
        FAULT {
            @Override
            void apply(TestNetwork network, Connection connection) {
                connection.fail(new IllegalStateException("on purpose"));
            }
        },
        CLOSE_IN_TIME {
            @Override
            void apply(TestNetwork network, Connection connection) {
                connection.closeWithin(MILLISECOND);
            }
        },
        PORT_FAILURE {
            @Override
            void apply(TestNetwork network, Connection connection) {
                network.stack(2).failPort(CloseReason.INTERFACE_DELETED);
            }
        },
        HOST_LEAVES {
            @Override
            void apply(TestNetwork network, Connection connection) {
                network.stack(2).leaveWithin(0);
            }
        },
        HOST_CLOSES {
            @Override
            void apply(TestNetwork network, Connection connection) {
                network.stack(2).close();
            }
        };

        abstract void apply(TestNetwork network, Connection connection);
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void end_bytesWaitThatNobodyReads_leavesNothing(End end) {
        try (TestNetwork network = pair(ExpressPass.weir())) {
            network.stack(2).setFaultListener((connection, problem) -> {});
            StreamProbe server = new StreamProbe(2, 100_000, 1).keepOpen();
            server.setTakeLimit(0);
            network.connect(0, 1, 2, new StreamProbe(1, 100_000, 2), server);
            network.simulator().run(100 * MILLISECOND);
            assertEquals(100_000, server.connection().receiveBuffer().readableBytes());
            assertTrue(network.stack(2).ledger().open(AccountId.BUFFER_BYTES) > 100_000);
            network.at(200 * MILLISECOND, 2, () -> end.apply(network, server.connection()));
            network.simulator().run(300 * MILLISECOND);
            assertEquals("", network.stack(2).ledger().without(AccountId.TIMERS).toString(), "but for repeated resets");
            // A host that closes or has no port tells nobody, and a client that only listens waits.
            network.at(SECOND, 1, () -> network.stack(1).leaveWithin(0));
            requireBalance(network);
        }
    }

    // ---- long streams

    static List<Settings> protocols() {
        return List.of(ExpressPass.weir().with(ExpressPass.STANDING_BYTES, 0L), Dctcp.KIND.usual());
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("protocols")
    void stream_pastTwoTo31AndTwoTo32Bytes_isWhole(Settings protocol) {
        for (int bits : new int[] {31, 32, 33}) {
            requireWhole(protocol, (1L << bits) - 700_001, null);
            requireWhole(protocol, (1L << bits) - 700_001, Impairment.NONE.withLoss(20_000));
        }
    }

    /** Sends 2 MB each way on a connection both of whose streams have carried so many bytes already. */
    private static void requireWhole(Settings protocol, long carriedBytes, Impairment impairment) {
        long bytes = 2_000_000;
        TestNetwork empty = new TestNetwork(bits(carriedBytes), LINK_RATE_BPS, protocol)
                .hostOptions(
                        builder -> builder.liveness(HostConfig.Liveness.DEFAULT).streams(StreamLimits.GROWING));
        if (impairment != null) {
            empty.impaired(impairment, 10 * SECOND);
        }
        try (TestNetwork network = empty.pair(PROPAGATION_NANOS)) {
            StreamProbe client = new StreamProbe(1, bytes, 2).converse(0);
            StreamProbe server = new StreamProbe(2, bytes, 1).converse(0);
            network.connect(0, 1, 2, client, server);
            network.simulator().run(SECOND);
            advance(client.connection(), carriedBytes);
            advance(server.connection(), carriedBytes);
            network.at(SECOND, 1, () -> client.lead(bytes));
            network.at(SECOND, 2, () -> server.lead(bytes));
            network.simulator().run(60 * SECOND);
            for (StreamProbe end : List.of(client, server)) {
                assertEquals(-1, end.firstMismatch());
                assertEquals(bytes, end.receivedBytes());
                assertEquals(CloseReason.FINISHED, end.closeReason());
                assertTrue(impairment != null || end.connection().retransmittedBytes() == 0, "nothing was lost");
                assertEquals(
                        carriedBytes + bytes, end.connection().receiveBuffer().readOffset());
            }
            requireBalance(network);
        }
    }

    private static int bits(long value) {
        return Long.SIZE - Long.numberOfLeadingZeros(value);
    }

    /** Makes both of its streams as if they had carried so many bytes, all of them acknowledged and read. */
    private static void advance(Connection connection, long bytes) {
        StreamSender sender = connection.sender();
        for (String offset :
                List.of("ackedOffset", "hintOffset", "sentOffset", "windowLimit", "recovery.ackedOffset")) {
            Counters32.add(sender, offset, bytes);
        }
        // Two flags stand below the end of what was written.
        Counters32.add(connection.sendBuffer(), "end", bytes << 2);
        Counters32.add(connection.sendBuffer(), "base", bytes);
        for (String offset : List.of("inOrderEnd", "readEnd", "extentEnd")) {
            Counters32.add(connection.receiveBuffer(), offset, bytes);
        }
        Counters32.set(connection.receiveBuffer(), "firstChunk", bytes >> 14);
        for (String offset : List.of("windowEnd", "latestOffset")) {
            Counters32.add(connection.receiver(), offset, bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {31, 32})
    void credits_pastTheirNumbersEnd_areEachUsedOnce(int bits) {
        long bytes = 5_000_000;
        long issued = (1L << bits) - 1_000;
        try (TestNetwork network = pair(ExpressPass.weir().with(ExpressPass.STANDING_BYTES, 0L))) {
            StreamProbe client = new StreamProbe(1, bytes, 2).converse(0);
            StreamProbe server = new StreamProbe(2, 0, 1).keepOpen();
            network.connect(0, 1, 2, client, server);
            network.simulator().run(SECOND);
            Object receiver = server.connection().receiver().protocol();
            Counters32.add(receiver, "nextSequence", issued);
            Counters32.add(receiver, "lossMeter.highest", issued);
            Counters32.add(client.connection().sender().protocol(), "received.highest", issued);
            network.at(SECOND, 1, () -> client.lead(bytes));
            network.simulator().run(20 * SECOND);
            assertEquals(bytes, server.receivedBytes());
            assertEquals(-1, server.firstMismatch());
            assertEquals(0, client.connection().retransmittedBytes());
            var ledger = server.connection().creditLedger();
            assertTrue(ledger.used() > 2_000, ledger.toString());
            assertEquals(
                    ledger.sent(),
                    ledger.used() + ledger.lost() + ledger.wasted() + ledger.expired() + ledger.outstanding());
            // One of them is none on the wire: it counts as lost.
            assertTrue(ledger.lost() <= (bits == 32 ? 1 : 0), ledger.toString());
            network.at(30 * SECOND, 2, () -> server.connection().shutdownOutput());
            network.simulator().run(40 * SECOND);
            requireBalance(network);
        }
    }
}
