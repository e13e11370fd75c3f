package io.weir.transport.sim.world;

import io.weir.pacer.RateMath;
import io.weir.transport.frame.FramePool;
import io.weir.transport.scenario.LinkSpec;
import io.weir.transport.scenario.Network;
import io.weir.transport.wire.Ethernet;
import java.util.HashMap;
import java.util.Map;

/**
 * How many frames a simulated network needs: what its links can have on their way, credits next to data, and some for
 * the queues of every port, and the rings of Nodes that pause. Not what they would need if all queues were full: a run
 * that runs short says so.
 */
final class FrameBudget {
    /** Headers only; an odd number of cache lines, so that they spread over the sets of a cache. */
    private static final int FRAME_BYTES = 320;

    /** The most that a pool of such frames may have, and more than any network here has needed. */
    static final int FRAMES_MAX = 1 << 20;

    private static final int FRAMES_OF_ALL = 8_192;
    private static final int FRAMES_OF_PORT = 96;

    private FrameBudget() {}

    static FramePool newPool(Network network, SimOptions options) {
        return new FramePool(options.frameCount() > 0 ? options.frameCount() : frames(network), FRAME_BYTES);
    }

    static int frames(Network network) {
        long frames = FRAMES_OF_ALL;
        for (LinkSpec link : network.links()) {
            long bytes = RateMath.bytesInNanosFloor(link.propagationNanos(), link.rateBps());
            // Both ways, and a credit or a short frame next to every long one.
            frames += 4 * (bytes / (link.mtuBytes() + Ethernet.FRAMING_BYTES) + 1) + 2 * FRAMES_OF_PORT;
        }
        Map<String, Integer> rings = rings(network);
        for (LinkSpec link : network.links()) {
            frames += rings.getOrDefault(link.left(), 0) + rings.getOrDefault(link.right(), 0);
        }
        return (int) Math.min(frames, FRAMES_MAX);
    }

    /** {@return for each Node that pauses, or has a queue, how many frames may wait at a port for that} */
    private static Map<String, Integer> rings(Network network) {
        Map<String, Integer> rings = new HashMap<>();
        network.hosts().stream()
                .filter(host -> !host.pauses().isNone())
                .forEach(host -> rings.put(host.name(), host.pauses().ringFrames()));
        network.hosts().stream()
                .filter(host -> host.queueFramesMax() > 0)
                .forEach(host -> rings.put(host.name(), host.queueFramesMax()));
        network.switches().stream()
                .filter(node -> !node.pauses().isNone())
                .forEach(node -> rings.put(node.name(), node.pauses().ringFrames()));
        return rings;
    }
}
