package io.weir.transport.fallback;

import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.function.LongFunction;

/**
 * Which way a connection or listener went.
 *
 * <p>Its sentences are made when somebody reads them: to make one takes a good part of the time of a connect.
 */
public final class Explanation {
    private static final double NANOS_PER_MILLISECOND = 1e6;

    private final Outcome outcome;
    private final InetSocketAddress address;
    private final long elapsedNanos;
    /** Makes the paragraph of {@link #elapsedNanos}. */
    private final LongFunction<String> sentences;

    Explanation(Outcome outcome, InetSocketAddress address, long elapsedNanos, LongFunction<String> sentences) {
        this.outcome = outcome;
        this.address = address;
        this.elapsedNanos = elapsedNanos;
        this.sentences = sentences;
    }

    static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    static String milliseconds(long nanos) {
        return String.format(Locale.ROOT, "%.3f ms", nanos / NANOS_PER_MILLISECOND);
    }

    /** {@return what happened, in one word} */
    public Outcome outcome() {
        return outcome;
    }

    /** {@return the peer's address, or the one that is listened at} */
    public String address() {
        return text(address);
    }

    /** {@return in one paragraph: which way was taken, what was tried first, why it failed, and how long it took} */
    public String text() {
        return sentences.apply(elapsedNanos);
    }

    /** {@return nanoseconds from the beginning to the decision} */
    public long elapsedNanos() {
        return elapsedNanos;
    }

    /** {@return the paragraph} */
    @Override
    public String toString() {
        return text();
    }
}
