package io.weir.transport.host;

import io.weir.transport.flow.RttEstimator;
import io.weir.transport.wire.Cookie;
import io.weir.transport.wire.IpAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a host remembers of the responders that have answered it: their tokens and how long they take to answer. For at
 * most {@value #PEERS_MAX} addresses; the oldest makes room. Owned by the host's thread; O(1) per opening.
 */
final class KnownPeers {
    private static final int PEERS_MAX = 1024;

    private final ConnectionTimers timers;
    private final Map<IpAddress, KnownPeer> peers = new LinkedHashMap<>();

    KnownPeers(ConnectionTimers timers) {
        this.timers = timers;
    }

    /** {@return what is known of {@code remote}, or null} */
    KnownPeer find(IpAddress remote) {
        return peers.get(remote);
    }

    /** {@return what is known of {@code remote}, which has answered} */
    KnownPeer of(IpAddress remote) {
        KnownPeer peer = peers.get(remote);
        if (peer == null) {
            peer = new KnownPeer(timers);
            peers.put(remote, peer);
            if (peers.size() > PEERS_MAX) {
                peers.remove(peers.keySet().iterator().next());
            }
        }
        return peer;
    }

    /** What is known of one responder. */
    static final class KnownPeer {
        private static final int WEIGHT = 8;

        private final RttEstimator answers;
        /** The token that it gave last, or null. Written by {@link #keepToken}. */
        private UnsafeBuffer token;
        /** The smoothed round trip of openings that were answered at the first try; 0 before the first. */
        private long roundTripNanos;
        /** How long it has said that its pauses are, in nanoseconds. Written by {@link #onPauses}. */
        private long pauseNanos;

        private KnownPeer(ConnectionTimers timers) {
            answers = new RttEstimator(
                    timers.retransmitNanosInitial(), timers.retransmitNanosMin(), timers.retransmitNanosMax());
        }

        /** Keeps the token that stands at {@code at}. */
        void keepToken(UnsafeBuffer source, int at) {
            token = new UnsafeBuffer(new byte[Cookie.BYTES]);
            token.putBytes(0, source, at, Cookie.BYTES);
        }

        /** {@return the token for the next opening, or null} */
        UnsafeBuffer token() {
            return token;
        }

        /**
         * It has answered an opening.
         *
         * @param nanos the time since the opening first left, in which this host ran
         * @param isExact whether it left once only, so that this is the round trip and not the longest that it can be
         */
        void onAnswer(long nanos, boolean isExact) {
            answers.onSample(nanos);
            if (isExact) {
                roundTripNanos += roundTripNanos == 0 ? nanos : (nanos - roundTripNanos) / WEIGHT;
            }
        }

        /** It announces its pauses, of which the host believes {@code nanosMax}. */
        void onPauses(long announcedNanos, long nanosMax) {
            pauseNanos = Math.min(announcedNanos, nanosMax);
        }

        /** {@return the round trip in nanoseconds, 0 if none has been measured} */
        long roundTripNanos() {
            return roundTripNanos;
        }

        /** {@return how long an opening may take to be answered, as far as earlier ones tell} */
        long timeoutNanos() {
            return answers.timeoutNanos();
        }

        /** {@return how long its pauses are, which come on top} */
        long pauseNanos() {
            return pauseNanos;
        }
    }
}
