package io.weir.papers.ccrp;

import java.util.ArrayList;
import java.util.List;

/** Runs made up for the tests of this package. */
final class Made {
    private static final int INTERVALS = 200;

    private Made() {}

    /** {@return a run of one flow of each kind, in which that with credits has this share from its start on} */
    static Mix mix(double creditsShare) {
        return mix(creditsShare, 1, 0.95, 100_000);
    }

    static Mix mix(double creditsShare, int pairs, double utilization, double queueBytesMean) {
        double reactiveBps = 9e9 * (1 - creditsShare);
        double creditsBps = 9e9 * creditsShare;
        List<Double> reactive = new ArrayList<>();
        List<Double> credits = new ArrayList<>();
        for (int i = 0; i < INTERVALS; i++) {
            boolean isAlone = i < Mix.JOIN_INTERVAL;
            reactive.add(isAlone ? 9e9 : reactiveBps);
            credits.add(isAlone ? 0 : creditsBps);
        }
        return new Mix(
                repeat(reactiveBps / pairs, pairs),
                repeat(creditsBps / pairs, pairs),
                reactive,
                credits,
                utilization,
                queueBytesMean,
                0);
    }

    private static List<Double> repeat(double value, int count) {
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(value);
        }
        return values;
    }
}
