package io.weir.transport.fallback;

import java.io.IOException;

/**
 * The choice between two openings of one connection, over Weir and over TCP: the first that completes is used. It knows
 * no clock and opens nothing; who drives it tells what has happened, and does what the answers say. Any thread.
 */
final class OpeningRace {
    /** Who may still win, or has. */
    enum State {
        /** Weir alone tries. */
        WEIR,
        /** Both try. */
        BOTH,
        /** TCP alone tries: Weir has failed, or is not asked. */
        TCP,
        WON_BY_WEIR,
        WON_BY_TCP,
        FAILED,
        /** The application has given the connection up. */
        CANCELLED
    }

    private final boolean mayUseTcp;
    private State state;
    private IOException weirFailure;
    private IOException failure;

    /**
     * Creates a race that begins.
     *
     * @param asksWeir whether Weir tries first
     * @param mayUseTcp whether TCP may try
     */
    OpeningRace(boolean asksWeir, boolean mayUseTcp) {
        if (!asksWeir && !mayUseTcp) {
            throw new IllegalArgumentException("asksWeir and mayUseTcp are false; one of both has to try");
        }
        this.mayUseTcp = mayUseTcp;
        this.state = asksWeir ? State.WEIR : State.TCP;
    }

    /** {@return whether Weir has won; otherwise its connection is to be reset} */
    synchronized boolean onWeirOpened() {
        if (state == State.WEIR || state == State.BOTH) {
            state = State.WON_BY_WEIR;
            // TCP may have failed before.
            failure = null;
            return true;
        }
        return false;
    }

    /** {@return whether TCP is to begin now} */
    synchronized boolean onWeirFailed(IOException problem) {
        if (state != State.WEIR && state != State.BOTH) {
            return false;
        }
        weirFailure = problem;
        if (!mayUseTcp) {
            failure = problem;
            state = State.FAILED;
            return false;
        }
        if (failure != null) {
            // TCP had failed before.
            failure.addSuppressed(problem);
            state = State.FAILED;
            return false;
        }
        boolean hadBegun = state == State.BOTH;
        state = State.TCP;
        return !hadBegun;
    }

    /** {@return whether TCP is to begin now that Weir has had its start} */
    synchronized boolean onHeadStartOver() {
        if (state != State.WEIR || !mayUseTcp) {
            return false;
        }
        state = State.BOTH;
        return true;
    }

    /** {@return whether TCP has won; otherwise its connection is to be reset} */
    synchronized boolean onTcpOpened() {
        if (state == State.BOTH || state == State.TCP) {
            state = State.WON_BY_TCP;
            return true;
        }
        return false;
    }

    /** TCP has failed; Weir may still win if it tries. */
    synchronized void onTcpFailed(IOException problem) {
        if (state == State.TCP) {
            failure = problem;
            if (weirFailure != null) {
                problem.addSuppressed(weirFailure);
            }
            state = State.FAILED;
        } else if (state == State.BOTH) {
            failure = problem;
        }
    }

    /** {@return whether it was still open who wins; nobody does from now on} */
    synchronized boolean onCancelled() {
        if (isDecided()) {
            return false;
        }
        state = State.CANCELLED;
        return true;
    }

    synchronized State state() {
        return state;
    }

    /** {@return whether nothing can change any more} */
    synchronized boolean isDecided() {
        return state.compareTo(State.TCP) > 0;
    }

    /** {@return why nobody has won; of both, TCP's reason, which has Weir's with it} */
    synchronized IOException failure() {
        return failure;
    }

    /** {@return why Weir is out of it, or null} */
    synchronized IOException weirFailure() {
        return weirFailure;
    }
}
