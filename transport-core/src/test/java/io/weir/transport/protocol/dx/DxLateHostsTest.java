package io.weir.transport.protocol.dx;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.transport.protocol.ProtocolConfig;
import io.weir.transport.protocol.catalogue.Catalogue;
import io.weir.transport.switching.QueueMeter;
import io.weir.transport.testing.Bottleneck;
import io.weir.transport.testing.LateHosts;
import io.weir.transport.testing.LateHosts.Lateness;
import org.junit.jupiter.api.Test;

/**
 * {@link Dx} between hosts whose loops lose their core for up to a millisecond in one cycle of a hundred, between two
 * looks and between stamping a frame and handing it over: what is the hosts' must not be taken for a queue, and what
 * is a queue must.
 */
class DxLateHostsTest {
    private static final long MILLISECOND = 1_000_000;
    private static final long WARM_UP_NANOS = 100 * MILLISECOND;
    private static final long END_NANOS = 400 * MILLISECOND;
    private static final ProtocolConfig DCTCP = Catalogue.find("dctcp").orElseThrow();
    private static final Lateness AT_TIMES =
            random -> random.nextInt(100) == 0 ? random.nextLong(MILLISECOND) : random.nextLong(10_000);

    /** What a run found: the share of the link, and full frames in the switch's queue. */
    private record Found(double share, double queueMean) {}

    private static Found run(ProtocolConfig protocol, int flows, boolean stampsArrivals) {
        try (LateHosts hosts = new LateHosts(flows, protocol, AT_TIMES, AT_TIMES, stampsArrivals, 7)) {
            hosts.run(WARM_UP_NANOS);
            long beforeBytes = hosts.receivedBytes();
            QueueMeter meter = hosts.meter();
            hosts.run(END_NANOS);
            meter.settle(END_NANOS);
            double share = LateHosts.share(hosts.receivedBytes() - beforeBytes, END_NANOS - WARM_UP_NANOS);
            return new Found(share, meter.bytesMean() / Bottleneck.WIRE_BYTES);
        }
    }

    @Test
    void run_portsStampWhatComes_hasSevenTenthsOfWhatHostsThatIgnoreDelaysHave() {
        Found own = run(Dx.KIND.usual(), 1, true);
        Found ignoring = run(DCTCP, 1, true);
        assertTrue(own.share() > 0.7 * ignoring.share(), own + " next to " + ignoring);
    }

    @Test
    void run_portsStampWhatComesAndFlowsShareALink_keepItsQueueShort() {
        Found own = run(Dx.KIND.usual(), 3, true);
        Found ignoring = run(DCTCP, 3, true);
        assertTrue(own.share() > 0.4, own.toString());
        assertTrue(own.queueMean() < 3, own.toString());
        assertTrue(ignoring.queueMean() > 100, ignoring.toString());
    }

    /** Why stamps of the port matter: by those of the loop, the receiver's absences are delays of the path. */
    @Test
    void run_loopsStampWhatComes_hasHalfOfThat() {
        Found stamped = run(Dx.KIND.usual(), 1, true);
        Found unstamped = run(Dx.KIND.usual(), 1, false);
        assertTrue(unstamped.share() < 0.5 * stamped.share(), unstamped + " next to " + stamped);
    }
}
