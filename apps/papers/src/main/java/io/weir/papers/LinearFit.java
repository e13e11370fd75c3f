package io.weir.papers;

import java.util.List;

/**
 * The straight line that is nearest to points, by least squares.
 *
 * @param slope how steep it is
 * @param intercept where it meets 0
 * @param rSquared which part of the values' variance it explains: 1 if all points are on it
 */
public record LinearFit(double slope, double intercept, double rSquared) {
    /** {@return the line nearest to the points; at least two of them at different places} */
    public static LinearFit of(List<Double> x, List<Double> y) {
        double meanX = Statistics.mean(x);
        double meanY = Statistics.mean(y);
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (int i = 0; i < x.size(); i++) {
            double dx = x.get(i) - meanX;
            double dy = y.get(i) - meanY;
            xx += dx * dx;
            xy += dx * dy;
            yy += dy * dy;
        }
        double slope = xy / xx;
        // Points on a level line are all on it.
        return new LinearFit(slope, meanY - slope * meanX, yy == 0 ? 1 : xy * xy / (xx * yy));
    }
}
