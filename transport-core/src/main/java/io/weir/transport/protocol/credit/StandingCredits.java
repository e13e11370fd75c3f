package io.weir.transport.protocol.credit;

/**
 * How many idle flows of a host may hold a standing credit: one credit each, kept for the flow's first frame after it
 * was idle, so that a short message needs no round trip to ask.
 *
 * <p>Deviation from ExpressPass, whose senders discard every credit that finds nothing to send: the bound keeps the
 * promise of a bounded queue. All standing credits of a host together permit {@code max} frames, whatever the number of
 * its flows.
 */
final class StandingCredits {
    private final int max;
    private int count;

    StandingCredits(int max) {
        this.max = max;
    }

    boolean tryTake() {
        if (count >= max) {
            return false;
        }
        count++;
        return true;
    }

    void giveBack() {
        count--;
        assert count >= 0;
    }
}
