package io.weir.cli.switching;

import io.weir.cli.yaml.YamlTree;
import io.weir.nic.switching.SwitchInterface;
import io.weir.nic.xdp.AfXdpInterface;
import io.weir.nic.xdp.RingSizes;
import io.weir.transport.runtime.IdleMode;
import io.weir.transport.runtime.PortConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The switch that a file describes.
 *
 * @param ports its ports, in the file's order
 * @param seed what random drops and marks follow from
 * @param frameCount frames in the pool, or 0 to have them counted when the ports are known
 * @param idleMode what the loop does when there is nothing to do
 */
record SwitchPlan(List<PortPlan> ports, long seed, int frameCount, IdleMode idleMode) {
    /**
     * The most frames that are taken without being asked for: 256 MiB in slots of 2048 bytes, 512 MiB in larger ones.
     */
    static final int FRAMES_AUTO_MAX = 131_072;

    private static final int PAGE_BYTES = 4_096;
    private static final int FRAME_WIRE_BYTES_MIN = 84;
    private static final long NANOBITS_PER_BYTE = 8_000_000_000L;

    SwitchPlan {
        ports = List.copyOf(ports);
    }

    /** {@return the bytes of a slot that the largest MTU needs} */
    int slotBytes() {
        int mtuBytes =
                ports.stream().mapToInt(port -> port.config().mtuBytes()).max().orElseThrow();
        return AfXdpInterface.slotBytes(mtuBytes);
    }

    /**
     * {@return frames in the pool: what the file says, or enough for every ring and for queues full of the smallest
     * frames}
     *
     * @param queueCounts how many receive queues each port takes
     */
    int frameCount(int[] queueCounts) {
        if (frameCount > 0) {
            return frameCount;
        }
        long frames = 0;
        long ringFrames = 0;
        for (int i = 0; i < queueCounts.length; i++) {
            PortPlan port = ports.get(i);
            if (port.netPort() instanceof SwitchInterface.Xdp xdp) {
                RingSizes rings = xdp.config().ringSizesFor(queueCounts[i]);
                // Each queue has frames to receive into and may hold as many received; one more ring is for
                // transmission. Ports of other backends have other memory for that.
                ringFrames += 2L * queueCounts[i] * rings.fillFrames() + rings.transmitFrames();
            }
            frames += port.config().dataQueueBytesMax() / FRAME_WIRE_BYTES_MIN + 1;
            frames += linkBytes(port) / FRAME_WIRE_BYTES_MIN + 1;
        }
        int framesMax = FRAMES_AUTO_MAX / Math.max(1, slotBytes() / PAGE_BYTES);
        return (int) Math.min(Integer.MAX_VALUE / slotBytes(), ringFrames + Math.min(frames, framesMax));
    }

    /** {@return this, with what a command line chooses for every port by AF_XDP in place of what the file does} */
    SwitchPlan with(PortConfig chosen) {
        List<PortPlan> changed = ports.stream()
                .map(port -> port.netPort() instanceof SwitchInterface.Xdp xdp
                        ? new PortPlan(
                                new SwitchInterface.Xdp(xdp.config().with(chosen)),
                                port.config(),
                                port.credits(),
                                port.addresses())
                        : port)
                .toList();
        return new SwitchPlan(changed, seed, chosen.frameCount() == 0 ? frameCount : chosen.frameCount(), idleMode);
    }

    private static long linkBytes(PortPlan port) {
        double inFlightBytes =
                (double) port.config().linkRateBps() * port.config().link().propagationNanos() / NANOBITS_PER_BYTE;
        return 2 * (long) inFlightBytes + port.config().link().ingressQueueBytesMax();
    }

    /** {@return the file with nothing left to defaults; reads back as the same switch} */
    Map<String, Object> toDocument() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("seed", seed);
        document.put("frames", frameCount == 0 ? SwitchFile.AUTO : frameCount);
        document.put("idle", SwitchFile.nameOf(idleMode));
        document.put("ports", ports.stream().map(PortPlan::toDocument).toList());
        return document;
    }

    /** {@return {@link #toDocument()} as YAML} */
    String toYaml() {
        return YamlTree.toYaml(toDocument());
    }
}
