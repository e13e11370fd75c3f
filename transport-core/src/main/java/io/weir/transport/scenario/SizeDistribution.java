package io.weir.transport.scenario;

import io.weir.transport.node.ConfigException;
import java.util.List;

/**
 * Sizes of flows: a distribution function, linear between its points.
 *
 * @param name what it is called
 * @param source where it comes from
 * @param points the function; the last fraction is 1
 */
public record SizeDistribution(String name, String source, List<Point> points) {
    /**
     * A point of the function.
     *
     * @param bytes a size
     * @param fraction the share of flows that are no larger
     */
    public record Point(double bytes, double fraction) {}

    /** Validates that the function rises to 1. */
    public SizeDistribution {
        points = List.copyOf(points);
        Point before = new Point(0, 0);
        for (int i = 0; i < points.size(); i++) {
            Point point = points.get(i);
            if (!(point.bytes() >= before.bytes() && point.fraction() >= before.fraction() && point.fraction() <= 1)) {
                throw new ConfigException("point " + (i + 1) + " of the distribution, " + point.bytes() + " B at "
                        + point.fraction() + ", lies below the one before; sizes and fractions must rise");
            }
            before = point;
        }
        if (before.fraction() != 1) {
            throw new ConfigException("the distribution ends at a fraction of " + before.fraction()
                    + "; it must rise to 1: add the largest size");
        }
    }
}
