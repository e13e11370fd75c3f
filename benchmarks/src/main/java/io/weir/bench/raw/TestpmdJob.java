package io.weir.bench.raw;

import java.util.Locale;

/** A job that testpmd and the DPDK port both do, and what the testpmd at the other end does meanwhile. */
enum TestpmdJob {
    /** Take in what a transmitter sends. */
    RECEIVE(Testpmd.Mode.RXONLY, Testpmd.Mode.TXONLY),
    /** Send as fast as possible to a receiver. */
    TRANSMIT(Testpmd.Mode.TXONLY, Testpmd.Mode.RXONLY),
    /** Send back what comes. */
    FORWARD(Testpmd.Mode.IO, Testpmd.Mode.FLOWGEN),
    /** Both ends in one process on one core, which send each other's frames back. */
    CIRCULATE(Testpmd.Mode.IO, null);

    private final Testpmd.Mode mode;
    /** Null where there is no other process. */
    private final Testpmd.Mode peerMode;

    TestpmdJob(Testpmd.Mode mode, Testpmd.Mode peerMode) {
        this.mode = mode;
        this.peerMode = peerMode;
    }

    Testpmd.Mode mode() {
        return mode;
    }

    Testpmd.Mode peerMode() {
        return peerMode;
    }

    /** {@return its name in {@link DpdkRates} and the report} */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
