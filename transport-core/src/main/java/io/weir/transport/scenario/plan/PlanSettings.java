package io.weir.transport.scenario.plan;

import io.weir.transport.host.HostConfig;
import io.weir.transport.node.ConfigException;

/**
 * What is supposed of a network besides what it says itself.
 *
 * @param queueCredits how many credits each credit queue holds, or 0 for what the ports say
 * @param hostSpreadNanos the delay spread of every host, or {@link #OF_HOSTS} for what the hosts say
 * @param pauseBytes what hosts and switches may add to the queue of one port by making up for pauses at the same moment
 * @param creditFrames how many frames one credit grants; with more than 1 no switch meters credits, the receiving hosts
 *     alone do
 */
public record PlanSettings(int queueCredits, long hostSpreadNanos, long pauseBytes, int creditFrames) {
    /** The spread that follows from each host's processing delay. */
    public static final long OF_HOSTS = -1;

    /** Nothing besides what the network says. */
    public static final PlanSettings OF_NETWORK = new PlanSettings(0, OF_HOSTS, 0, 1);

    private static final int QUEUE_CREDITS_MAX = 10_000;
    private static final long HOST_SPREAD_NANOS_MAX = 1_000_000_000;

    public PlanSettings {
        if (pauseBytes < 0) {
            throw new ConfigException("pauseBytes=" + pauseBytes + " must not be negative");
        }
        HostConfig.requireCreditFrames(creditFrames);
        if (queueCredits < 0 || queueCredits > QUEUE_CREDITS_MAX) {
            throw new ConfigException("queueCredits=" + queueCredits + " is outside 1.." + QUEUE_CREDITS_MAX);
        }
        if (hostSpreadNanos < OF_HOSTS || hostSpreadNanos > HOST_SPREAD_NANOS_MAX) {
            throw new ConfigException("hostSpreadNanos=" + hostSpreadNanos + " is outside 0.." + HOST_SPREAD_NANOS_MAX);
        }
    }

    /** {@return the same with credit queues of so many credits, 0 for what the ports say} */
    public PlanSettings withQueueCredits(int newQueueCredits) {
        return new PlanSettings(newQueueCredits, hostSpreadNanos, pauseBytes, creditFrames);
    }

    /** {@return the same with another delay spread of every host} */
    public PlanSettings withHostSpreadNanos(long newHostSpreadNanos) {
        return new PlanSettings(queueCredits, newHostSpreadNanos, pauseBytes, creditFrames);
    }

    /** {@return the same with another number of bytes that pauses may add to a queue} */
    public PlanSettings withPauseBytes(long newPauseBytes) {
        return new PlanSettings(queueCredits, hostSpreadNanos, newPauseBytes, creditFrames);
    }

    /** {@return the same with credits of so many frames} */
    public PlanSettings withCreditFrames(int newCreditFrames) {
        return new PlanSettings(queueCredits, hostSpreadNanos, pauseBytes, newCreditFrames);
    }
}
