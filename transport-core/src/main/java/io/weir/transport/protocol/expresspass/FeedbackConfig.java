package io.weir.transport.protocol.expresspass;

import io.weir.transport.node.ConfigException;

/** The rule that turns credit loss into the next rate, with its parameters. */
sealed interface FeedbackConfig permits FeedbackConfig.Algorithm1, FeedbackConfig.Authors, FeedbackConfig.LossPrice {

    /**
     * Algorithm 1 of the paper.
     *
     * @param targetLossFraction the loss up to which the rate rises (section 3.3: 0.1)
     * @param aggressivenessInitial w_init
     * @param aggressivenessMin w_min (section 3.2: 0.01)
     * @param aggressivenessMax w_max (0.5)
     * @param currentRateOnly false for the letter; true to count only losses of credits sent since the rate changed
     */
    record Algorithm1(
            double targetLossFraction,
            double aggressivenessInitial,
            double aggressivenessMin,
            double aggressivenessMax,
            boolean currentRateOnly)
            implements FeedbackConfig {
        public Algorithm1 {
            requireFraction("targetLossFraction", targetLossFraction);
            requireAggressiveness(aggressivenessInitial, aggressivenessMin, aggressivenessMax);
        }
    }

    /**
     * The rule of the authors' released simulator.
     *
     * @param targetLossFraction the loss up to which the rate rises when the rate is near zero (0.125)
     * @param aggressivenessInitial w_init
     * @param aggressivenessMin the lower bound of w (0.01)
     * @param aggressivenessMax the upper bound of w (0.5)
     * @param aggressivenessStep by how much w rises (0.05)
     */
    record Authors(
            double targetLossFraction,
            double aggressivenessInitial,
            double aggressivenessMin,
            double aggressivenessMax,
            double aggressivenessStep)
            implements FeedbackConfig {
        public Authors {
            requireFraction("targetLossFraction", targetLossFraction);
            requireFraction("aggressivenessStep", aggressivenessStep);
            requireAggressiveness(aggressivenessInitial, aggressivenessMin, aggressivenessMax);
        }
    }

    /**
     * The rate as a falling function of smoothed loss: see {@link LossPriceFeedback}.
     *
     * @param overshootFraction by how much the rate may exceed what the link passes when nothing is lost
     * @param sensitivity the power of the delivered fraction that the rate follows where much is lost
     * @param steepness how much more the rate falls with the first losses: it is divided by 1 + steepness x lost
     * @param gainPerRtt the weight of a round trip's credits in the smoothed loss
     * @param samplesMin the fewest credits that get that whole weight
     */
    record LossPrice(double overshootFraction, int sensitivity, int steepness, double gainPerRtt, int samplesMin)
            implements FeedbackConfig {
        public LossPrice {
            requireFraction("overshootFraction", overshootFraction);
            requireFraction("gainPerRtt", gainPerRtt);
            if (sensitivity < 1 || sensitivity > 16 || samplesMin < 1) {
                throw new ConfigException(
                        "sensitivity=" + sensitivity + " must be 1..16 and samplesMin=" + samplesMin + " at least 1");
            }
            if (steepness < 0 || steepness > 100) {
                throw new ConfigException("steepness=" + steepness + " is outside 0..100");
            }
            if (gainPerRtt * (sensitivity + steepness) >= 1) {
                throw new ConfigException(
                        "gainPerRtt=" + gainPerRtt + " x (sensitivity=" + sensitivity + " + steepness=" + steepness
                                + ") must stay below 1: loss is known a round trip late, and the loop would oscillate");
            }
        }
    }

    private static void requireFraction(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new ConfigException(name + "=" + value + " is outside 0..1");
        }
    }

    private static void requireAggressiveness(double initial, double min, double max) {
        if (!(min > 0 && min <= max && max <= 1 && initial >= 0 && initial <= 1)) {
            throw new ConfigException("aggressiveness " + initial + " (initial), " + min + " (min), " + max
                    + " (max) must satisfy 0 < min <= max <= 1 and initial 0..1");
        }
    }
}
