package io.weir.papers;

/**
 * Something that a paper says, and its verdict here. Make one with {@link #about}.
 *
 * @param id its name within the paper, as in {@code expresspass/fig10/feedback-6}
 * @param statement what the paper says, paraphrased
 * @param paperValue the paper's value
 * @param measured the value here
 * @param criterion what the value here must be, or empty
 * @param verdict whether it is
 * @param distance how far the value is from the criterion's limit, on which side
 * @param page a page of the documentation with the trace and the reason, for one that failed; or empty
 */
public record Claim(
        String id,
        String statement,
        String paperValue,
        String measured,
        String criterion,
        Verdict verdict,
        String distance,
        String page) {
    /** {@return what still needs its measurement: a claim of this name, statement and value in the paper} */
    public static Draft about(String id, String statement, String paperValue) {
        return new Draft(id, statement, paperValue);
    }

    /** {@return the same claim with the page that explains it} */
    public Claim on(String newPage) {
        return new Claim(id, statement, paperValue, measured, criterion, verdict, distance, newPage);
    }

    /** {@return the same claim; if it failed, with the page of its paper's protocol, which explains it} */
    public Claim explained() {
        String paper = id.substring(0, id.indexOf('/'));
        return verdict == Verdict.FAILED ? on("docs/protocols/" + paper + ".md#claims-that-fail") : this;
    }

    /**
     * A claim that has not been held against anything.
     *
     * @param id see the claim
     * @param statement see the claim
     * @param paperValue see the claim
     */
    public record Draft(String id, String statement, String paperValue) {
        /** {@return the claim, met if {@code measured} is {@code limit} or more} */
        public Claim atLeast(double measured, double limit, Unit unit) {
            return within(measured, limit, Double.POSITIVE_INFINITY, unit);
        }

        /** {@return the claim, met if {@code measured} is {@code limit} or less} */
        public Claim atMost(double measured, double limit, Unit unit) {
            return within(measured, Double.NEGATIVE_INFINITY, limit, unit);
        }

        /** {@return the claim, met if {@code measured} is {@code low} to {@code high}} */
        public Claim within(double measured, double low, double high, Unit unit) {
            boolean isMet = measured >= low && measured <= high;
            // Of a value that is no number, NaN, neither holds: it failed.
            double distance = measured < low ? low - measured : measured > high ? measured - high : measured;
            String side = measured < low ? " below" : measured > high ? " above" : "";
            String text = isMet ? margin(measured, low, high, unit) : unit.printDistance(distance) + side;
            return holds(isMet, unit.print(measured), criterion(low, high, unit), text);
        }

        private static String margin(double measured, double low, double high, Unit unit) {
            double margin = Math.min(measured - low, high - measured);
            return margin == 0 ? "at the limit" : unit.printDistance(margin) + " to spare";
        }

        private static String criterion(double low, double high, Unit unit) {
            if (Double.isInfinite(high)) {
                return "at least " + unit.print(low);
            }
            return Double.isInfinite(low) ? "at most " + unit.print(high) : unit.print(low) + " to " + unit.print(high);
        }

        /**
         * {@return the claim, met if it holds}
         *
         * @param distance how far it is from that
         */
        public Claim holds(boolean isMet, String measured, String criterion, String distance) {
            return claim(measured, criterion, isMet ? Verdict.MET : Verdict.FAILED, distance);
        }

        /** {@return the claim with a value that nothing is demanded of} */
        public Claim reported(String measured) {
            return claim(measured, "", Verdict.REPORTED, "");
        }

        /** {@return the claim that cannot be examined yet, for want of {@code lacks}} */
        public Claim notYet(String criterion, String lacks) {
            return claim("", criterion, Verdict.NOT_YET, "needs " + lacks);
        }

        private Claim claim(String measured, String criterion, Verdict verdict, String distance) {
            return new Claim(id, statement, paperValue, measured, criterion, verdict, distance, "");
        }
    }
}
