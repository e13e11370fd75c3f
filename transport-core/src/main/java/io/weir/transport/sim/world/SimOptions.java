package io.weir.transport.sim.world;

import io.weir.transport.node.ConfigException;

/**
 * How a simulation uses the machine that it runs on; nothing here changes what it finds, unless it runs short.
 *
 * @param frameCount frames for all hosts, switches and links together; 0 for a number that follows from the network
 */
public record SimOptions(int frameCount) {
    /** As many frames as the network is likely to need. */
    public static final SimOptions DEFAULT = new SimOptions(0);

    public SimOptions {
        if (frameCount < 0 || frameCount > FrameBudget.FRAMES_MAX) {
            throw new ConfigException("frameCount=" + frameCount + " is outside 0.." + FrameBudget.FRAMES_MAX);
        }
    }
}
