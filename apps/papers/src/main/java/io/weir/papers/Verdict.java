package io.weir.papers;

/** The verdict on a claim. */
public enum Verdict {
    /** The criterion is met. */
    MET("met"),
    /** The criterion is not met. */
    FAILED("failed"),
    /** There is no criterion; what was measured only stands there. */
    REPORTED("reported"),
    /** It needs what this build has not. */
    NOT_YET("not yet");

    private final String label;

    Verdict(String label) {
        this.label = label;
    }

    /** {@return what people read} */
    public String label() {
        return label;
    }

    /** {@return whether a run with such a claim succeeds} */
    public boolean isGood() {
        return this == MET || this == REPORTED;
    }
}
