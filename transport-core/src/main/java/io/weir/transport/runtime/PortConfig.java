package io.weir.transport.runtime;

import io.weir.transport.node.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * How the port of an interface is opened, where its backend has a choice. Each value may be left to the backend, and is
 * by default.
 *
 * @param frameCount frames in the pool that a loop's port and its stack share, or 0 for as many as its queues and rings
 *     need
 * @param ringFrames entries of each ring of a queue, a power of two, or 0 for as many as queues and pool allow; AF_XDP
 *     alone has these and what follows
 * @param queues the receive queues to take, or empty for all
 * @param xdpMode where in the kernel the XDP program is to run
 * @param forceCopy whether frames are copied even where the driver could do without
 */
public record PortConfig(int frameCount, int ringFrames, List<Integer> queues, XdpMode xdpMode, boolean forceCopy) {
    /** Everything as the backend finds it best. */
    public static final PortConfig DEFAULT = new PortConfig(0, 0, List.of(), XdpMode.AUTO, false);

    /** The frames of a pool where nothing asks for another number. */
    public static final int FRAME_COUNT_DEFAULT = 8_192;

    /** The property that has {@link #frameCount}. */
    public static final String FRAMES_PROPERTY = "weir.frames";
    /** The property that has {@link #ringFrames}. */
    public static final String RING_PROPERTY = "weir.ring";
    /** The property that has {@link #queues}, as in {@code 0,2-3}. */
    public static final String QUEUE_PROPERTY = "weir.queue";
    /** The property that has {@link #xdpMode}. */
    public static final String XDP_MODE_PROPERTY = "weir.xdp-mode";
    /** The property that has {@link #forceCopy}. */
    public static final String COPY_PROPERTY = "weir.copy";

    /** The property that has the number of loops of a transport that was given one loop. */
    public static final String QUEUES_PROPERTY = "weir.queues";

    private static final int FRAME_COUNT_MIN = 256;
    private static final int FRAME_COUNT_MAX = 1 << 19;
    private static final int RING_FRAMES_MIN = 64;
    private static final int RING_FRAMES_MAX = 32_768;
    private static final int QUEUE_INDEX_MAX = 1_023;

    /** Validates what can be validated before an interface is known. */
    public PortConfig {
        if (frameCount != 0 && (frameCount < FRAME_COUNT_MIN || frameCount > FRAME_COUNT_MAX)) {
            throw new ConfigException("frameCount=" + frameCount + " is outside " + FRAME_COUNT_MIN + ".."
                    + FRAME_COUNT_MAX + "; give 0 for as many as queues and rings need");
        }
        if (ringFrames != 0
                && (Integer.bitCount(ringFrames) != 1
                        || ringFrames < RING_FRAMES_MIN
                        || ringFrames > RING_FRAMES_MAX)) {
            throw new ConfigException("ringFrames=" + ringFrames + " is no power of two of " + RING_FRAMES_MIN + ".."
                    + RING_FRAMES_MAX + "; give 0 for as many as queues and pool allow");
        }
        if (queues == null || xdpMode == null) {
            throw new ConfigException((queues == null ? "queues" : "xdpMode") + " is null; leave the default");
        }
        if (xdpMode == XdpMode.ZERO_COPY && forceCopy) {
            throw new ConfigException("xdpMode=ZERO_COPY and forceCopy=true exclude each other; leave one out");
        }
        queues = List.copyOf(queues);
        for (int queue : queues) {
            if (queue < 0 || queue > QUEUE_INDEX_MAX) {
                throw new ConfigException("queues=" + queues + " has one outside 0.." + QUEUE_INDEX_MAX);
            }
        }
        if (queues.stream().distinct().count() != queues.size()) {
            throw new ConfigException("queues=" + queues + " names one twice");
        }
    }

    /** {@return this with so many frames, or 0 for as many as queues and rings need} */
    public PortConfig withFrameCount(int count) {
        return new PortConfig(count, ringFrames, queues, xdpMode, forceCopy);
    }

    /** {@return this with rings of so many entries, or 0 for as many as queues and pool allow} */
    public PortConfig withRingFrames(int frames) {
        return new PortConfig(frameCount, frames, queues, xdpMode, forceCopy);
    }

    /** {@return this with these receive queues, or all where there are none} */
    public PortConfig withQueues(List<Integer> indices) {
        return new PortConfig(frameCount, ringFrames, indices, xdpMode, forceCopy);
    }

    /** {@return this with the XDP program there} */
    public PortConfig withXdpMode(XdpMode mode) {
        return new PortConfig(frameCount, ringFrames, queues, mode, forceCopy);
    }

    /** {@return this with frames copied, or not where the driver can do without} */
    public PortConfig withForceCopy(boolean value) {
        return new PortConfig(frameCount, ringFrames, queues, xdpMode, value);
    }

    /** {@return the frames of a pool that no queues and rings count} */
    public int frameCountOrDefault() {
        return frameCount == 0 ? FRAME_COUNT_DEFAULT : frameCount;
    }

    /** Refuses what AF_XDP alone has, for a backend of another name. */
    public void requireNoXdp(String backend) {
        String option = ringFrames != 0
                ? "ringFrames=" + ringFrames
                : !queues.isEmpty()
                        ? "queues=" + queues
                        : xdpMode != XdpMode.AUTO ? "xdpMode=" + xdpMode : forceCopy ? "forceCopy=true" : null;
        if (option != null) {
            throw new ConfigException(option + " is for AF_XDP, and means nothing to backend " + backend
                    + "; leave it out, or use afxdp");
        }
    }

    /**
     * {@return this, where what is left to the backend is as properties say}
     *
     * @param properties finds the value of a property, or null; {@code System::getProperty}
     */
    public PortConfig orProperties(UnaryOperator<String> properties) {
        PortConfig merged = this;
        String frames = properties.apply(FRAMES_PROPERTY);
        if (frameCount == 0 && frames != null) {
            merged = merged.withFrameCount(number(FRAMES_PROPERTY, frames));
        }
        String ring = properties.apply(RING_PROPERTY);
        if (ringFrames == 0 && ring != null) {
            merged = merged.withRingFrames(number(RING_PROPERTY, ring));
        }
        String queue = properties.apply(QUEUE_PROPERTY);
        if (queues.isEmpty() && queue != null) {
            merged = merged.withQueues(parseQueues(queue));
        }
        String mode = properties.apply(XDP_MODE_PROPERTY);
        if (xdpMode == XdpMode.AUTO && mode != null) {
            merged = merged.withXdpMode(mode(mode));
        }
        String copy = properties.apply(COPY_PROPERTY);
        if (!forceCopy && copy != null) {
            merged = merged.withForceCopy(truth(copy));
        }
        return merged;
    }

    /** {@return how many loops a transport of one has, as properties say} */
    public static int loopCount(UnaryOperator<String> properties) {
        String text = properties.apply(QUEUES_PROPERTY);
        int count = text == null ? 1 : number(QUEUES_PROPERTY, text);
        if (count < 1 || count > FlowSteering.LOOPS_MAX) {
            throw new ConfigException(
                    "property " + QUEUES_PROPERTY + "=" + text + " is outside 1.." + FlowSteering.LOOPS_MAX);
        }
        return count;
    }

    /** {@return the numbers of a list of queues such as {@code 0,2-3}} */
    public static List<Integer> parseQueues(String text) {
        List<Integer> found = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int dash = part.indexOf('-');
            int first = queue(text, dash < 0 ? part : part.substring(0, dash));
            int last = dash < 0 ? first : queue(text, part.substring(dash + 1));
            if (last < first) {
                throw new ConfigException("the range " + part + " of queues \"" + text + "\" runs backwards");
            }
            for (int index = first; index <= last; index++) {
                found.add(index);
            }
        }
        return List.copyOf(found);
    }

    private static int queue(String text, String part) {
        try {
            int index = Integer.parseInt(part.strip());
            if (index >= 0 && index <= QUEUE_INDEX_MAX) {
                return index;
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw new ConfigException("queues \"" + text + "\" has \"" + part + "\", which is no number of 0.."
                + QUEUE_INDEX_MAX + "; write a list such as 0,2-3");
    }

    private static int number(String property, String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new ConfigException("property " + property + "=" + text + " is no number");
        }
    }

    private static XdpMode mode(String text) {
        for (XdpMode known : XdpMode.values()) {
            if (known.name().replace('_', '-').equalsIgnoreCase(text.strip())) {
                return known;
            }
        }
        throw new ConfigException(
                "property " + XDP_MODE_PROPERTY + "=" + text + " is none of auto, native, zero-copy, generic");
    }

    private static boolean truth(String text) {
        String value = text.strip().toLowerCase(Locale.ROOT);
        if (!value.isEmpty() && !value.equals("true") && !value.equals("false")) {
            throw new ConfigException("property " + COPY_PROPERTY + "=" + text + " is neither true nor false");
        }
        return !value.equals("false");
    }
}
