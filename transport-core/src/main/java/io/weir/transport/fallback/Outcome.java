package io.weir.transport.fallback;

/** Which way a connection or listener took, and why. */
public enum Outcome {
    /** Weir, as the rule says; it was open first where TCP was tried too. */
    WEIR("weir"),
    /** TCP, as the rule says. */
    TCP_BY_RULE("tcp: rule"),
    /** TCP, since the peer refused Weir, or could not be reached by it. */
    TCP_REFUSED("tcp: refused"),
    /** TCP, which was open before the peer had answered. */
    TCP_FIRST("tcp: first"),
    /** TCP, since the peer was found to be without Weir shortly before. */
    TCP_REMEMBERED("tcp: remembered"),
    /** TCP, since there is no Weir here. */
    TCP_UNAVAILABLE("tcp: unavailable"),
    /** Neither was opened. */
    FAILED("failed"),
    /** A listener has passed over a connection that its peer had given up, for TCP. */
    PASSED_OVER("passed over");

    private final String text;

    Outcome(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
