package io.weir.transport.scenario;

import io.weir.transport.node.ConfigException;

/**
 * What is measured and how often.
 *
 * @param intervalNanos the length of an interval of the series, or 0 for no series
 * @param warmUpNanos summaries and port figures count from here on
 * @param perFlow whether the series has each flow, or only the sum
 * @param perPort whether the series has each switch port's queue
 * @param perWindow whether the series has each flow's window and the feedback that it got, window by window
 */
public record Measurement(long intervalNanos, long warmUpNanos, boolean perFlow, boolean perPort, boolean perWindow) {
    public Measurement {
        if (intervalNanos < 0 || warmUpNanos < 0) {
            throw new ConfigException(
                    "intervalNanos=" + intervalNanos + " and warmUpNanos=" + warmUpNanos + " must not be negative");
        }
    }

    /** No windows. */
    public Measurement(long intervalNanos, long warmUpNanos, boolean perFlow, boolean perPort) {
        this(intervalNanos, warmUpNanos, perFlow, perPort, false);
    }

    /** No series. */
    public static final Measurement SUMMARY = new Measurement(0, 0, false, false);
}
