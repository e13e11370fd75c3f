package io.weir.papers;

/** How large the experiments are. */
public enum Scale {
    /** As small as the claims allow: the whole list takes minutes. */
    QUICK,
    /** As large as in the papers. */
    FULL;

    /** {@return what the command line calls it} */
    public String label() {
        return this == QUICK ? "quick" : "full";
    }
}
