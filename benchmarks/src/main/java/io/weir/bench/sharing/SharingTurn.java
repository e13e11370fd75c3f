package io.weir.bench.sharing;

import java.util.Locale;

/**
 * What two processes do for a while.
 *
 * @param carrier what moves the bytes
 * @param isSpinning whether neither side ever sleeps
 * @param isBulk whether bytes go one way as fast as they can, else 64 bytes to and fro
 */
record SharingTurn(Carrier carrier, boolean isSpinning, boolean isBulk) {
    /** What moves the bytes. */
    enum Carrier {
        /** Kernel TCP over loopback. */
        TCP("kernel TCP over loopback"),
        /** Two clients of one broker. */
        SAME_HOST("Weir, same host"),
        /** A transport that has the interface to itself, and one at the other end of the link. */
        ALONE("Weir, interface to itself"),
        /** A client of a broker, and a transport at the other end of the link. */
        BROKER("Weir, through a broker");

        private final String label;

        Carrier(String label) {
            this.label = label;
        }
    }

    static SharingTurn parse(String text) {
        String[] words = text.split(" ", -1);
        return new SharingTurn(
                Carrier.valueOf(words[0]), Boolean.parseBoolean(words[1]), Boolean.parseBoolean(words[2]));
    }

    String text() {
        return carrier + " " + isSpinning + " " + isBulk;
    }

    String label() {
        return String.format(
                Locale.ROOT,
                "%-28s %s, %s",
                carrier.label,
                isBulk ? "bulk" : "round trip",
                isSpinning ? "spinning" : "default");
    }
}
