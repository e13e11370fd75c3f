package io.weir.transport.lab;

import io.weir.transport.scenario.Fault.Impairment;

/**
 * What is wrong with one direction of a host's link.
 *
 * @param impairment how it is bad until the network heals
 * @param replayPpm how often old frames come again
 * @param cutFromNanos from when on it is cut
 * @param cutNanos for how long; 0 for never
 * @param cutEveryNanos how often, or 0 for once
 */
record LinkPlan(Impairment impairment, int replayPpm, long cutFromNanos, long cutNanos, long cutEveryNanos) {
    /** A link that works. */
    static final LinkPlan GOOD = new LinkPlan(Impairment.NONE, 0, 0, 0, 0);
}
