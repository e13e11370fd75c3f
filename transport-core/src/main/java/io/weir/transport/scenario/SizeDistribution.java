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
        if (points.isEmpty()) {
            throw new ConfigException(
                    "the distribution has no points; give sizes and the fractions of flows up to them");
        }
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

    /**
     * {@return the size below which a share of {@code fraction} of the flows lies, rounded up to a whole byte, at least
     * 1}
     */
    public long bytesAt(double fraction) {
        int index = 0;
        while (index < points.size() - 1 && points.get(index).fraction() < fraction) {
            index++;
        }
        Point to = points.get(index);
        Point from = index == 0 ? to : points.get(index - 1);
        double rise = to.fraction() - from.fraction();
        double bytes = rise <= 0 || fraction >= to.fraction()
                ? to.bytes()
                : from.bytes() + (to.bytes() - from.bytes()) * (fraction - from.fraction()) / rise;
        return Math.max(1, (long) StrictMath.ceil(bytes));
    }

    /** {@return the mean size, before it is rounded} */
    public double meanBytes() {
        double mean = points.get(0).bytes() * points.get(0).fraction();
        for (int i = 1; i < points.size(); i++) {
            Point from = points.get(i - 1);
            Point to = points.get(i);
            mean += (to.fraction() - from.fraction()) * (from.bytes() + to.bytes()) / 2;
        }
        return mean;
    }

    /** {@return how many segments of {@code segmentBytes} a flow has on average; the last one of each may be short} */
    public double meanSegments(int segmentBytes) {
        double mean =
                segments(points.get(0).bytes(), segmentBytes) * points.get(0).fraction();
        for (int i = 1; i < points.size(); i++) {
            Point from = points.get(i - 1);
            Point to = points.get(i);
            double width = to.bytes() - from.bytes();
            double within = width == 0
                    ? segments(to.bytes(), segmentBytes)
                    : (segmentsBelow(to.bytes(), segmentBytes) - segmentsBelow(from.bytes(), segmentBytes)) / width;
            mean += (to.fraction() - from.fraction()) * within;
        }
        return mean;
    }

    private static double segments(double bytes, int segmentBytes) {
        return Math.max(1, StrictMath.ceil(bytes / segmentBytes));
    }

    /** {@return the integral from 0 to {@code bytes} of the segments that a flow of each size has} */
    private static double segmentsBelow(double bytes, int segmentBytes) {
        double whole = StrictMath.floor(bytes / segmentBytes);
        return segmentBytes * whole * (whole + 1) / 2 + (whole + 1) * (bytes - whole * segmentBytes);
    }
}
