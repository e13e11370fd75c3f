package io.weir.papers.expresspass;

import java.util.Arrays;

/**
 * The model behind equations 2 to 6: N flows of Algorithm 1 that all update at once, on a link that passes {@code 1 /
 * 1.1} of C. Rates are shares of C.
 */
final class DiscreteModel {
    private static final double TARGET_LOSS = 0.1;
    private static final double CAPACITY = 1 / (1 + TARGET_LOSS);
    private static final double W_MAX = 0.5;
    /** Of the sum of rates, where doubles are not exact. */
    private static final double EPSILON = 1e-6;

    private final double wMin;
    private final double[] rates;
    private final double[] weights;
    private boolean wasIncrease;

    /** Begins with rates from C/N to C, and the largest weights. */
    DiscreteModel(int flows, double wMin) {
        this.wMin = wMin;
        rates = new double[flows];
        weights = new double[flows];
        Arrays.setAll(rates, i -> (i + 1.0) / flows);
        Arrays.fill(weights, W_MAX);
    }

    /** Goes on by some update periods. */
    void step(int periods) {
        for (int i = 0; i < periods; i++) {
            update();
        }
    }

    private void update() {
        double loss = Math.max(0, 1 - CAPACITY / sum());
        boolean isIncrease = loss <= TARGET_LOSS;
        for (int i = 0; i < rates.length; i++) {
            if (isIncrease) {
                weights[i] = wasIncrease ? (weights[i] + W_MAX) / 2 : weights[i];
                rates[i] = (1 - weights[i]) * rates[i] + weights[i];
            } else {
                rates[i] = rates[i] * (1 - loss) * (1 + TARGET_LOSS);
                weights[i] = Math.max(weights[i] / 2, wMin);
            }
        }
        wasIncrease = isIncrease;
    }

    private double sum() {
        return Arrays.stream(rates).sum();
    }

    /** {@return whether the flows exceed C, after an increase} */
    boolean isRaised() {
        return sum() > 1 + EPSILON;
    }

    /** {@return the rate of a flow} */
    double rate(int flow) {
        return rates[flow];
    }
}
