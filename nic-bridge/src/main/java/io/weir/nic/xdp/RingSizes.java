package io.weir.nic.xdp;

import io.weir.transport.node.ConfigException;

/**
 * How many entries the four rings of a socket have: powers of two of 64 to 32768.
 *
 * @param receiveFrames frames received and not taken yet; what comes beyond is lost
 * @param transmitFrames frames to be transmitted
 * @param fillFrames the most frames that wait to receive into, for each queue of the port; a longer pause is loss. In
 *     bulk a port whose driver copies keeps fewer, as many as its pauses have needed.
 * @param completionFrames frames transmitted and not taken back yet
 */
public record RingSizes(int receiveFrames, int transmitFrames, int fillFrames, int completionFrames) {
    /**
     * 2048 of each, for a port of few queues: at most 2.5 ms of pause at 0.8 million frames per second. {@link
     * FramePlan} has those of more.
     */
    public static final RingSizes DEFAULT = ofAll(2048);

    static final int FRAMES_MIN = 64;
    private static final int FRAMES_MAX = 32_768;

    public RingSizes {
        require("receiveFrames", receiveFrames);
        require("transmitFrames", transmitFrames);
        require("fillFrames", fillFrames);
        require("completionFrames", completionFrames);
    }

    /** {@return four rings of the same size} */
    public static RingSizes ofAll(int frames) {
        return new RingSizes(frames, frames, frames, frames);
    }

    private static void require(String name, int frames) {
        if (Integer.bitCount(frames) != 1 || frames < FRAMES_MIN || frames > FRAMES_MAX) {
            throw new ConfigException("ringSizes." + name + "=" + frames + " must be a power of two of " + FRAMES_MIN
                    + ".." + FRAMES_MAX);
        }
    }
}
