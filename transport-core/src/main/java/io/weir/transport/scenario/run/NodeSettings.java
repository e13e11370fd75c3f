package io.weir.transport.scenario.run;

import io.weir.pacer.PauseBudget;
import io.weir.pacer.Slack;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.scenario.topology.Wiring;
import io.weir.transport.switching.SwitchPortConfig.LinkEmulation;
import io.weir.transport.wire.Payload;

/**
 * In what the Nodes of one world differ from those of another: everything else follows from the scenario.
 *
 * @param streams the buffers of hosts of which the scenario says nothing
 * @param connectionsMax the most connections of a host
 * @param slack how far coarse polling may shift what a host sends
 * @param portRateBps the rate of hosts' ports, by which stamps are calibrated, or 0 for that of their links
 * @param payload whether frames have their payload with them
 * @param switchPauses what switches make up for of which the scenario says nothing
 * @param links who plays the link behind a switch's port
 */
public record NodeSettings(
        StreamLimits streams,
        int connectionsMax,
        Slack slack,
        long portRateBps,
        Payload payload,
        PauseBudget switchPauses,
        LinkPlayer links) {
    private static final int VIRTUAL_CONNECTIONS_MAX = 1 << 20;
    private static final int VIRTUAL_STREAM_BYTES = 1 << 24;
    /** A slow start that overruns a queue leaves every other frame of a window missing. */
    private static final int VIRTUAL_GAPS_MAX = 1 << 10;

    private static final int VIRTUAL_FRAMES_IN_FLIGHT_MAX = 1 << 14;

    /** Virtual time, frames without payload: buffers hold no bytes but their count, so that windows never close. */
    public static final NodeSettings VIRTUAL = new NodeSettings(
            StreamLimits.fixed(VIRTUAL_STREAM_BYTES, VIRTUAL_STREAM_BYTES)
                    .withGapsMax(VIRTUAL_GAPS_MAX)
                    .withFramesInFlightMax(VIRTUAL_FRAMES_IN_FLIGHT_MAX),
            VIRTUAL_CONNECTIONS_MAX,
            Slack.NONE,
            0,
            Payload.ELIDED,
            PauseBudget.NONE,
            (node, port) -> LinkEmulation.NONE);

    /** Sets how a port of a switch plays its link. */
    @FunctionalInterface
    public interface LinkPlayer {
        /** {@return what port {@code port} of switch {@code node} plays} */
        LinkEmulation emulation(int node, Wiring.Port port);
    }
}
