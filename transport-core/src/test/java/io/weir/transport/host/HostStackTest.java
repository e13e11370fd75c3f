package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.pacer.SeededRandom;
import io.weir.transport.frame.FramePool;
import io.weir.transport.node.ConfigException;
import io.weir.transport.protocol.ProtocolFactory;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.time.Deadline;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link HostStack}: two hosts on one link, and what a host does not even hand to a connection. */
class HostStackTest {
    private static final long MILLISECOND = 1_000_000;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void connect_bothSendAndEnd_deliversEveryByteAndCloses(boolean isV6) {
        try (TestNetwork network = new TestNetwork(1, 1_000_000_000L, ExpressPass.weir())
                .ipv6(isV6)
                .pair(25_000)) {
            StreamProbe client = new StreamProbe(1, 1_000_000, 2);
            StreamProbe server = new StreamProbe(2, 300_000, 1);
            network.connect(0, 1, 2, client, server);
            network.simulator().run(200 * MILLISECOND);
            assertEquals(1_000_000, server.receivedBytes());
            assertEquals(300_000, client.receivedBytes());
            assertEquals(-1, server.firstMismatch());
            assertEquals(-1, client.firstMismatch());
            assertEquals(CloseReason.FINISHED, client.closeReason());
            assertEquals(CloseReason.FINISHED, server.closeReason());
            assertEquals(0, network.stack(1).connectionCount());
            assertTrue(client.isEnded() && server.isEnded());
            assertEquals(
                    0,
                    network.stack(1).counters().drops()
                            + network.stack(2).counters().drops());
        }
    }

    @Test
    void connect_longTransfer_ledgersOfBothEndsAgree() {
        try (TestNetwork network = new TestNetwork(2, 1_000_000_000L, ExpressPass.weir()).pair(25_000)) {
            StreamProbe client = new StreamProbe(1, 2_000_000, 2);
            StreamProbe server = new StreamProbe(2, 0, 1);
            network.connect(0, 1, 2, client, server);
            network.simulator().run(200 * MILLISECOND);
            var sender = network.stack(1).counters();
            var ledger = server.connection().creditLedger();
            assertEquals(sender.get(CounterId.CREDITS_USED), ledger.used());
            assertEquals(network.stack(2).counters().get(CounterId.DATA_FRAMES_RECEIVED), ledger.used());
            assertEquals(
                    sender.get(CounterId.CREDITS_RECEIVED),
                    sender.get(CounterId.CREDITS_USED)
                            + sender.get(CounterId.CREDITS_WASTED)
                            + sender.get(CounterId.CREDITS_EXPIRED));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dx", "timely", "vegas"})
    void measuresDelay_connectionOfSuchAProtocol_untilItIsGone(String name) {
        try (TestNetwork network =
                new TestNetwork(1, 1_000_000_000L, Catalogue.find(name).orElseThrow()).pair(25_000)) {
            StreamProbe client = new StreamProbe(1, 100_000, 2);
            StreamProbe server = new StreamProbe(2, 0, 1);
            assertFalse(network.stack(1).measuresDelay());
            network.connect(0, 1, 2, client, server);
            network.simulator().run(MILLISECOND / 2);
            assertTrue(network.stack(1).measuresDelay());
            assertTrue(network.stack(2).measuresDelay());
            network.simulator().run(20_000 * MILLISECOND);
            assertEquals(0, network.stack(1).connectionCount());
            assertFalse(network.stack(1).measuresDelay());
            assertFalse(network.stack(2).measuresDelay());
        }
    }

    @Test
    void measuresDelay_connectionWithCredits_isFalse() {
        try (TestNetwork network = new TestNetwork(1, 1_000_000_000L, ExpressPass.weir()).pair(25_000)) {
            network.connect(0, 1, 2, new StreamProbe(1, 100_000, 2), new StreamProbe(2, 0, 1));
            network.simulator().run(MILLISECOND / 2);
            assertEquals(1, network.stack(1).connectionCount());
            assertFalse(network.stack(1).measuresDelay());
        }
    }

    @Test
    void onFrame_versionOrTypeUnknown_isDropped() {
        try (Script script = new Script().establishFromPeer(0)) {
            script.receivesDamaged(peer -> peer.ack(0, 0, 0), HeaderTemplate.BYTES_V4)
                    .counts(CounterId.DROP_VERSION, 1);
            script.receivesAgain(script.record(peer -> peer.typed(15))).counts(CounterId.DROP_TYPE, 1);
        }
    }

    @Test
    void onFrame_damagedOnTheWay_isDroppedForItsChecksum() {
        try (Script script = new Script().establishFromPeer(0)) {
            var frame = script.record(peer -> peer.request(100, 0));
            for (int i = 14; i < frame.length(); i++) {
                frame.bytes().putByte(i, (byte) (frame.bytes().getByte(i) ^ 1));
                long before = script.host().counters().drops();
                script.receivesAgain(frame);
                assertEquals(before + 1, script.host().counters().drops(), "byte " + i);
                frame.bytes().putByte(i, (byte) (frame.bytes().getByte(i) ^ 1));
            }
            script.sendsNothing();
        }
    }

    @Test
    void onFrame_openingForAnotherAddress_isNotOurs() {
        try (Script script = new Script().listen()) {
            Path path = script.peer().path();
            Path elsewhere = Path.from(path.localMac(), path.local(), path.localPort())
                    .to(path.remoteMac(), IpAddress.parse("10.9.9.9"), path.remotePort());
            script.receives(peer -> peer.withPath(elsewhere).open(0, 0))
                    .sendsNothing()
                    .counts(CounterId.DROP_NOT_OURS, 1);
        }
    }

    @Test
    void onFrame_openingToOrFromAGroupOfStations_isNotAnswered() {
        try (Script script = new Script().listen()) {
            Path path = script.peer().path();
            long group = 0x0100_5E00_0001L;
            long[][] ends = {
                {Ethernet.BROADCAST, path.remoteMac()}, {path.localMac(), Ethernet.BROADCAST}, {group, group}
            };
            for (long[] macs : ends) {
                Path odd = path.withMacs(macs[0], macs[1]);
                script.receives(peer -> peer.withPath(odd).open(0, 0)).sendsNothing();
            }
            script.counts(CounterId.DROP_NOT_OURS, 3);
        }
    }

    @Test
    void onFrame_openingShorterThanItsReply_isDropped() {
        try (Script script = new Script().listen()) {
            script.receives(peer -> peer.shortOpen()).sendsNothing().counts(CounterId.DROP_OPENING_SHORT, 1);
        }
    }

    @Test
    void onTimeout_spurious_isHarmless() {
        try (Script script = new Script().establishFromHost(100, 1_000)) {
            for (int i = 0; i < 100; i++) {
                script.host().onTimeout(script.host().nowNanos());
            }
            script.at(1_000).sendsNothing();
        }
    }

    @Test
    void constructor_framesTooSmallForTheMtu_isRefused() {
        FramePool pool = new FramePool(4, 2048);
        HostConfig config = HostConfig.builder(1, List.of(IpAddress.v4(1)), 1_000_000_000L)
                .mtuBytes(4_000)
                .build();
        ProtocolFactory protocol = ExpressPass.weir().newFactory(new SeededRandom(1));
        assertThrows(ConfigException.class, () -> new HostStack(config, pool, List.of(protocol), () -> 1));
        HostConfig small =
                HostConfig.builder(1, List.of(IpAddress.v4(1)), 1_000_000_000L).build();
        assertThrows(ConfigException.class, () -> new HostStack(small, pool, List.of(), () -> 1));
    }

    @Test
    void listen_portTaken_isFalse() {
        try (Script script = new Script().listen()) {
            int port = script.peer().path().remotePort();
            assertTrue(!script.host().listen(port, connection -> null));
            script.host().stopListening(port);
            assertTrue(script.host().listen(port, connection -> null));
        }
    }

    @Test
    void forgetListener_lingeringEnded_hearsIt() {
        try (Script script = new Script().establishFromHost(0, 1_000)) {
            int[] forgotten = new int[1];
            script.host().setForgetListener(connection -> forgotten[0]++);
            script.abort();
            assertEquals(1, forgotten[0]);
        }
    }

    @Test
    void failPort_openingWaitsForItsTurn_nothingIsLeftToSend() {
        try (Script script = new Script().establishFromHost(0, 10_000)) {
            HostStack host = script.host();
            Connection opening = host.connect(script.connection().path(), new StreamProbe(1, 0, 1));
            assertTrue(host.egress(0).nextTransmitNanos(host.nowNanos()) <= host.nowNanos());
            host.failPort(CloseReason.INTERFACE_DELETED);
            assertEquals(CloseReason.INTERFACE_DELETED, opening.closeReason());
            assertEquals(Deadline.NO_DEADLINE, host.egress(0).nextTransmitNanos(host.nowNanos()));
        }
    }

    @Test
    void failPort_everyConnection_isToldAndGone() {
        try (Script script = new Script().establishFromHost(1_000, 10_000)) {
            script.host().failPort(CloseReason.INTERFACE_DELETED);
            assertEquals(CloseReason.INTERFACE_DELETED, script.connection().closeReason());
            assertEquals(0, script.host().connectionCount());
            assertEquals(0, script.host().framesHeld());
        }
    }

    @Test
    void silenceListener_peerThatAnswersNothing_isNamed() {
        try (Script script = new Script()) {
            long[] heardNanos = {-1};
            script.host().setSilenceListener(connection -> {
                if (heardNanos[0] < 0) {
                    heardNanos[0] = script.host().nowNanos();
                }
            });
            script.connect(0).at(240 * MILLISECOND);
            assertEquals(-1, heardNanos[0]);
            script.at(700 * MILLISECOND);
            assertTrue(heardNanos[0] >= 250 * MILLISECOND && heardNanos[0] < 500 * MILLISECOND, heardNanos[0] + " ns");
        }
    }

    @Test
    void silenceListener_connectionWithNothingToDo_isNotNamed() {
        try (Script script = new Script().establishFromHost(0, 10_000)) {
            script.host().setSilenceListener(connection -> {
                throw new AssertionError("idle is not silent");
            });
            script.at(2_000 * MILLISECOND);
        }
    }
}
