package io.weir.transport.fallback;

import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which peers are without Weir, so that they are not asked for each connection: those that refused it and took
 * TCP, or left three openings in a row without an answer and took TCP, for a minute. Any thread.
 */
final class PeerMemory {
    static final long ABSENT_NANOS = 60_000_000_000L;
    static final int UNANSWERED_MAX = 3;
    /** The peers of a large cluster; beyond it the one that is known for longest is asked again. */
    static final int PEERS_MAX = 4_096;

    private final Map<InetSocketAddress, Absence> absences = new LinkedHashMap<>();

    /** What is known of one peer. */
    private static final class Absence {
        private int unanswered;
        private boolean isAbsent;
        private long untilNanos;
        private String reason = "";
    }

    /** {@return why the peer is without Weir for now, or null where it is to be asked} */
    synchronized String absence(InetSocketAddress peer, long nowNanos) {
        Absence known = absences.get(peer);
        if (known == null || !known.isAbsent) {
            return null;
        }
        if (nowNanos - known.untilNanos >= 0) {
            absences.remove(peer);
            return null;
        }
        return known.reason;
    }

    /** The peer, or the network before it, said that there is no Weir, and TCP has a connection. */
    synchronized void onRefused(InetSocketAddress peer, String reason, long nowNanos) {
        forgetFor(peer, reason, nowNanos);
    }

    /** An opening had no answer before TCP had its connection. */
    synchronized void onUnanswered(InetSocketAddress peer, long nowNanos) {
        Absence known = find(peer);
        known.unanswered++;
        if (known.unanswered >= UNANSWERED_MAX) {
            forgetFor(peer, UNANSWERED_MAX + " openings in a row had no answer", nowNanos);
        }
    }

    /** The peer has it. */
    synchronized void onOpened(InetSocketAddress peer) {
        absences.remove(peer);
    }

    private void forgetFor(InetSocketAddress peer, String reason, long nowNanos) {
        Absence known = find(peer);
        known.unanswered = 0;
        known.isAbsent = true;
        known.untilNanos = nowNanos + ABSENT_NANOS;
        known.reason = reason;
    }

    private Absence find(InetSocketAddress peer) {
        Absence known = absences.get(peer);
        if (known == null) {
            if (absences.size() >= PEERS_MAX) {
                absences.remove(absences.keySet().iterator().next());
            }
            known = new Absence();
            absences.put(peer, known);
        }
        return known;
    }
}
