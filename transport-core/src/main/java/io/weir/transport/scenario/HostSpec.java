package io.weir.transport.scenario;

import io.weir.transport.host.ConnectionTimers;
import io.weir.transport.host.HostConfig;
import io.weir.transport.host.QueuedHost;
import io.weir.transport.host.StreamLimits;
import io.weir.transport.node.ConfigException;

/**
 * A host.
 *
 * @param name its name
 * @param delay how long it takes to see a frame that has arrived
 * @param stampNoise how far the times that its port notes for frames are off
 * @param streams what each of its connections needs, or null for what suits the world: a simulation that carries no
 *     payload has room for windows that never close, a laboratory has not
 * @param timers when it gives up waiting
 * @param pauses when its loop loses its core
 * @param creditFramesMax how many frames one credit may grant
 * @param queueFramesMax how many frames may wait in one queue in front of the host's link; 0 for flows that take turns
 */
public record HostSpec(
        String name,
        ProcessingDelay delay,
        StampNoise stampNoise,
        StreamLimits streams,
        ConnectionTimers timers,
        Pauses pauses,
        int creditFramesMax,
        int queueFramesMax) {
    /** Validates what nothing else does. */
    public HostSpec {
        HostConfig.requireCreditFrames(creditFramesMax);
        if (queueFramesMax < 0 || queueFramesMax > QueuedHost.FRAMES_MAX) {
            throw new ConfigException(
                    "a host's queue of " + queueFramesMax + " frames is outside 0 (none).." + QueuedHost.FRAMES_MAX);
        }
        if (queueFramesMax > 0 && !pauses.isNone()) {
            throw new ConfigException("host '" + name + "' has both a queue and pauses; leave one out");
        }
    }

    /** Creates a host that never pauses. */
    public HostSpec(
            String name, ProcessingDelay delay, StampNoise stampNoise, StreamLimits streams, ConnectionTimers timers) {
        this(name, delay, stampNoise, streams, timers, Pauses.NONE, 1, 0);
    }

    /** {@return a host of this name with the defaults} */
    public static HostSpec named(String name) {
        return new HostSpec(name, ProcessingDelay.NONE, StampNoise.NONE, null, ConnectionTimers.DEFAULT);
    }

    /** {@return the same host by another name} */
    public HostSpec withName(String newName) {
        return new HostSpec(newName, delay, stampNoise, streams, timers, pauses, creditFramesMax, queueFramesMax);
    }

    /** {@return the same host with other pauses} */
    public HostSpec withPauses(Pauses newPauses) {
        return new HostSpec(name, delay, stampNoise, streams, timers, newPauses, creditFramesMax, queueFramesMax);
    }

    /** {@return the same host with credits for up to so many frames} */
    public HostSpec withCreditFramesMax(int framesMax) {
        return new HostSpec(name, delay, stampNoise, streams, timers, pauses, framesMax, queueFramesMax);
    }

    /** {@return the same host with one queue of so many frames in front of its link; 0 for none} */
    public HostSpec withQueueFramesMax(int framesMax) {
        return new HostSpec(name, delay, stampNoise, streams, timers, pauses, creditFramesMax, framesMax);
    }

    /** {@return how long it takes to see a frame, with what noise of stamps adds to that} */
    public ProcessingDelay seenAfter() {
        return delay.later(stampNoise.nanosMax());
    }
}
