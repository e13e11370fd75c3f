package io.weir.transport.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.expresspass.ExpressPass;
import io.weir.transport.telemetry.CounterId;
import io.weir.transport.testing.Script;
import io.weir.transport.testing.StreamProbe;
import io.weir.transport.testing.TestNetwork;
import io.weir.transport.wire.Ethernet;
import io.weir.transport.wire.HeaderTemplate;
import io.weir.transport.wire.IpAddress;
import io.weir.transport.wire.OpenHeader;
import io.weir.transport.wire.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests {@link HostNetwork}. */
class HostNetworkTest {
    private static final long MILLISECOND = 1_000_000;

    @Test
    void setAddresses_openingToOneThatWasRemoved_isNotOurs() {
        try (Script script = new Script().listen()) {
            IpAddress ours = script.peer().path().remote();
            script.host().network().setAddresses(List.of(IpAddress.parse("10.9.9.9")));
            script.receives(peer -> peer.open(0, 0)).sendsNothing().counts(CounterId.DROP_NOT_OURS, 1);
            script.host().network().setAddresses(List.of(IpAddress.parse("10.9.9.9"), ours));
            script.receives(peer -> peer.open(0, 0));
            assertEquals(1, script.takeSent().size());
        }
    }

    @Test
    void setAddresses_ownOfAConnectionRemoved_endsItAfterASecondWithoutAWord() {
        try (Script script = new Script().establishFromHost(1_000, 10_000)) {
            script.after(MILLISECOND).forgetSent();
            script.host().network().setAddresses(List.of(IpAddress.parse("10.9.9.9")));
            script.after(999 * MILLISECOND).hears();
            assertEquals(1, script.host().connectionCount());
            script.after(2 * MILLISECOND).hears("closed ADDRESS_REMOVED");
            assertEquals(0, script.host().connectionCount());
            assertTrue(script.takeSent().stream()
                    .noneMatch(frame -> frame.toString().contains("RESET")));
        }
    }

    /** Tells the host what its network says of a frame of the connection. */
    private static void returned(Script script, long tag, CloseReason reason) {
        Path path = script.connection().path();
        script.host().network().onReturned(tag, path.remote(), path.remotePort(), reason);
    }

    @Test
    void onReturned_standingConnectionsPortIsRefused_asksAndEndsItAfterASilence() {
        try (Script script = new Script().establishFromHost(0, 100_000)) {
            script.forgetSent().at(MILLISECOND);
            returned(script, script.connection().remoteTag(), CloseReason.REFUSED);
            // Each frame that comes back is told of.
            returned(script, script.connection().remoteTag(), CloseReason.REFUSED);
            script.after(1_000).sends("REQUEST backlog=0 credit<=0").sendsNothing();
            script.at(MILLISECOND + PeerWatch.REFUSED_NANOS - 1).hears();
            script.after(1).hears("closed FORGOTTEN");
            assertEquals(0, script.host().connectionCount());
        }
    }

    @Test
    void onReturned_peerIsHeardFromAfterThat_endsNothing() {
        try (Script script = new Script().establishFromHost(0, 100_000)) {
            script.at(MILLISECOND);
            returned(script, script.connection().remoteTag(), CloseReason.REFUSED);
            script.at(2 * MILLISECOND).receives(peer -> peer.ack(0, 100_000, 0));
            script.after(10 * PeerWatch.REFUSED_NANOS).hears();
            assertEquals(1, script.host().connectionCount());
        }
    }

    /** Who has not seen a frame does not know its tag; and a host that cannot be reached may be so for a moment. */
    @Test
    void onReturned_notProvedOrUnreachable_endsNothing() {
        try (Script script = new Script().establishFromHost(0, 100_000)) {
            long tag = script.connection().remoteTag();
            Path path = script.connection().path();
            HostNetwork network = script.host().network();
            returned(script, tag + 1, CloseReason.REFUSED);
            returned(script, script.connection().localTag(), CloseReason.REFUSED);
            returned(script, tag, CloseReason.UNREACHABLE);
            network.onReturned(tag, path.local(), path.remotePort(), CloseReason.REFUSED);
            network.onReturned(tag, path.remote(), path.remotePort() + 1, CloseReason.REFUSED);
            script.after(10 * PeerWatch.REFUSED_NANOS).hears();
            assertEquals(1, script.host().connectionCount());
        }
    }

    @Test
    void setAddresses_removedAndGivenBack_endsNothing() {
        try (Script script = new Script().establishFromHost(0, 10_000)) {
            IpAddress ours = script.connection().path().local();
            script.host().network().setAddresses(List.of());
            script.after(500 * MILLISECOND).host().network().setAddresses(List.of(ours));
            script.after(5_000 * MILLISECOND).hears();
            assertEquals(1, script.host().connectionCount());
        }
    }

    @Test
    void setMacs_framesGoThereFromThenOn() {
        try (Script script = new Script().establishFromHost(0, 10_000)) {
            Path path = script.connection().path();
            assertEquals(Set.of(path.remote()), script.host().network().remotes());
            script.host().network().setMacs(7, Map.of(path.remote(), 9L));
            assertEquals(path.withMacs(7, 9), script.connection().path());
            script.forgetSent().write(100);
            var frame = script.takeSent().get(0);
            assertEquals(9, Ethernet.destination(frame.bytes(), 0));
            assertEquals(7, Ethernet.source(frame.bytes(), 0));
            // One that is not named keeps its next hop, and nothing is counted where nothing changes.
            script.host().network().setMacs(7, Map.of());
            assertEquals(9, script.connection().path().remoteMac());
            script.counts(CounterId.PATHS_CHANGED, 1);
        }
    }

    @Test
    void setMacs_wayWithinTheProcess_isLeftAlone() {
        try (Script script = new Script().establishFromHost(0, 10_000)) {
            Path path = script.connection().path();
            long inProcess = (long) Path.IN_PROCESS_MAC_PREFIX << Path.IN_PROCESS_MAC_BITS | 3;
            script.host().network().setMacs(7, Map.of(path.remote(), inProcess));
            assertEquals(Set.of(), script.host().network().remotes());
            script.host().network().setMacs(8, Map.of(path.remote(), 9L));
            assertEquals(inProcess, script.connection().path().remoteMac());
            assertEquals(7, script.connection().path().localMac());
        }
    }

    @Test
    void setMtu_lowered_segmentsOfOpenConnectionsShrink() {
        try (TestNetwork network = new TestNetwork(3, 1_000_000_000L, ExpressPass.weir()).pair(25_000)) {
            StreamProbe client = new StreamProbe(1, 2_000_000, 2);
            StreamProbe server = new StreamProbe(2, 0, 1);
            network.connect(0, 1, 2, client, server);
            network.simulator().run(5 * MILLISECOND);
            long bytes = server.receivedBytes();
            long frames = network.stack(2).counters().get(CounterId.DATA_FRAMES_RECEIVED);
            int mtuBytes = 1_300;
            network.stack(1).network().setMtu(mtuBytes);
            network.simulator().run(200 * MILLISECOND);
            assertEquals(2_000_000, server.receivedBytes());
            long framesAfter = network.stack(2).counters().get(CounterId.DATA_FRAMES_RECEIVED) - frames;
            // What was on its way already is longer.
            long onTheWay = 100 * 1_500;
            assertTrue(framesAfter * (mtuBytes - 60) >= 2_000_000 - bytes - onTheWay, framesAfter + " frames");
            assertEquals(CloseReason.FINISHED, client.closeReason());
        }
    }

    @Test
    void setMtu_limitOfThePayload_holdsInBothDirections() {
        int segmentBytes = 600;
        try (TestNetwork network = new TestNetwork(3, 1_000_000_000L, ExpressPass.weir())) {
            network.hostOptions(builder -> builder.segmentBytesMax(segmentBytes))
                    .pair(25_000);
            StreamProbe client = new StreamProbe(1, 60_000, 2);
            StreamProbe server = new StreamProbe(2, 30_000, 1);
            network.connect(0, 1, 2, client, server);
            network.simulator().run(200 * MILLISECOND);
            assertEquals(60_000, server.receivedBytes());
            assertEquals(30_000, client.receivedBytes());
            for (int host = 1; host <= 2; host++) {
                long frames = network.stack(host).counters().get(CounterId.DATA_FRAMES_SENT);
                assertTrue(frames >= (host == 1 ? 100 : 50), host + ": " + frames + " frames");
            }
        }
    }

    @Test
    void mtuBytes_limitOfThePayload_isOfferedAsAnMtuThatEachPeerTakes() {
        try (Script script = new Script(builder -> builder.segmentBytesMax(600))) {
            script.connect(0);
            var opening = script.takeSent().get(0);
            assertEquals(600 + 20 + 8 + 48, OpenHeader.mtuBytes(opening.bytes(), HeaderTemplate.BYTES_V4));
            Path v6 = Path.from(1, IpAddress.parse("fd00::1"), 1).to(2, IpAddress.parse("fd00::2"), 2);
            assertEquals(HostConfig.MTU_BYTES_MIN, script.host().network().mtuBytes(v6));
            script.host().network().setMtu(HostConfig.MTU_BYTES_MIN);
            Path v4 = script.connection().path();
            assertEquals(676, script.host().network().mtuBytes(v4));
        }
    }

    @Test
    void setMtu_lowered_openingsOfferIt() {
        try (Script script = new Script()) {
            script.host().network().setMtu(1_300);
            script.connect(0);
            var opening = script.takeSent().get(0);
            assertEquals(1_300, OpenHeader.mtuBytes(opening.bytes(), HeaderTemplate.BYTES_V4));
            // Frames never become longer than the host was made for.
            script.host().network().setMtu(9_000);
            Path path = script.connection().path();
            assertEquals(1_500, script.host().network().mtuBytes(path));
            script.host().network().setMtu(500);
            assertEquals(HostConfig.MTU_BYTES_MIN, script.host().network().mtuBytes(path));
        }
    }
}
