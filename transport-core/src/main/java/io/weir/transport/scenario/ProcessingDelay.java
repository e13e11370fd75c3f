package io.weir.transport.scenario;

import io.weir.transport.node.ConfigException;
import java.util.List;

/**
 * How long a host takes to see a frame that has arrived: a constant, or drawn for each frame by inverting a
 * distribution function that is linear between its points. Frames are seen in the order of their arrival.
 *
 * @param points the distribution function, from a fraction of 0 to a fraction of 1; one point alone is a constant
 */
public record ProcessingDelay(List<Point> points) {
    /** Frames are seen when they arrive. */
    public static final ProcessingDelay NONE = constant(0);

    /**
     * Credit processing in the software of the ExpressPass testbed: median 0.38 us, 6.2 us at 99.99 % (section 5,
     * Figure 14a). The paper prints these two; between them the line is ours.
     */
    public static final ProcessingDelay EXPRESSPASS_TESTBED = new ProcessingDelay(List.of(
            new Point(200, 0),
            new Point(380, 500_000),
            new Point(900, 900_000),
            new Point(2_000, 990_000),
            new Point(6_200, 999_900),
            new Point(6_200, 1_000_000)));

    /**
     * A point of the distribution function.
     *
     * @param nanos the delay
     * @param fractionPpm the share of frames that take no longer, in parts per million
     */
    public record Point(long nanos, int fractionPpm) {}

    /** Validates that the function rises from 0 to 1. */
    public ProcessingDelay {
        points = List.copyOf(points);
        if (points.isEmpty()) {
            throw new ConfigException("a processing delay needs at least one point");
        }
        for (int i = 0; i < points.size(); i++) {
            Point point = points.get(i);
            Point before = i == 0 ? new Point(0, 0) : points.get(i - 1);
            if (point.nanos() < before.nanos() || point.fractionPpm() < before.fractionPpm()) {
                throw new ConfigException("point " + i + " of a processing delay, " + point + ", lies below "
                        + "the one before; delays and fractions must rise");
            }
        }
        if (points.size() > 1
                && (points.get(0).fractionPpm() != 0
                        || points.get(points.size() - 1).fractionPpm() != 1_000_000)) {
            throw new ConfigException("a processing delay must rise from a fraction of 0 to a fraction of 1");
        }
    }

    /** {@return the same delay for every frame} */
    public static ProcessingDelay constant(long nanos) {
        return new ProcessingDelay(List.of(new Point(nanos, 0)));
    }

    /** {@return the delay and {@code nanos} more, for every frame} */
    public ProcessingDelay later(long nanos) {
        return new ProcessingDelay(points.stream()
                .map(point -> new Point(point.nanos() + nanos, point.fractionPpm()))
                .toList());
    }

    /** {@return whether every frame takes equally long} */
    public boolean isConstant() {
        return points.size() == 1;
    }
}
