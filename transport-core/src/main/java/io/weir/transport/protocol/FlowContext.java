package io.weir.transport.protocol;

import io.weir.transport.telemetry.Counters;
import io.weir.transport.wire.Path;

/**
 * What a protocol may know of the host and the flow that it works for.
 *
 * @param path where the flow's frames go, as this host sees it
 * @param counters the host's counters
 * @param linkRateBps the rate of the host's own link that the flow uses
 * @param creditedRateBpsMax the credited rate that this link passes
 * @param segmentBytesMax the most payload of a data frame of this flow
 * @param dataWireBytesMax what such a frame occupies on a link
 * @param creditFramesMax how many frames one credit may grant on the connection
 * @param arrivals how many of the peer's frames arrive
 * @param pauses the pauses of both ends, and how far pacers may make up for them
 * @param nowNanos when the flow begins
 */
public record FlowContext(
        Path path,
        Counters counters,
        long linkRateBps,
        long creditedRateBpsMax,
        int segmentBytesMax,
        int dataWireBytesMax,
        int creditFramesMax,
        FrameArrivals arrivals,
        FlowPauses pauses,
        long nowNanos) {}
